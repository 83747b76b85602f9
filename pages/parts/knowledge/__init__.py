"""Parts of the Knowledge page: cards, charts, editing."""
