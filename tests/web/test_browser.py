"""The page in headless Chromium, as a person would use it.

Needs ``chromium`` and ``chromedriver`` on the PATH; where they are not, the test is left out and
says so.
"""

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from kbai.content import load

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
DRIVER = shutil.which("chromedriver")
DESK, PHONE = (1400, 900), (390, 844)
PATIENCE_S = 120.0
# As WebDriver numbers keys.
TAB, LEFT, RIGHT, ENTER, END = "\ue004", "\ue012", "\ue014", "\ue007", "\ue010"
GARBLED = "kb1 board=frm,paddock,oasis,farm cards=lords red=- blue=- turn=red card=hidden"
SCOUTED = (
    "kb1 board=tavern,paddock,oasis,farm cards=scouts scouted=grass red=- blue=- turn=red "
    "card=hidden"
)
SETS = [name for name in load().sets if name != "base"]
GAME = """\
Board: tavern,paddock,oasis,farm
Cards: fishermen,knights,merchants
Seats: red,blue
Players: <script>alert(1)</script>, Ben

1 red flower: n16 o15 o17
2 blue canyon: c6 b6 d7
3 red grass: farm:l16 l15 m15 m17
"""
# Plays on as a person would: a hex that is possible, the first or the last one, until the game is
# over or there are more turns than a number says.
PLAY_ON = """
const [isLast, most] = arguments;
const done = arguments[arguments.length - 1];
const hexes = new Map([...document.querySelectorAll('.layer-ground [data-cell]')].map(
  (use) => [`${Math.round(use.getAttribute('x'))} ${Math.round(use.getAttribute('y'))}`, use]));
const click = (element) => {
  const box = element.getBoundingClientRect();
  const at = {bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2};
  for (const kind of ['pointerdown', 'pointerup']) {
    element.dispatchEvent(new PointerEvent(kind, {...at, pointerId: 1, button: 0}));
  }
};
const layer = (name) => document.querySelector(`.layer-${name}`);
let before = '';
const timer = setInterval(step, 10);
function end(text) {
  clearInterval(timer);
  done(text);
}
function step() {
  const text = document.getElementById('sentence').textContent;
  if (text.startsWith('The game is over')) return end(text);
  if (document.querySelectorAll('#moves [data-node]').length > most) return end(text);
  // What was clicked has to show before the next click.
  const now = text + layer('pieces').innerHTML + layer('legal').innerHTML;
  if (now === before) return;
  const button = document.querySelector('[data-action=end], [data-action=stop]');
  const legal = isLast ? layer('legal').lastElementChild : layer('legal').firstElementChild;
  // Such as which half of a card of two terrains counts.
  const other = document.querySelector('[data-action]:not([data-action=undo], [data-action=hint])');
  if (!button && !legal && !other) return;
  before = now;
  if (button) return button.click();
  if (!legal) return other.click();
  const [x, y] = legal.getAttribute('transform').match(/[\\d.]+/g).map((n) => Math.round(n));
  click(hexes.get(`${x} ${y}`));
}
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="the browser test did not run: no chromium and chromedriver on the PATH",
    ),
]


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("games")
    command = [sys.executable, "-m", "kbai", "serve", "--port", "0", "--no-browser",
               "--games", str(folder), "--threads", "1", "--memory", "200"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        try:
            yield server.stdout.readline().decode().strip()
        finally:
            server.terminate()
            assert b"Traceback" not in server.communicate(timeout=60)[1]


class Browser:
    """A page in Chromium, and what a person does with it."""

    def __init__(self, address: str) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        self.address = address
        options = Options()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-background-networking", "--disable-sync",
                         "--disable-component-update"):  # fmt: skip
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.set_script_timeout(2 * PATIENCE_S)

    def resize(self, size: tuple[int, int]) -> None:
        metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def all(self, selector: str):
        return self.driver.find_elements("css selector", selector)

    def wait(self, what, why: str):
        """Return what a function returns once it is true."""
        from selenium.common.exceptions import StaleElementReferenceException

        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            try:
                found = what()
            except StaleElementReferenceException:
                found = None
            if found:
                return found
            time.sleep(0.03)
        raise AssertionError(f"waited in vain for {why}: {self.text('#sentence')!r}")

    def one(self, selector: str):
        return self.wait(
            lambda: next((e for e in self.all(selector) if e.is_displayed()), None), selector
        )

    def click(self, selector: str) -> None:
        def click_once() -> bool:
            element = self.one(selector)
            script = "arguments[0].scrollIntoView({block: 'nearest'})"
            self.driver.execute_script(script, element)
            element.click()
            return True

        # Something may be drawn anew between finding and clicking it; then it is found again.
        self.wait(click_once, selector)

    def tap(self, selector: str) -> None:
        """Touch something with a finger."""
        from selenium.webdriver.common.actions.action_builder import ActionBuilder
        from selenium.webdriver.common.actions.pointer_input import PointerInput

        element = self.one(selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        actions = ActionBuilder(self.driver, mouse=PointerInput("touch", "finger"))
        actions.pointer_action.move_to(element).pointer_down().pointer_up()
        actions.perform()

    def swipe(self, fingers: list[tuple[float, float]], dx: float, dy: float) -> None:
        """Put fingers on the page, move all of them, and lift them."""
        for kind, steps in (("touchStart", (0,)), ("touchMove", (0.5, 1))):
            for step in steps:
                points = [
                    {"x": x + step * dx, "y": y + step * dy, "id": id}
                    for id, (x, y) in enumerate(fingers)
                ]
                touch = {"type": kind, "touchPoints": points}
                self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", touch)
        end = {"type": "touchEnd", "touchPoints": []}
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", end)

    def hex(self, cell: str) -> None:
        self.click(f'#board [data-cell="{cell}"]')

    def place(self, cell: str) -> dict[str, float]:
        return self.one(f'#board [data-cell="{cell}"]').rect

    def drag(self, one: str, other: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        first, last = (self.one(f'#board [data-cell="{cell}"]') for cell in (one, other))
        ActionChains(self.driver).click_and_hold(first).move_to_element(last).release().perform()

    def line(self, id: str) -> str:
        """Return the position in a text box."""
        return str(
            self.driver.execute_script("return document.getElementById(arguments[0]).value", id)
        )

    def play_on(self, most: int = 1000, *, is_last: bool = False) -> str:
        """Play until the game is over or has more turns; return the sentence above the board."""
        return str(self.driver.execute_async_script(PLAY_ON, is_last, most))

    def count_turns(self) -> int:
        return len(self.all("#moves [data-node]"))

    def fits_in_the_window(self, selector: str) -> bool:
        """Tell whether something is to be seen without scrolling."""
        script = (
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return box.top >= 0 && box.bottom <= window.innerHeight;"
        )
        return bool(self.driver.execute_script(script, selector))

    def text(self, selector: str) -> str:
        script = "return document.querySelector(arguments[0])?.textContent || ''"
        return str(self.driver.execute_script(script, selector))

    def keys(self, *keys: str) -> None:
        """Press keys while nothing has the focus."""
        self.driver.execute_script("document.activeElement.blur()")
        self.press(*keys)

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def says(self, selector: str, pattern: str) -> str:
        return self.wait(
            lambda: re.search(pattern, self.text(selector)) and self.text(selector),
            f"{pattern!r} in {selector}, which says {self.text(selector)!r}",
        )

    def write(self, selector: str, text: str) -> None:
        """Put a text into a box, as pasting does."""
        self.one(selector)
        self.driver.execute_script(
            "const box = document.querySelector(arguments[0]); box.value = arguments[1];"
            "box.dispatchEvent(new Event('input', {bubbles: true}));",
            selector,
            text,
        )

    def check_clean(self) -> None:
        """Nothing complained, nothing left the machine, nothing is cut off at the side."""
        # Requests that are refused on purpose are also told in the console.
        noise = [e["message"] for e in self.driver.get_log("browser") if "status of 400" not in
                 e["message"] and "status of 404" not in e["message"]]  # fmt: skip
        assert noise == []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                assert url.startswith((self.address, "data:", "blob:", "about:")), url
        script = "return document.documentElement.scrollWidth <= window.innerWidth"
        assert self.driver.execute_script(script)


@pytest.fixture(scope="module")
def browser(address) -> Iterator[Browser]:
    browser = Browser(address)
    try:
        yield browser
    finally:
        browser.driver.quit()


def the_first_visit_refines_a_suggestion_and_compares_a_turn(browser):
    browser.resize(DESK)
    browser.driver.get(browser.address)
    browser.says("#welcome", "Set up your own board / play / open a game")
    browser.click("[data-mode=setup]")  # not with the pieces of the example
    browser.one("#setup-done")
    browser.wait(lambda: "cards=- red=- blue=- green=-" in browser.line("setup-line"), "no pieces")
    browser.click("[data-mode=analysis]")  # nothing was set up: the example is still there
    browser.driver.refresh()
    browser.says("#welcome", "This is an example")
    assert browser.one("#welcome")
    first = browser.says("#engine-status", "visits")
    browser.wait(lambda: browser.text("#engine-status") != first, "more visits")
    assert browser.all(".layer-marks use")
    top = browser.one("#board").rect
    assert top["y"] < 120 and top["y"] + top["height"] <= DESK[1]
    script = "return document.documentElement.scrollHeight <= window.innerHeight"
    assert browser.driver.execute_script(script)
    browser.keys("f")  # seen from the other side of the table
    assert browser.place("a1")["x"] > browser.place("t1")["x"]
    browser.keys("f")
    assert browser.place("a1")["x"] < browser.place("t1")["x"]
    legal = len(browser.all(".layer-legal path"))
    assert len(browser.all("#board [data-cell][aria-description=possible]")) == legal > 0
    browser.hex("m12")
    script = "document.querySelector('#board [data-cell=i6]').focus()"
    browser.driver.execute_script(script)
    browser.press(RIGHT, ENTER)  # by keyboard: j6
    browser.says("#sentence", "1 more house")
    browser.hex("a1")
    browser.says("#bubble", r"a1 is flower, the card is canyon \(R3\.2\)")
    browser.hex("k6")
    browser.click("[data-action=end]")
    browser.says("#cost", r"(costs [\d.]+ %|best turn found)")
    browser.check_clean()


def the_keyboard_goes_from_hex_to_hex(browser):
    browser.driver.execute_script("document.getElementById('zoom-in').focus()")
    browser.press(TAB)  # one stop for the whole board
    assert browser.driver.execute_script("return document.activeElement.dataset.cell")
    for _ in range(3):
        browser.click("#zoom-in")
    browser.driver.execute_script("document.querySelector('#board [data-cell=t20]').focus()")
    browser.press(LEFT)  # an enlarged board moves along
    script = (
        "const hex = document.activeElement.getBoundingClientRect();"
        "const board = document.getElementById('board').getBoundingClientRect();"
        "return document.activeElement.dataset.cell === 's20' && hex.left >= board.left"
        " && hex.right <= board.right && hex.top >= board.top && hex.bottom <= board.bottom;"
    )
    browser.wait(lambda: browser.driver.execute_script(script), "s20 in view")
    browser.click("#zoom-fit")
    browser.check_clean()


def a_board_is_set_up_by_clicking_and_analysed(browser):
    browser.keys("e")
    browser.click("[data-key=slot-1]")
    browser.click("[data-quadrant=harbor]")
    browser.wait(lambda: "harbor" in browser.line("setup-line"), "the harbor")
    browser.click("[data-key=turn-1]")
    browser.wait(lambda: "harbor*" in browser.line("setup-line"), "the harbor turned round")
    browser.click("[data-part=cards] summary")
    for name in ("fishermen", "miners"):  # one less, one more
        browser.click(f"[data-part=cards] [data-key=card-{name}]")
    browser.says("[data-part=cards] summary", "^(?!.*fishermen).*miners")
    browser.click("[data-part=seats] summary")
    browser.click("[data-key=add-seat]")
    browser.wait(lambda: "yellow=- " in browser.line("setup-line"), "a fourth player")
    browser.click("[data-part=seats] [data-key=remove-yellow]")
    browser.wait(lambda: "yellow=" not in browser.line("setup-line"), "three players again")
    browser.keys("c")
    browser.wait(lambda: "red=- " in browser.line("setup-line"), "an empty board")
    assert "card=hidden" in browser.line("setup-line")  # that of the example is of no use
    assert browser.fits_in_the_window("#board") and browser.fits_in_the_window("#setup-done")
    browser.keys("2")
    for cell in ("n16", "o15"):
        browser.hex(cell)
    browser.hex("l12")
    browser.says("#bubble", r"'l12', a castle space")
    browser.drag("k17", "m17")  # along a row: between two hexes of a column it may miss one
    browser.wait(lambda: "k17,l17,m17" in browser.line("setup-line"), "the houses of the drag")
    assert browser.text('[data-count="blue"]') == "5"
    for cell in ("k17", "l17", "m17"):
        browser.hex(cell)
    browser.click("[data-key=card-desert]")
    browser.click("[data-key=turn-blue]")
    browser.says("[data-part=tiles] summary", "Tiles taken: blue farm")
    wanted = "blue=o15,n16/tiles=farm@m16 green=- turn=blue card=desert"
    browser.wait(lambda: wanted in browser.line("setup-line"), wanted)
    browser.write("#setup-line", GARBLED)
    browser.says("#setup-line-problem", "unknown quadrant 'frm'; did you mean 'farm'")
    browser.click("#setup-done")
    browser.says(
        "#sentence", "^Blue to move with desert: build 3 houses on desert, or first use the farm"
    )
    browser.says("#engine-status", "visits")
    browser.check_clean()


def a_board_without_cards_is_told(browser):
    browser.click("[data-mode=setup]")
    while pressed := browser.all("[data-part=cards] [aria-pressed=true]"):
        left = len(pressed) - 1
        browser.click("[data-part=cards] [aria-pressed=true]")
        browser.wait(
            lambda n=left: len(browser.all("[data-part=cards] [aria-pressed=true]")) == n,
            "one card less",
        )
    browser.click("#setup-done")
    browser.says("#message", "^No scoring cards are chosen")
    browser.check_clean()


def cards_that_scouts_took_out_are_not_offered(browser):
    browser.keys("e")
    # The line is written anew when the set-up opens.
    browser.wait(lambda: browser.all("[data-key=card-grass]"), "the set-up")
    browser.write("#setup-line", SCOUTED)
    browser.wait(lambda: browser.all("[data-key=card-desert]"), "the cards that are left")
    browser.wait(lambda: not browser.all("[data-key=card-grass]"), "no grass")
    browser.click("#setup-done")


def garbage_is_refused_with_a_sentence(browser):
    browser.click("[data-mode=open]")
    browser.write("#open-text", "what is this?")
    browser.click("#open-button")
    browser.says("#open-problem", "expected|unknown")
    browser.check_clean()


def a_game_is_opened_stepped_varied_reviewed_and_found_again(browser):
    browser.click("[data-mode=open]")
    browser.write("#open-text", GAME)
    browser.click("#open-button")
    browser.says("#moves", "farm:l16 l15 m15 m17")
    browser.keys("k", "k")
    browser.says("#sentence", "^Blue to move with canyon")
    browser.keys("l")  # a quiet engine leaves the machine to the review
    for cell in ("k1", "l1", "m1"):
        browser.hex(cell)
    browser.says("#moves ol ol", "k1 l1 m1")
    browser.driver.refresh()
    browser.says("#moves ol ol", "k1 l1 m1")
    browser.click("#review-button")
    browser.click("[data-depth=quick]")
    browser.wait(lambda: browser.all(".curve-box svg"), "the curve")
    assert browser.one(".curve-box").rect["y"] < 200  # what one waited for is not below the fold
    assert not browser.all("script:not([src])")
    browser.check_clean()


def a_whole_game_against_greedy(browser):
    browser.click("[data-mode=play]")
    browser.click("[data-board=first]")
    browser.driver.execute_script(
        "const box = document.querySelector('select[data-seat=blue]'); box.value = 'greedy';"
        "box.dispatchEvent(new Event('change', {bubbles: true}));"
    )
    browser.click("#play-start")
    browser.says("#sentence", "^(Red|Blue) to move")
    browser.says("#seats", r"red ?\(you\).*blue ?\(greedy\)")
    browser.says("[data-mode=analysis]", "Game")
    browser.click("[data-action=hint]")
    browser.says("#suggestions", r"\d")
    browser.press(" ")  # plays the hint, although the button was clicked last
    browser.says("#moves", r"\d")
    browser.wait(
        lambda: browser.count_turns() > 1 and browser.all("[data-action=hint]"), "the bot's turn"
    )
    browser.keys("k")
    browser.says("#sentence", "^Blue to move")
    browser.wait(lambda: browser.all(".layer-legal *"), "hexes to try for the bot")
    browser.keys(END)  # back to where the game goes on
    assert browser.play_on().startswith("The game is over")
    browser.check_clean()


def all_sets_are_set_up_by_clicking_and_analysed(browser):
    browser.keys("e")
    for name in SETS:
        browser.click(f"[data-key=set-{name}][aria-pressed=false]")
    browser.says("[data-key=lay-out]", "^Draw island, caves")
    browser.click("[data-key=random]")
    browser.wait(lambda: "island=" in browser.line("setup-line"), "a board with an island")
    browser.wait(lambda: not browser.all("[data-key=lay-out]"), "nothing left to draw")
    assert browser.fits_in_the_window("#board") and browser.fits_in_the_window("#setup-done")
    browser.keys("1")
    island = ", ".join(f'[data-cell^="~"][aria-label$="{name}"]' for name in ("grass", "desert"))
    cell = browser.one(island).get_attribute("data-cell")
    browser.hex(cell)
    browser.wait(lambda: f"red={cell}" in browser.line("setup-line"), "a house on the island")
    browser.keys("c")
    browser.wait(lambda: "red=- " in browser.line("setup-line"), "an empty board")
    browser.click("[data-key=card-grass], [data-key=card-desert]")  # Scouts may take one out
    browser.click("#setup-done")
    browser.says("#sentence", r" to move with (\w+): build 3 houses on \1")
    first = browser.says("#engine-status", "visits")
    browser.wait(lambda: browser.text("#engine-status") != first, "more visits")
    browser.play_on(0)
    browser.says("#cost", r"(costs [\d.]+ %|best turn found)")
    assert browser.fits_in_the_window("#board") and browser.fits_in_the_window("#actions")
    browser.check_clean()


def all_sets_and_five_players_fit_a_phone(browser):
    browser.resize(PHONE)
    browser.click("[data-mode=open]")
    assert browser.fits_in_the_window("#open-button")  # not below the board
    browser.click("[data-mode=play]")
    assert browser.fits_in_the_window("#play-start")
    for _ in range(3):
        browser.click("#panel-play .card:first-child > button")
    browser.click("[data-board=random]")
    for name in SETS:
        browser.click(f"[data-set={name}][aria-pressed=false]")
    browser.click("#play-start")
    browser.says("#seats", "white")
    script = (
        "const box = document.querySelector('#seats .wide');"
        "return box.scrollWidth <= box.clientWidth"
    )
    assert browser.driver.execute_script(script)  # the gold of all five, without scrolling
    assert browser.one("#board").rect["y"] < 200  # not below the fold
    browser.one("[data-action=hint]")  # a turn of one's own
    browser.keys("l")
    browser.wait(lambda: browser.all("#suggestions li"), "a suggestion")
    before = browser.count_turns()
    browser.tap("#suggestion-head .text")  # a finger cannot hover
    browser.says(".tip", "searched longest")
    browser.tap("#suggestions li:first-child button")
    browser.wait(lambda: browser.all("#suggestions .is-shown"), "the turn that was tapped")
    assert browser.count_turns() == before

    def play_best() -> bool:
        # Again and again: a key does nothing while a bot is on turn or nothing is known yet.
        browser.keys(" ")
        return browser.count_turns() > before

    browser.wait(play_best, "a turn")
    browser.check_clean()


def two_fingers_move_a_board_that_is_set_up(browser):
    browser.click("[data-mode=setup]")
    browser.one("#setup-done")
    before = browser.line("setup-line")
    browser.click("#zoom-in")
    script = (
        "return document.getElementById('board').getAttribute('viewBox').split(' ').map(Number)"
    )
    x, y, width, height = browser.driver.execute_script(script)
    assert x > 0 and y > 0
    browser.swipe([(120, 300), (220, 300)], 60, 40)  # the board follows the fingers
    browser.wait(lambda: browser.driver.execute_script(script)[0] < x - 20, "a board that moved")
    after = browser.driver.execute_script(script)
    assert after[1] < y - 10 and abs(after[2] - width) < 1 and abs(after[3] - height) < 1
    assert browser.line("setup-line") == before  # nothing was painted
    browser.click("#zoom-fit")
    browser.check_clean()


def test_a_person_uses_the_page(browser):
    """One test, because each step goes on with what the one before has left on the page."""
    the_first_visit_refines_a_suggestion_and_compares_a_turn(browser)
    the_keyboard_goes_from_hex_to_hex(browser)
    a_board_is_set_up_by_clicking_and_analysed(browser)
    a_board_without_cards_is_told(browser)
    cards_that_scouts_took_out_are_not_offered(browser)
    garbage_is_refused_with_a_sentence(browser)
    a_game_is_opened_stepped_varied_reviewed_and_found_again(browser)
    a_whole_game_against_greedy(browser)
    all_sets_are_set_up_by_clicking_and_analysed(browser)
    all_sets_and_five_players_fit_a_phone(browser)
    two_fingers_move_a_board_that_is_set_up(browser)
