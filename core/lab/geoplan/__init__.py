"""GeoPlan-bench: plans as sequences of tools, compared with gold paths (HTAM, arXiv 2511.17198)."""
