"""An agent's half of document 002's calls, with nothing but Python's standard library: one kept
connection, the match ticket as Bearer, JSON both ways."""
import http.client
import json
from typing import Any

LIMIT_S = 60  # for one answer; the longest wait is 30 s


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = json.loads(response.read())


class Agent:
    """Calls by one ticket over one connection."""

    def __init__(self, port: int, ticket: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
        self._bearer = {"Authorization": f"Bearer {ticket}"}

    def view(self) -> Answer:
        return self._call("GET", "/v1/view")

    def act(self, action: Any, **headers: str) -> Answer:
        return self._call("POST", "/v1/act", action, headers)

    def wait(self, seconds: int) -> Answer:
        return self._call("POST", "/v1/wait", {"timeoutSeconds": seconds})

    def query(self, name: str, **args: Any) -> Answer:
        return self._call("POST", "/v1/query", {"name": name, "args": args})

    def leave(self) -> Answer:
        return self._call("POST", "/v1/leave")

    def rules(self) -> Answer:
        return self._call("GET", "/v1/rules/go")

    def close(self) -> None:
        self._connection.close()

    def _call(self, method: str, path: str, body: Any = None,
              headers: dict[str, str] | None = None) -> Answer:
        text = None if body is None else json.dumps(body)
        self._connection.request(method, path, text, {**self._bearer, **(headers or {})})
        return Answer(self._connection.getresponse())
