from django.db import migrations

from audit.triggers import append_only


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [refusal.operation() for refusal in append_only("audit_event")]
