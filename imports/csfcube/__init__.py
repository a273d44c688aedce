"""CSFCube releases, with the ratings and decisions that come with them."""
