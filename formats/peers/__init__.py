"""Exports of other annotation tools: studies that were rated elsewhere, to be adjudicated here.

Versions whose exports we know: Label Studio 1.23, doccano 1.8, Potato 2.12.
"""
