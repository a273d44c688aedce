"""Audits: agreed pairs that an adjudicator decides without seeing that they were agreed."""
