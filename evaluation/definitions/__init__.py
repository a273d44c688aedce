"""What leads define: mappings from options to grades."""
