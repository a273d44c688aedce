"""Scores as pages print them."""

from django import template

from evaluation.points import decimals, p_value, points, signed_points, span, whole_percent

register = template.Library()
for printed in (decimals, p_value, points, signed_points, span, whole_percent):
    register.filter(printed)
