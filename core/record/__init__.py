"""The record: the store, its tables and its migrations. It knows rows, not what they mean."""
