"""What an import brings to this floor: pairs, ratings and machine scores."""
