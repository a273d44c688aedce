import django.db.models.deletion
from django.db import migrations, models

from audit.hashes import ContentHash
from audit.triggers import Refusal

HELD = """EXISTS (
    SELECT 1 FROM annotation_pair pair
    JOIN annotation_tenure tenure ON tenure.batch_id = pair.batch_id
    WHERE pair.id = {}.pair_id)"""

REFUSALS = [
    Refusal(
        f"annotation_sidetext_of_a_held_batch_{name}",
        "annotation_sidetext",
        event,
        "annotation_sidetext_of_a_held_batch: somebody holds or held a seat of the batch",
        condition,
    )
    for name, event, condition in [
        ("insert", "INSERT", HELD.format("NEW")),
        ("update", "UPDATE", f"{HELD.format('NEW')} OR {HELD.format('OLD')}"),
        ("delete", "DELETE", HELD.format("OLD")),
    ]
]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0017_options_fit_topics")]

    operations = [
        migrations.CreateModel(
            name="SideText",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("title", models.CharField(max_length=200)),
                ("text", models.TextField()),
                (
                    "text_sha256",
                    ContentHash(editable=False, max_length=64, of=["title", "text"]),
                ),
                (
                    "pair",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="side_text",
                        to="annotation.pair",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("title", ""), _negated=True),
                            models.Q(("text", ""), _negated=True),
                        ),
                        name="annotation_sidetext_is_titled",
                    )
                ],
            },
        ),
        *[refusal.operation() for refusal in REFUSALS],
    ]
