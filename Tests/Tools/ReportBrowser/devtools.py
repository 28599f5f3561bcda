"""A browser controlled by the DevTools protocol over a pipe; uses only Python's standard library."""

import json
import os
import subprocess


class Browser:
    """A headless Chromium with one page."""

    def __init__(self, path, profile):
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        flags = [
            "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={profile}", "--disable-gpu",
            "--no-first-run", "--no-default-browser-check", "--disable-extensions", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--force-color-profile=srgb",
        ]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        # The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        script = f'exec "$0" "$@" 3<&{read_commands} 4>&{write_answers}'
        self._process = subprocess.Popen(
            ["bash", "-c", script, path, *flags, "about:blank"],
            pass_fds=(read_commands, write_answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        self._buffer = b""
        self._number = 0
        self._session = None
        self.events = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]

    def call(self, method, **parameters):
        """Calls a method and waits for its answer; other messages are appended to `events`."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        """Waits until an event has occurred."""
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self._receive())

    def evaluate(self, expression):
        """Returns the value of a JavaScript expression, after it resolves if it is a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def close(self):
        """Ends the browser."""
        self._session = None
        try:
            self.call("Browser.close")
        except (RuntimeError, EOFError, BrokenPipeError):
            pass
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _receive(self):
        while b"\0" not in self._buffer:
            block = os.read(self._answers, 1 << 20)
            if not block:
                raise EOFError("the browser closed the connection")
            self._buffer += block
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)
