"""Lessons: a run step by step, with what else could have been done, a teacher's notes and hints."""
