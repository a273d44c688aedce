"""What several of the benchmarks do alike. None of it is a tool by itself."""
