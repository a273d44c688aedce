"""Orders of systems compared, and differences between two. Pure functions on arrays, no Django."""
