"""Opens report pages in a headless browser and fails if a page has a problem for readers.

Usage: check.py BROWSER FOLDER NAME...    reads FOLDER/NAME.html, writes FOLDER/NAME-VIEW.png
"""

import base64
import shutil
import sys
from pathlib import Path

from devtools import Browser

# The widths of a phone and a desktop, in light and dark mode, collapsed and expanded, and widths at which the layout
# changes.
VIEWS = [
    (width, height, scheme, is_open)
    for width, height in [(360, 740), (1280, 900)]
    for scheme in ["light", "dark"]
    for is_open in [False, True]
] + [(width, 900, "light", True) for width in [480, 768, 914]]
IMAGE_ROLES = {"image", "img", "graphics-document", "SvgRoot"}
# The maximum useful height of a screenshot.
LONGEST_SCREENSHOT = 12000
MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")


def reported(events, address):
    """Yields the browser's errors, warnings and requests."""
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            yield f"console: {parameters['type']}: {parameters['args']}"
        elif method == "Runtime.exceptionThrown":
            yield f"exception: {parameters['exceptionDetails']['text']}"
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            yield f"log: {parameters['entry']['text']}"
        elif method == "Audits.issueAdded":
            yield f"issue: {parameters['issue']['code']}: {parameters['issue']['details']}"
        elif method == "Network.requestWillBeSent" and parameters["request"]["url"].split("#")[0] != address:
            yield f"request: {parameters['request']['url']}"
        elif method == "Page.javascriptDialogOpening":
            yield f"dialog: {parameters['message']}"


def names(browser):
    """Yields elements that have no accessible name."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    pictures = 0
    for node in nodes:
        role = node.get("role", {}).get("value")
        name = node.get("name", {}).get("value", "").strip()
        if node.get("ignored"):
            continue
        if role in IMAGE_ROLES:
            pictures += 1
            if len(name) < 20:
                yield f"accessibility: the name of a picture is too short: “{name}”"
        if role in ("heading", "link", "navigation", "DisclosureTriangle") and not name:
            yield f"accessibility: a {role} has no name"
    wanted = browser.evaluate("[...document.querySelectorAll('svg')].filter((s) => s.checkVisibility()).length")
    if pictures < wanted:
        yield f"accessibility: {pictures} of {wanted} pictures are accessible"


def look(browser, address, view, screenshot):
    """Returns all problems of a page in one view."""
    width, height, scheme, is_open = view
    browser.events.clear()
    browser.call(
        "Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=width < 600,
        deviceScaleFactor=2 if width < 600 else 1)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.call("Page.navigate", url=address)
    browser.wait_for("Page.loadEventFired")
    if is_open:
        browser.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    browser.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    findings = list(browser.evaluate(f"({MEASURE})({width})")) + list(names(browser))
    size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
    picture = browser.call(
        "Page.captureScreenshot", format="png", captureBeyondViewport=True,
        clip={"x": 0, "y": 0, "width": width, "height": min(size["height"], LONGEST_SCREENSHOT), "scale": 1})
    screenshot.write_bytes(base64.b64decode(picture["data"]))
    return findings + list(reported(browser.events, address))


def detects_problems(browser, folder):
    """Returns True if the checks find every problem of a bad page; otherwise their other results are invalid."""
    page = folder / "wrong.html"
    page.write_text(
        "<!DOCTYPE html><html lang='en'><meta charset='utf-8'>"
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        "<meta name='viewport' content='width=device-width'><title>wrong</title><p style='font-size:8px'>small</p><p style='color:#999;background:#fff'>pale</p>"
        "<div style='width:3000px;white-space:nowrap'>" + "wide " * 100 + "</div><img src='https://strata.invalid/x.png'>"
        "<svg role='img' width='200' height='50'><path d='M0 0H9'/></svg>"
        "<figure><div class='x'><span>one</span><span style='margin-left:-1em'>two</span></div></figure>",
        encoding="utf-8")
    findings = "\n".join(look(browser, page.as_uri(), (360, 740, "light", False), folder / "wrong.png"))
    missed = [
        word for word in ["the page is", "is 8 px", "contrast", "reaches from", "labels overlap",
                          "picture is too short", "log: ", "issue: "]
        if word not in findings
    ]
    if missed:
        print(f"browser: the checks did not find these problems of a bad page: {missed}\n{findings}", file=sys.stderr)
    return not missed


def main():
    path, folder, pages = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    profile = folder / "profile"
    shutil.rmtree(profile, ignore_errors=True)
    browser = Browser(path, profile)
    count = 0
    try:
        for domain in ["Page", "Runtime", "Log", "Network", "Audits", "Accessibility"]:
            browser.call(f"{domain}.enable")
        if not detects_problems(browser, folder):
            count += 1
        for page in pages:
            for view in VIEWS:
                width, _, scheme, is_open = view
                name = f"{page}-{width}-{scheme}{'-open' if is_open else ''}"
                findings = look(browser, (folder / f"{page}.html").as_uri(), view, folder / f"{name}.png")
                count += len(findings)
                for finding in findings[:20]:
                    print(f"browser: {name}: {finding}", file=sys.stderr)
    finally:
        browser.close()
        shutil.rmtree(profile, ignore_errors=True)
    if count:
        print(f"browser: {count} finding(s)", file=sys.stderr)
        sys.exit(1)
    print(f"browser: {len(pages)} pages in {len(VIEWS)} views each, no findings; screenshots in {folder}")


main()
