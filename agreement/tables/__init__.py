"""Tables as plain data, and how they are written: for pages, files, papers and print."""
