"""Webhooks: calls to programs elsewhere when something happens in a collection.

The trail is the outbox (docs/adr/0016-webhooks-read-the-trail.md): what is told is read from it,
seal by seal.
"""
