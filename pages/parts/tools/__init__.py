"""Parts of the Tools page: a tool's form and its result."""
