"""Making pools from runs: written like an import, whole or not at all."""
