"""The layers of a workspace and a run, and the map that draws them."""
