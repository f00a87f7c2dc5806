"""A headless Chromium for the tools that measure and check the pages."""
import json
import os
import select
import subprocess
import time


class Chromium:
    """A browser with one page, driven through the pipe of its debugging protocol."""

    def __init__(self, folder, width=1280, height=860):
        reading, commands = os.pipe()
        self.reading, writing = os.pipe()
        self.commands = os.fdopen(commands, "wb")
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        shell = f"exec 3<&{reading} 4>&{writing}; exec \"$@\""
        self.process = subprocess.Popen(
            ["bash", "-c", shell, "chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
             "--remote-debugging-pipe", f"--user-data-dir={folder}/profile", f"--window-size={width},{height}",
             "--no-first-run", "--hide-scrollbars", "about:blank"],
            pass_fds=(reading, writing), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reading)
        os.close(writing)
        self.buffer, self.number, self.session = b"", 0, None
        page = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        self.commands.flush()
        answer = {}
        while answer.get("id") != self.number:
            while b"\0" not in self.buffer:
                # Nothing is read of a browser that has ended, either.
                more = select.select([self.reading], [], [], 300)[0] and os.read(self.reading, 1 << 20)
                if not more:
                    raise TimeoutError(method)
                self.buffer += more
            text, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(text)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)

    def value(self, expression):
        """The value of an expression of the page, or of its promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, expression, seconds=300):
        end = time.monotonic() + seconds
        while self.value(expression) is not True:
            if time.monotonic() > end:
                raise TimeoutError(expression)
            time.sleep(0.05)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def prefer(self, **features):
        """Has the page see other preferences of its reader: `color_scheme="dark"`, `reduced_motion="reduce"`."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-" + name.replace("_", "-"), "value": value} for name, value in features.items()])

    def press(self, key, code, modifiers=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code,
                      modifiers=modifiers)

    def end(self):
        self.process.kill()
        self.process.wait()
