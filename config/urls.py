"""All addresses."""

urlpatterns = []
