"""Parts of the Lessons page: the list, and a lesson that is played."""
