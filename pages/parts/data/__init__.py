"""Parts of the Data page: the catalogue, adding files, correcting bands."""
