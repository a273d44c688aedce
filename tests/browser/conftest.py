"""What a push leaves to `script/test --full`: the walk over every page in every look."""

import os

collect_ignore = [] if os.environ.get("FACETWISE_STRESS") == "full" else ["test_every_page.py"]
