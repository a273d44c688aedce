"""What leads define: mappings from options to grades, and protocols of their own."""
