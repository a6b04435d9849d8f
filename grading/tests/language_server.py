"""A client of a language server, clangd say: opens files and asks about them, over LSP on stdin and stdout."""

import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

TIMEOUT = 120
"""Seconds for one answer; a file of a lab takes one."""


class LanguageServer:
    """One server, started in a folder as an editor starts it that has opened the folder."""

    def __init__(self, command: Sequence[str], folder: Path, log: Path) -> None:
        self._log = log.open("wb")
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log
        )
        self._inbox: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._diagnostics: dict[str, list[dict[str, Any]]] = {}
        self._last = 0
        self._version = 1
        threading.Thread(target=self._read, daemon=True).start()
        hover = {"contentFormat": ["plaintext"]}
        capabilities = {"textDocument": {"hover": hover, "publishDiagnostics": {"relatedInformation": True}}}
        root = {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities}
        self.capabilities = self.request("initialize", root)["capabilities"]
        self._send({"method": "initialized", "params": {}})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.wait(timeout=TIMEOUT)
        self._log.close()

    def open(self, path: Path, text: str | None = None) -> list[dict[str, Any]]:
        """Opens the file, with `text` as an editor's unsaved content, and returns its diagnostics."""
        self._open(path, path.read_text(encoding="utf-8") if text is None else text)
        return self._wait_for(path)

    def open_all(self, paths: list[Path]) -> dict[Path, list[dict[str, Any]]]:
        """Opens the files at once, so that the server reads several at a time, and returns each one's diagnostics."""
        for path in paths:
            self._open(path, path.read_text(encoding="utf-8"))
        return {path: self._wait_for(path) for path in paths}

    def change(self, path: Path, text: str) -> None:
        """Replaces the whole content of an open file, as typing does."""
        self._version += 1
        document = {"uri": path.as_uri(), "version": self._version}
        self._send(
            {
                "method": "textDocument/didChange",
                "params": {"textDocument": document, "contentChanges": [{"text": text}]},
            }
        )

    def close(self, path: Path) -> None:
        """Lets the server forget the file."""
        self._send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": path.as_uri()}}})

    def at(self, question: str, path: Path, line: int, column: int) -> Any:
        """The answer to `textDocument/<question>` at a place, both counted from 0."""
        place = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
        return self.request(f"textDocument/{question}", place)

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """Sends a request and returns its result. Raises `AssertionError` with the server's error."""
        self._last += 1
        number = self._last
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self._take()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]

    def _open(self, path: Path, text: str) -> None:
        document = {"uri": path.as_uri(), "languageId": "cuda-cpp", "version": self._version, "text": text}
        self._diagnostics.pop(path.as_uri(), None)
        self._send({"method": "textDocument/didOpen", "params": {"textDocument": document}})

    def _wait_for(self, path: Path) -> list[dict[str, Any]]:
        while path.as_uri() not in self._diagnostics:
            self._take()
        return self._diagnostics[path.as_uri()]

    def _take(self) -> dict[str, Any]:
        message = self._inbox.get(timeout=TIMEOUT)
        assert message is not None, "the language server has ended"
        if message.get("method") == "textDocument/publishDiagnostics":
            self._diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:  # the server asks; a client without features says no
            self._send({"id": message["id"], "result": None})
        return message

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._process.stdin.flush()

    def _read(self) -> None:
        assert self._process.stdout is not None
        length = 0
        for line in iter(self._process.stdout.readline, b""):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
            elif not line.strip():
                self._inbox.put(json.loads(self._process.stdout.read(length)))
        self._inbox.put(None)
