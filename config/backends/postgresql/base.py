"""Django's backend for PostgreSQL, which asks the socket instead of the server whether the
connection that the last request left is still there."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Whether the server is still there; every request asks this first.

        A server that ends a connection says so on the socket, where otherwise nothing is to be read
        between two requests. One that vanished from the network says nothing: the next statement
        waits for it as the statement that asks would (`tcp_user_timeout`). After an error the
        server itself is asked, as ever.
        """
        if self.errors_occurred or self.connection is None or self.connection.closed:
            return bool(super().is_usable())
        socket = select.poll()
        socket.register(self.connection.fileno(), select.POLLIN)
        return not socket.poll(0)
