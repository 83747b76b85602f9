"""Physical quantities retrieved from what a sensor measured."""
