"""Parts of the page for admins."""
