"""Parts of the Compare page: the form and the runs side by side."""
