"""The pages of runs: scores, two compared, and whether disagreement matters."""
