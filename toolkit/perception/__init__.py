"""Kit Perception: objects, scenes and masks in pictures."""
