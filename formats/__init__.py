"""File formats, read and written without Django."""
