"""What a start loads: nothing that takes a second and that most processes never need."""

import os
import subprocess
import sys

HEAVY = {"scipy", "krippendorff", "resvg_py", "pandas", "sklearn", "ir_measures"}
# What makes the schema, other formats than JSON, and features of the framework that nobody uses.
OF_FEW_PROGRAMS = {"drf_spectacular", "pyarrow", "requests", "pygments"}

# What the web server loads before it serves, the worker before it works, and any command.
LOAD_ALL = """
import sys
import django
django.setup()
from django.core.management import get_commands, load_command_class
from django.urls import get_resolver
get_resolver().url_patterns
import config.gunicorn
from config.celery import app
app.loader.import_default_modules()
for name, package in get_commands().items():
    load_command_class(package, name)
import api.urls  # with the first request of a program, and the worker's checks
print(*sorted(sys.modules))
"""


def test_neither_a_start_nor_the_first_program_loads_what_most_never_need(tmp_path):
    environment = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "FACETWISE_STATE": str(tmp_path),
    }

    result = subprocess.run(
        [sys.executable, "-c", LOAD_ALL],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    modules = set(result.stdout.split())
    assert {"agreement.pages.report", "releases.tasks", "rest_framework"} <= modules
    assert modules & {*HEAVY, *OF_FEW_PROGRAMS} == set()
