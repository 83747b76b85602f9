"""The layered team's plan alone, over GeoPlan-bench's planning tools: nothing is carried out."""
