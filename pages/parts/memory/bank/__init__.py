"""Parts of the Memory page: the memory bank."""
