from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("webhooks", "0002_restored_hooks")]

    operations = [migrations.RemoveField(model_name="hook", name="listens_since")]
