"""Look at a page of kbai in headless Chromium: does it open, do clicks and keys work, does it fit?

Needs Chromium, its driver and the extra ``browser``. Without PAGE it checks one of a suggestion
that it makes itself. Ends with code 1 at the first thing that is not as it should be.
"""

from __future__ import annotations

import argparse
import base64
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from kbai.game.setup import Setup
from kbai.report.suggestion_page import suggestion_page
from kbai.search.params import Limit
from kbai.search.suggest import suggest

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
DESKTOP, PHONE = (1400, 1000), (390, 844)
# How long a page may take to open on a busy machine.
PATIENCE_S = 20.0
# As WebDriver numbers keys.
HOME, LEFT, RIGHT = "\ue011", "\ue012", "\ue014"


class Browser:
    """A headless browser without a network."""

    def __init__(self) -> None:
        # Here, so that --help works without the extra.
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        path = next(filter(None, map(shutil.which, BROWSERS)), None)
        driver = shutil.which("chromedriver")
        if not path or not driver:
            sys.exit(f"expected one of {', '.join(BROWSERS)} and chromedriver on the PATH.")
        options = Options()
        options.binary_location = path
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.execute_cdp_cmd("Network.enable", {})
        offline = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)

    def open(self, address: str, size: tuple[int, int], scheme: str = "light") -> None:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get(address)
        deadline = time.monotonic() + PATIENCE_S
        while not self.all(".view.is-open") and time.monotonic() < deadline:
            time.sleep(0.1)

    def run(self, script: str) -> object:
        return self.driver.execute_script(f"return {script}")

    def open_view(self) -> tuple[str, str]:
        """Return the id of the view that is shown, and what is drawn on its board."""
        shown = [view for view in self.all(".view") if view.is_displayed()]
        expect(len(shown) == 1, f"one view is shown, got {len(shown)}")
        board = self.all(".view.is-open .board")[0]
        expect(board.is_displayed() and board.size["width"] > 200, "its board is to be seen")
        return str(shown[0].get_attribute("id")), str(board.get_attribute("innerHTML"))

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements("css selector", selector)

    def press(self, key: str) -> None:
        self.driver.switch_to.active_element.send_keys(key)

    def requests(self) -> list[str]:
        """Return the addresses asked for since the page was opened, but for the page itself."""
        log = [entry["message"] for entry in self.driver.get_log("performance")]
        return [line for line in log if '"Network.requestWillBeSent"' in line
                and '"url":"file:' not in line and '"url":"data:' not in line]  # fmt: skip

    def shoot(self, path: Path) -> None:
        answer = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        path.write_bytes(base64.b64decode(answer["data"]))

    def print_pages(self, path: Path) -> None:
        paper = {"printBackground": True, "paperWidth": 8.27, "paperHeight": 11.69}
        answer = self.driver.execute_cdp_cmd("Page.printToPDF", paper)
        path.write_bytes(base64.b64decode(answer["data"]))


def expect(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"not so: {what}.")


def check(browser: Browser, address: str) -> None:
    """Check a page at the width of a desk and of a phone; print what held."""
    browser.open(address, DESKTOP)
    errors = [entry for entry in browser.driver.get_log("browser") if entry["level"] == "SEVERE"]
    expect(not errors, f"no errors on the console, got {errors}")
    expect(not browser.requests(), f"nothing asked for, got {browser.requests()}")
    print("opens without errors and asks for nothing else")
    check_fold(browser)
    links = browser.all(".list:last-of-type [data-open]")
    boards = {}
    for link in links:
        link.click()
        name, board = browser.open_view()
        expect(name == link.get_attribute("data-open"), f"a click opens {name}")
        expect(link.get_attribute("aria-current") == "true", "the list shows which is open")
        boards[name] = board
    expect(len(set(boards.values())) == len(links), "every board is another one")
    print(f"clicks on {len(links)} items of the list show as many boards")
    names = list(boards)
    browser.press(HOME)
    for name in names[1:4]:
        browser.press(RIGHT)
        expect(browser.open_view()[0] == name, f"the right arrow goes on to {name}")
    for name in reversed(names[: len(names[1:4])]):
        browser.press(LEFT)
        expect(browser.open_view()[0] == name, f"the left arrow goes back to {name}")
    browser.press(LEFT)
    expect(browser.open_view()[0] == names[0], "before the first there is nothing")
    print("left and right arrow keys go through them")
    browser.open(f"{address}#{names[-1]}", DESKTOP)
    expect(browser.open_view()[0] == names[-1], "an address with # opens that view")
    for size in (DESKTOP, PHONE):
        browser.open(address, size)
        width = browser.run("document.documentElement.scrollWidth")
        expect(width == size[0], f"nothing is wider than {size[0]}, got {width}")
    widest = "Math.max(...Array.from(document.querySelectorAll('.wide'), (e) => e.scrollWidth))"
    expect(browser.run(widest) <= PHONE[0], "no table hides columns on a phone")
    browser.all(".view.is-open .frame")[0].click()
    large = browser.run("document.querySelector('.view.is-open .board').clientWidth")
    expect(isinstance(large, int) and large > PHONE[0], "a tap on the board enlarges it")
    width = browser.run("document.documentElement.scrollWidth")
    expect(width == PHONE[0], "the page does not scroll to the side then, either")
    print(f"fits {DESKTOP[0]} and {PHONE[0]} pixels without scrolling to the side")


def check_fold(browser: Browser) -> None:
    """Check that the whole board is on the screen, in its top left corner."""
    box = browser.run("document.querySelector('.view.is-open .board').getBoundingClientRect()")
    place = {key: box[key] for key in ("left", "top", "bottom")} if isinstance(box, dict) else {}
    expect(place["left"] < 40 and place["top"] < 140, f"the board is top left, got {place}")
    expect(place["bottom"] <= DESKTOP[1], f"the whole board is on the screen, got {place}")
    print("the whole board is on the screen, top left")


def take_pictures(browser: Browser, address: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, size, scheme in (
        ("desktop", DESKTOP, "light"), ("dark", DESKTOP, "dark"), ("phone", PHONE, "light")
    ):  # fmt: skip
        browser.open(address, size, scheme)
        browser.shoot(folder / f"{name}.png")
    browser.print_pages(folder / "print.pdf")
    print(f"pictures are in {folder}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", nargs="?", type=Path, help="an HTML file of kbai")
    parser.add_argument("--pictures", type=Path, metavar="DIR", help="keep screenshots there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = options.page
        if page is None:
            setup = Setup.first_game()
            page = Path(folder) / "suggestion.html"
            start = setup.start_position()
            suggestion = suggest(start, Limit(visits=500), seed=1)
            page.write_text(suggestion_page(suggestion), "utf-8")
        browser = Browser()
        try:
            address = page.resolve().as_uri()
            check(browser, address)
            if options.pictures:
                take_pictures(browser, address, options.pictures)
        finally:
            browser.driver.quit()


if __name__ == "__main__":
    main()
