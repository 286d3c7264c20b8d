"""A browser without a window, driven over two pipes: Chromium's DevTools protocol, JSON between NULs.

Only what Python brings along is used, so that the tests of the page need nothing but a browser.
"""
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
KEYS = {"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Enter": 13, "Escape": 27, "Tab": 9,
        "Home": 36, "End": 35}
PATIENCE = 60  # seconds for one answer


class BrowserError(Exception):
    """The browser did not do what it was told."""


def find_browser():
    """The path of the first browser that starts, or None; some packages are stubs that do not."""
    for path in filter(None, map(shutil.which, NAMES)):
        if subprocess.run([path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return path
    return None


class Browser:
    """One page in one browser. Collects what the page complains about and what it asks the network for."""

    def __init__(self, program, width=1280, height=900):
        self.home = tempfile.mkdtemp(prefix="heddle-browser-")
        self.size = (width, height)
        self.complaints, self.requests = [], []
        self.count, self.left, self.loaded = 0, b"", False
        to_browser, from_browser = os.pipe(), os.pipe()
        # The browser reads from 3 and writes to 4; our own ends must not be in their way.
        inner = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_browser[0], from_browser[1])]
        outer = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_browser[1], from_browser[0])]
        for end in (*to_browser, *from_browser):
            os.close(end)

        def move():
            os.dup2(inner[0], 3)
            os.dup2(inner[1], 4)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", "--disable-component-update",
             "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={self.home}",
             f"--window-size={width},{height}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=move,
            pass_fds=(3, 4), start_new_session=True)
        for end in inner:
            os.close(end)
        self.pen, self.ear = outer
        self.session = None
        self.attach()

    def attach(self):
        target = next(info for info in self.call("Target.getTargets")["targetInfos"] if info["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for room in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{room}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                  uploadThroughput=0)

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (BrowserError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for end in (self.pen, self.ear):
            os.close(end)
        shutil.rmtree(self.home, ignore_errors=True)

    # ── talking ──

    def call(self, method, **parameters):
        self.count += 1
        number, message = self.count, {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        whole = json.dumps(message).encode() + b"\0"
        while whole:
            whole = whole[os.write(self.pen, whole):]
        while True:
            answer = self.hear(PATIENCE)
            if answer is None:
                raise BrowserError(f"{method}: no answer after {PATIENCE} s")
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def hear(self, seconds):
        """The next message, None if there is none in time; what the page reports is noted on the way."""
        end = time.monotonic() + seconds
        while b"\0" not in self.left:
            wait = end - time.monotonic()
            if wait <= 0 or not select.select([self.ear], [], [], wait)[0]:
                return None
            more = os.read(self.ear, 1 << 20)
            if not more:
                raise BrowserError("the browser has ended")
            self.left += more
        first, self.left = self.left.split(b"\0", 1)
        message = json.loads(first)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, what):
        if method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(word.get("value", word.get("description"))) for word in what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{what['entry']['text']} {what['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    # ── looking and doing ──

    def open(self, path, dark=False, width=None, height=None):
        self.complaints, self.requests, self.loaded = [], [], False
        width, height = width or self.size[0], height or self.size[1]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.media(dark=dark)
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        end = time.monotonic() + PATIENCE
        while not self.loaded:
            if time.monotonic() > end:
                raise BrowserError(f"{path} did not load")
            self.hear(1)
        self.run("document.fonts.ready.then(() => true)")

    def media(self, dark=False, medium=""):
        self.call("Emulation.setEmulatedMedia", media=medium,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise BrowserError(f"{script}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def box(self, selector, index=0):
        """Where an element stands in the window, after it was brought there."""
        found = self.run(f"""(() => {{
          const node = document.querySelectorAll({json.dumps(selector)})[{index}];
          if (!node) return null;
          node.scrollIntoView({{block: "center", behavior: "instant"}});
          const box = node.getBoundingClientRect();
          return [box.left, box.top, box.width, box.height];
        }})()""")
        if found is None:
            raise BrowserError(f"there is no {selector} number {index}")
        return found

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, x, y):
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1,
                      buttons=1 if kind == "mousePressed" else 0)

    def click(self, selector, index=0):
        left, top, width, height = self.box(selector, index)
        self.press(left + width / 2, top + height / 2)

    def key(self, name, times=1):
        text = {"Enter": "\r", " ": " "}.get(name, "")
        for _ in range(times):
            code = KEYS.get(name, ord(name[0]))
            self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", key=name, code=name,
                      windowsVirtualKeyCode=code, text=text)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)

    def picture(self, path, whole=False, clip=None):
        """A PNG of the window, of the whole page, or of a part (left, top, width, height)."""
        more = {"captureBeyondViewport": True} if whole or clip else {}
        if whole:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = (0, 0, size["width"], min(size["height"], 16000))
        if clip:
            more["clip"] = dict(zip(("x", "y", "width", "height"), clip), scale=1)
        data = self.call("Page.captureScreenshot", format="png", **more)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
