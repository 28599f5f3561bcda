"""Tests the page of a running example service in a headless browser with two windows, and fails if a check fails.

Usage: service-browser.py BROWSER FOLDER ADDRESS [TOKEN-FILE]    writes FOLDER/service-VIEW.png

Creates and deletes colors and employees, so the service needs a store for tests, with at least one boss.
"""

import base64
import json
import shutil
import sys
import time
from pathlib import Path

tools = Path(__file__).parent / "ReportBrowser"
sys.dont_write_bytecode = True
sys.path.insert(0, str(tools))

from devtools import Browser  # noqa: E402

MEASURE = (tools / "measure.js").read_text(encoding="utf-8")
NAMED_ROLES = {"button", "textbox", "combobox", "dialog", "link", "heading", "navigation", "Date", "DisclosureTriangle"}
# The text in markup must be shown and not run.
HOSTILE = "<img src=x onerror=alert(1)>\u202e&amp;" + "W" * 300
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " ")}
# In-page helpers of the test; the requests have the page's cookie.
HELPERS = """
  window.row = (list, text) => [...document.querySelectorAll(`${list} li`)].find((row) =>
    row.querySelector("strong").textContent === text);
  window.call = async (method, path, body, headers = {}) => {
    if (body) headers["Content-Type"] = "application/json";
    const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, etag: response.headers.get("ETag"), content: text ? JSON.parse(text) : null };
  };
  window.destroy = async (path) => {
    const { etag } = await call("GET", path);
    return (await call("DELETE", path, undefined, { "If-Match": etag })).status;
  };
"""


class Windows(Browser):
    """A browser with several windows, each with its own cookies; the last used one receives the calls."""

    def open(self, address):
        self._session = None
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context, newWindow=True)
        session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        window = Window(self, session, context)
        for domain in ["Page", "Runtime", "Log", "Network", "Audits", "Accessibility"]:
            window.call(f"{domain}.enable")
        window.call("Page.addScriptToEvaluateOnNewDocument", source=HELPERS)
        # Without this, a window behind another one is hidden.
        window.call("Emulation.setFocusEmulationEnabled", enabled=True)
        window.resize(1280, 900, "light")
        window.call("Page.navigate", url=address)
        return window

    def use(self, session):
        self._session = session

    def cover(self, window):
        """Hides a window by another tab in front of it."""
        window.call("Emulation.setFocusEmulationEnabled", enabled=False)
        self._session = None
        self.call("Target.createTarget", url="about:blank", browserContextId=window.context)
        window.wait("document.hidden", "the window is hidden")


class Window:
    """A window of the browser."""

    def __init__(self, browser, session, context):
        self._browser, self._session, self.context = browser, session, context

    def call(self, method, **parameters):
        self._browser.use(self._session)
        return self._browser.call(method, **parameters)

    def evaluate(self, expression):
        self._browser.use(self._session)
        return self._browser.evaluate(expression)

    def wait(self, expression, description, seconds=5):
        """Waits until an expression is true; the test ends if that does not happen."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.evaluate(f"Boolean({expression})"):
                    return
            except RuntimeError as error:
                # The page is loading.
                if "null" not in str(error) and "not defined" not in str(error) and "navigat" not in str(error):
                    raise
            if time.monotonic() > end:
                status = self.evaluate("document.body.innerText.slice(0, 600)")
                raise SystemExit(f"service-browser: {description}: not within {seconds} s\n{status}")
            time.sleep(0.05)

    def resize(self, width, height, scheme):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=width < 600, deviceScaleFactor=1)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, shift=False):
        """Presses a key."""
        code, text = KEYS.get(key, (0, key))
        more = {"text": text} if text else {}
        flags = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown", **flags, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", **flags)

    def replace(self, text):
        """Replaces the text of the focused input, as typing does after "select all"."""
        self.evaluate("document.activeElement.select()")
        self.call("Input.insertText", text=text)

    def tab_to(self, expression, description):
        """Presses Tab until an expression about the focused element `it` is true; the focus must be visible."""
        for _ in range(120):
            self.press("Tab")
            found, focus = self.evaluate(
                f"(() => {{ const it = document.activeElement; const style = getComputedStyle(it);"
                f" return [Boolean({expression}), it === document.body ? 'body'"
                f" : style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 ? '' : it.outerHTML]; }})()")
            if focus and focus != "body":
                raise SystemExit(f"service-browser: the focus is not visible: {focus[:200]}")
            if found:
                return
        raise SystemExit(f"service-browser: Tab does not reach {description}")

    def sign_in(self, token):
        """Signs in by keyboard, if the service needs a token; a wrong token first."""
        self.wait(
            "document.getElementById('sign-in').open || document.querySelector('#colors li')", "the page shows colors")
        if not self.evaluate("document.getElementById('sign-in').open"):
            return
        self.replace("wrong" * 10)
        self.press("Enter")
        self.wait("!document.querySelector('#sign-in .problem').hidden", "a wrong token shows a problem")
        self.evaluate("document.getElementById('token').focus()")
        self.replace(token)
        self.press("Enter")
        self.wait("document.querySelector('#colors li')", "the page shows colors after the token")

    def wait_for_start(self, token):
        self.sign_in(token)
        self.wait("document.getElementById('connection').dataset.state === 'live'", "the page receives live updates")
        self.wait("document.querySelector('#colors li')", "the page shows colors")
        self.wait("document.querySelector('#groups summary')", "the page shows employees by boss")

    def edit(self, name):
        """Opens the form of a color."""
        self.wait(f"row('#colors', {json.dumps(name)})", f"the color “{name}” is shown")
        self.evaluate(f"row('#colors', {json.dumps(name)}).querySelector('[data-label=Edit]').click()")
        self.wait("document.getElementById('color-editor').open", "the form is shown")

    def save_name(self, name):
        """Changes the name in the open form of a color, and saves."""
        self.evaluate(f"document.getElementById('color-name').value = {json.dumps(name)};"
                      "document.querySelector('#color-editor form').requestSubmit()")


def reported(events, expected=()):
    """Yields the browser's errors, warnings and dialogs; an expected status of a response is none."""
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            yield f"console: {parameters['type']}: {parameters['args']}"
        elif method == "Runtime.exceptionThrown":
            yield f"exception: {parameters['exceptionDetails']}"
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            text = parameters["entry"]["text"]
            address = parameters["entry"].get("url", "")
            is_expected = any(f"status of {status}" in text for status in expected)
            # The service has no icon, which browsers request without a link.
            if not is_expected and not address.endswith("/favicon.ico"):
                yield f"log: {text} {address}"
        elif method == "Audits.issueAdded":
            yield f"issue: {parameters['issue']['code']}: {parameters['issue']['details']}"
        elif method == "Page.javascriptDialogOpening":
            yield f"dialog: {parameters['message']}"


def unnamed(window):
    """Yields controls without an accessible name."""
    for node in window.call("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if not node.get("ignored") and role in NAMED_ROLES and not node.get("name", {}).get("value", "").strip():
            yield f"accessibility: a {role} has no name"


def look(window, name, width, scheme, folder):
    """Returns the problems of the present view, and writes a screenshot."""
    window.resize(width, 900, scheme)
    window.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    findings = list(window.evaluate(f"({MEASURE})({width})")) + list(unnamed(window))
    picture = window.call("Page.captureScreenshot", format="png")
    (folder / f"service-{name}-{width}-{scheme}.png").write_bytes(base64.b64decode(picture["data"]))
    return [f"{name}, {width} px, {scheme}: {finding}" for finding in findings]


def create_color_by_keyboard(one, two):
    one.tab_to("it.id === 'new-color'", "the button for a new color")
    one.press("Enter")
    one.wait("document.activeElement.id === 'color-hex'", "the form has the focus")
    one.replace("blue")
    one.press("Tab")
    one.replace("first")
    one.press("Enter")
    one.wait("document.getElementById('color-hex-error').textContent", "a wrong color has an error next to its input")
    assert one.evaluate("document.activeElement.id") == "color-hex"
    assert one.evaluate("document.activeElement.getAttribute('aria-invalid')") == "true"
    one.replace("#12AB9F")
    one.press("Enter")
    one.wait("!document.getElementById('color-editor').open", "the form closes after the correction")
    assert one.evaluate("document.activeElement.id") == "new-color"
    one.wait("/first/.test(document.getElementById('status').textContent)", "the live region reports the new color")
    two.wait("row('#colors', 'first')", "the other window shows the new color")
    color = two.evaluate("getComputedStyle(row('#colors', 'first').querySelector('.swatch')).backgroundColor")
    assert color == "rgb(18, 171, 159)", color


def resolve_conflicts(one, two):
    one.edit("first")
    two.edit("first")
    two.save_name("second")
    two.wait("!document.getElementById('color-editor').open", "the first change is saved")
    one.save_name("third")
    one.wait("document.getElementById('conflict').open", "a conflict is shown")
    values = one.evaluate("[...document.querySelectorAll('#differences td')].map((cell) => cell.textContent)")
    assert values == ["third", "second"], values
    one.tab_to("it.id === 'keep-mine'", "the button that overwrites")
    one.press("Enter")
    two.wait("row('#colors', 'third')", "the overwriting value is shown in the other window")

    one.edit("third")
    two.edit("third")
    two.save_name("fourth")
    one.wait("row('#colors', 'fourth')", "the change is shown behind the form")
    one.save_name("fifth")
    one.wait("document.getElementById('conflict').open", "a second conflict is shown")
    one.evaluate("document.querySelector('#conflict [data-close]').click()")
    one.wait("document.querySelector('#color-editor form').ariaBusy === 'false'", "the form can be edited again")
    assert one.evaluate("document.getElementById('color-editor').open")
    one.save_name("fifth")
    one.wait("document.getElementById('conflict').open", "the conflict is shown again")
    one.evaluate("document.getElementById('keep-theirs').click()")
    one.wait("!document.getElementById('color-editor').open", "the form closes without a change")
    assert two.evaluate("Boolean(row('#colors', 'fourth'))")


def delete_changed(one, two):
    """A deletion of a record that was changed in the meantime shows the new name and asks again."""
    one.evaluate("row('#colors', 'fourth').querySelector('[data-label=Delete]').click()")
    one.wait("document.getElementById('deletion').open", "the deletion is confirmed")
    two.edit("fourth")
    two.save_name("renamed")
    one.wait("row('#colors', 'renamed')", "the change is shown behind the question")
    one.evaluate("document.querySelector('#deletion form').requestSubmit()")
    one.wait("document.getElementById('deletion-record').textContent === 'renamed'", "the question shows the new name")
    one.wait("!document.querySelector('#deletion .problem').hidden", "the conflict is explained")
    one.evaluate("document.querySelector('#deletion [data-close]').click()")
    two.edit("renamed")
    two.save_name("fourth")
    one.wait("row('#colors', 'fourth')", "the name is restored")


def delete_by_keyboard(one, two):
    two.evaluate("row('#colors', 'fourth').querySelector('button').focus()")
    one.evaluate("document.getElementById('new-color').focus()")
    one.tab_to("it.getAttribute('aria-label') === 'Delete fourth'", "the button that deletes")
    one.press("Enter")
    one.wait("document.getElementById('deletion').open", "the deletion is confirmed first")
    one.press("Escape")
    one.wait("!document.getElementById('deletion').open", "Escape cancels the deletion")
    assert one.evaluate("document.activeElement.getAttribute('aria-label')") == "Delete fourth"
    one.press("Enter")
    one.wait("document.getElementById('deletion').open", "the deletion is confirmed again")
    assert one.evaluate("document.activeElement.textContent") == "Cancel"
    one.press("Tab", shift=True)
    one.press("Enter")
    one.wait("!row('#colors', 'fourth')", "the row is deleted")
    two.wait("!row('#colors', 'fourth')", "the row is deleted in the other window")
    for window in (one, two):
        window.wait("document.activeElement.id === 'colors-title'", "the focus moves from a deleted row to the title")


def change_employees(one, two):
    boss = two.evaluate("document.querySelector('#groups details').dataset.key")
    two.evaluate("document.querySelector('#groups summary').click()")
    count = "document.querySelector('#groups details .count').textContent"
    before = two.evaluate(count)
    one.evaluate("document.getElementById('new-employee').click()")
    one.wait("document.activeElement.id === 'employee-first'", "the form of an employee has the focus")
    for value in ["Aaron", "Aaa", "-5"]:
        one.replace(value)
        one.press("Tab")
    one.evaluate("document.getElementById('employee-hired').value = '2020-02-29';"
                 f"document.getElementById('employee-boss').value = '{boss}'")
    one.press("Enter")
    one.wait("document.getElementById('employee-salary-error').textContent", "a wrong salary has an error")
    one.replace("50000")
    one.press("Enter")
    one.wait("!document.getElementById('employee-editor').open", "the employee is saved")
    two.wait(f"row('#groups', 'Aaron Aaa') && {count} !== '{before}'", "the other window shows the employee")
    two.evaluate("row('#groups', 'Aaron Aaa').querySelector('[data-label=Delete]').click()")
    two.wait("document.getElementById('deletion').open", "the deletion is confirmed")
    two.evaluate("document.querySelector('#deletion form').requestSubmit()")
    one.wait(f"{count} === '{before}'", "the count is the previous one")


def turn_pages(window):
    names = "[...document.querySelectorAll('#colors strong')].map((name) => name.textContent).join('|')"
    created = [
        window.evaluate(f"call('POST', '/colors', {{hex: '#0000{number:02X}', name: {json.dumps(HOSTILE)} + {number},"
                        f" dateCreated: '2100-01-01T00:00:{number:02}Z'}}).then((answer) => answer.content.id)")
        for number in range(25)
    ]
    window.wait(f"row('#colors', {json.dumps(HOSTILE + '24')})", "the page shows the last color, with markup as text")
    first = window.evaluate(names)
    buttons = [f"[...document.querySelectorAll('#colors-pages button')][{index}]" for index in (0, 1)]
    assert window.evaluate(f"{buttons[0]}.getAttribute('aria-disabled')") == "true"
    window.evaluate(f"{buttons[1]}.focus()")
    window.press("Enter")
    window.wait(f"{names} !== {json.dumps(first)}", "the next page")
    assert window.evaluate(f"{buttons[0]}.getAttribute('aria-disabled')") == "false"
    window.evaluate(f"{buttons[0]}.focus()")
    window.press("Enter")
    window.wait(f"{names} === {json.dumps(first)}", "the previous page")
    return created


def reconnect(one, two, address):
    """The page reports a lost connection, and then shows what it missed; without events it shows it after a reload."""
    one.call("Network.setBlockedURLs", urls=["*/events*"])
    one.call("Page.navigate", url=address)
    one.wait("document.getElementById('connection').dataset.state !== 'live'", "the page reports missing events")
    one.wait("document.querySelector('#colors li')", "the page shows colors without events")
    path = two.evaluate("call('POST', '/colors', {hex: '#ABCDEF', name: 'missed', dateCreated: '2101-01-01T00:00:00Z'})"
                        ".then((answer) => `/colors/${answer.content.id}`)")
    two.wait("row('#colors', 'missed')", "the page with events shows the color")
    assert not one.evaluate("row('#colors', 'missed') !== undefined")
    one.evaluate("document.getElementById('reload').click()")
    one.wait("row('#colors', 'missed')", "the button reads the lists")
    one.call("Network.setBlockedURLs", urls=[])
    assert two.evaluate(f"destroy('{path}')") == 204
    one.wait("document.getElementById('connection').dataset.state === 'live'", "the page connects again", 20)
    one.wait("!row('#colors', 'missed')", "the page shows the missed change")


def hide(browser, one, two):
    """A hidden page does not receive events, and reads the lists when it is visible again."""
    browser.cover(one)
    path = two.evaluate("call('POST', '/colors', {hex: '#FEDCBA', name: 'hidden', dateCreated: '2102-01-01T00:00:00Z'})"
                        ".then((answer) => `/colors/${answer.content.id}`)")
    two.wait("row('#colors', 'hidden')", "the visible page shows the color")
    assert not one.evaluate("row('#colors', 'hidden') !== undefined")
    one.call("Page.bringToFront")
    one.wait("row('#colors', 'hidden')", "the page is current after it is visible again")
    assert two.evaluate(f"destroy('{path}')") == 204


def views(window, folder):
    findings = []
    opened = [
        ("lists", "document.querySelector('#groups details:not([open]) summary').click()"),
        ("color", "document.getElementById('new-color').click()"),
        ("color-errors", "document.querySelector('#color-editor form').requestSubmit()"),
        ("employee", "document.getElementById('color-editor').close();"
                     "document.getElementById('new-employee').click()"),
        ("employee-errors", "document.querySelector('#employee-editor form').requestSubmit()"),
        ("deletion", "document.getElementById('employee-editor').close(); "
                     "document.querySelector('#colors [data-label=Delete]').click()"),
    ]
    window.evaluate("scrollTo(0, 0)")
    for name, action in opened:
        window.resize(1280, 900, "light")
        window.evaluate(action)
        time.sleep(0.3)
        for width in (320, 600, 1280):
            for scheme in ("light", "dark"):
                findings += look(window, name, width, scheme, folder)
    window.evaluate("document.getElementById('deletion').close()")
    return findings


def conflict_view(one, two, folder):
    one.edit(HOSTILE + "24")
    two.edit(HOSTILE + "24")
    two.save_name("other")
    two.wait("!document.getElementById('color-editor').open", "the change is saved")
    one.save_name(HOSTILE + "mine")
    one.wait("document.getElementById('conflict').open", "the conflict is shown")
    findings = []
    for scheme in ("light", "dark"):
        findings += look(one, "conflict", 320, scheme, folder)
    one.resize(1280, 900, "light")
    one.evaluate("document.getElementById('keep-theirs').click()")
    return findings


def detects_violations(window, browser):
    """Returns True if a violation of the policy is reported; otherwise the absence of reports is invalid."""
    browser.events.clear()
    window.evaluate("document.body.append(Object.assign(document.createElement('script'), {textContent: 'alert(1)'}))")
    time.sleep(0.3)
    window.evaluate("1")
    return any("issue: ContentSecurityPolicyIssue" in finding for finding in reported(browser.events))


def run(browser, folder, address, token):
    findings = []
    one, two = browser.open(address), browser.open(address)
    for window in (one, two):
        window.wait_for_start(token)
    policy = one.evaluate("fetch('/').then((response) => response.headers.get('Content-Security-Policy'))")
    if "default-src 'self'" not in (policy or "") or "unsafe" in policy:
        findings.append(f"the policy of the page is {policy}")
    count = one.evaluate("document.querySelectorAll('[aria-live], [role=alert], [role=status]').length")
    if count != 1:
        findings.append(f"the page has {count} live regions")
    create_color_by_keyboard(one, two)
    resolve_conflicts(one, two)
    delete_changed(one, two)
    delete_by_keyboard(one, two)
    change_employees(one, two)
    created = turn_pages(one)
    findings += views(one, folder)
    two.wait(f"row('#colors', {json.dumps(HOSTILE + '24')})", "the other window shows the newest color")
    findings += conflict_view(one, two, folder)
    findings += reported(browser.events, expected=(400, 401, 412, 422))
    reconnect(one, two, address)
    hide(browser, one, two)
    for identifier in created:
        assert one.evaluate(f"destroy('/colors/{identifier}')") == 204
    if not detects_violations(two, browser):
        findings.append("a violation of the policy was not reported")
    return findings


def main():
    path, folder, address = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    # A token file has lines of "NAME TOKEN".
    token = Path(sys.argv[4]).read_text(encoding="utf-8").split()[1] if len(sys.argv) > 4 else ""
    profile = folder / "service-profile"
    shutil.rmtree(profile, ignore_errors=True)
    browser = Windows(path, profile)
    try:
        findings = run(browser, folder, address, token)
    finally:
        browser.use(None)
        browser.close()
        shutil.rmtree(profile, ignore_errors=True)
    for finding in findings[:40]:
        print(f"service-browser: {finding}", file=sys.stderr)
    if findings:
        sys.exit(f"service-browser: {len(findings)} finding(s)")
    print(f"service-browser: no findings; screenshots in {folder}")


main()
