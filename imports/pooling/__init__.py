"""Pools from runs on their way in: written like an import, whole or not at all."""
