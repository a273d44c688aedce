"""The way in for a study of any format: neutral records, resolved, compared and written."""
