"""What the pages are made of: a folder a page, the map, and what several pages show."""
