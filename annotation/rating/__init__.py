"""A rating, and where its pair stands afterwards."""
