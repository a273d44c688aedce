"""Importing a study of any format: neutral records are resolved, compared and written."""
