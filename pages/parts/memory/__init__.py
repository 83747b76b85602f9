"""Parts of the Memory page: the failure memory."""
