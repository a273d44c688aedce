from django.db import migrations

from audit.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [("annotation", "0020_program_saves")]

    operations = [refusal.operation() for refusal in append_only("annotation_programsave")]
