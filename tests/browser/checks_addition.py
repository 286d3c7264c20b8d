"""The page of the addition study: the attention browser and the pruning slider."""
from checklist import check, expect, expect_equal
from printed import rounded, wanted

ATTENTION, PRUNING = "#attention-widget", "#pruning-widget"
SAYS = ATTENTION + " .says"


def shown(page):
    """The member that is shown, and its first captured example."""
    member = page.results["members"][0]
    return member, next(picture for picture in member["pictures"] if picture["problems"] == 1)


def label(module):
    """"decoder.1.cross" as readers know it."""
    stack, layer, kind = module.split(".")
    return f"{stack.capitalize()} L{layer}" + (f" {kind}" if stack == "decoder" else "")


def open_head(page, module, head):
    page.browser.click(f"{ATTENTION} .module", module)
    page.browser.click(f"{ATTENTION} .maps h3 button", head)


def cell_place(page, grid, query, key):
    """The middle of a cell of the map that is open, on the screen."""
    page.browser.box(f"{ATTENTION} svg.map")
    left, top, width, height = page.browser.run(f"""(() => {{
      const box = document.querySelector("{ATTENTION} svg.map image").getBoundingClientRect();
      return [box.left, box.top, box.width, box.height];
    }})()""")
    return left + width * (key + .5) / grid["keys"], top + height * (query + .5) / grid["queries"]


def sentence(picture, grid, head, query, key):
    """What must be said of a cell."""
    encoder, cross = grid["module"].startswith("encoder"), grid["module"].endswith("cross")
    rows = picture["source"] if encoder else picture["target"]
    columns = picture["source"] if encoder or cross else picture["target"]
    weight = grid["weights"][(head * grid["queries"] + query) * grid["keys"] + key]
    masked = not encoder and not cross and key > query
    return (f"query {rows[query]} (position {query}) reads key {columns[key]} (position {key}) with weight "
            + ("none: masked" if masked else f"{weight:.4f}"))


@check("addition", ('go("module", m, 0)', 'go("module", 0, 0)'),
       ('go("head", this.module, head)', 'go("head", this.module, 0)'),
       ('() => this.go(level, this.module, 0))', '() => {})'))
def model_leads_to_module_and_head(page):
    browser = page.open()
    _, picture = shown(page)
    heads = sum(grid["heads"] for grid in picture["modules"])
    expect_equal(len(page.texts(f"{ATTENTION} .thumb")), heads, "heads in the grid of the model")
    last = label(picture["modules"][-1]["module"])
    browser.click(f"{ATTENTION} .module", len(picture["modules"]) - 1)
    expect_equal(page.texts(f"{ATTENTION} .maps h3"), [f"{last} H{head}" for head in range(4)], "heads of the module")
    browser.click(f"{ATTENTION} .maps h3 button", 2)
    expect_equal(page.texts(f"{ATTENTION} h3"), [f"{last} H2"], "the head")
    browser.click(f"{ATTENTION} .path button", 1)
    expect_equal(len(page.texts(f"{ATTENTION} .maps h3")), 4, "back to the module")
    browser.click(f"{ATTENTION} .path button", 0)
    expect_equal(len(page.texts(f"{ATTENTION} .thumb")), heads, "back to the model")
    browser.click(f"{ATTENTION} .thumb", 9)
    third = label(picture["modules"][2]["module"])
    expect_equal(page.texts(f"{ATTENTION} h3"), [third + " H1"], "from the model to a head")


@check("addition", ("null : value / weight_unit;", "null : value / weight_unit + .01;"),
       ('make("b", null, {}, map.rows[query])', 'make("b", null, {}, map.columns[query])'),
       ('svg.addEventListener("pointermove"', 'svg.addEventListener("nothing"'))
def resting_on_a_cell_reads_query_key_and_weight(page):
    browser = page.open()
    _, picture = shown(page)
    for module, head in ((0, 1), (2, 3), (4, 0)):
        grid = picture["modules"][module]
        browser.click(f"{ATTENTION} .path button", 0)
        open_head(page, module, head)
        for query, key in ((0, 0), (grid["queries"] - 1, 1), (1, grid["keys"] - 1), (2, 2)):
            browser.move(*cell_place(page, grid, query, key))
            expect(page.text(SAYS).endswith(sentence(picture, grid, head, query, key)),
                   f"'{page.text(SAYS)}', not '{sentence(picture, grid, head, query, key)}'")
            if "masked" not in page.text(SAYS):
                page.expect_numbers(SAYS)


@check("addition", ("if (this.cell.pinned && !click) return;", ""), ("!(this.cell.pinned && same)", "true"))
def a_click_pins_and_another_lets_go(page):
    browser = page.open()
    _, picture = shown(page)
    grid = picture["modules"][0]
    open_head(page, 0, 0)
    browser.press(*cell_place(page, grid, 3, 4))
    pinned = page.text(SAYS)
    expect(pinned.endswith(sentence(picture, grid, 0, 3, 4) + ", pinned"), f"not pinned: {pinned}")
    browser.move(*cell_place(page, grid, 1, 1))
    expect_equal(page.text(SAYS), pinned, "the pin does not hold")
    browser.press(*cell_place(page, grid, 3, 4))
    browser.move(*cell_place(page, grid, 1, 1))
    expect(page.text(SAYS).endswith(sentence(picture, grid, 0, 1, 1)), "the pin does not let go")


@check("addition", ('svg.addEventListener("keydown"', 'svg.addEventListener("nothing"'),
       ("ArrowDown: [1, 0]", "ArrowDown: [0, 1]"), ("reader.let_go();\n  } else if (step)", "} else if (step)"),
       ('table.addEventListener("keydown"', 'table.addEventListener("nothing"'))
def the_keyboard_does_what_the_pointer_does(page):
    browser = page.open()
    _, picture = shown(page)
    page.focus(f"{ATTENTION} .thumb")
    browser.key("ArrowRight", 2)
    browser.key("ArrowDown")
    browser.key("Enter")
    expect_equal(page.texts(f"{ATTENTION} h3"), ["Encoder L1 H2"], "arrows and Enter lead to a head")
    grid = picture["modules"][1]
    expect_equal(browser.run("document.activeElement.classList.contains('map')"), True, "the map has the keyboard")
    browser.key("ArrowRight")
    browser.key("ArrowDown", 3)
    browser.key("ArrowRight", 2)
    expect(page.text(SAYS).endswith(sentence(picture, grid, 2, 3, 2)), page.text(SAYS))
    browser.key("Enter")
    expect(page.text(SAYS).endswith(", pinned"), "Enter pins")
    browser.key("Escape")
    expect(not page.text(SAYS).endswith(", pinned"), "Escape lets go")
    browser.key("ArrowLeft", 9)
    expect(page.text(SAYS).endswith(sentence(picture, grid, 2, 3, 0)), "the edge holds")


@check("addition", ("this.picture = index;", ""),
       ("const inputs = data.pictures.map", "const inputs = data.pictures.slice(1).map"))
def an_input_is_chosen_from_the_captured_ones(page):
    browser = page.open()
    pictures = page.results["members"][0]["pictures"]
    names = [("average: " if one["problems"] > 1 else "") + one["name"] +
             (" → " + one["output"] if one["output"] else "") for one in pictures]
    expect_equal(page.texts(f"{ATTENTION} option"), names, "inputs")
    open_head(page, 0, 0)
    page.focus(f"{ATTENTION} select")
    browser.key("ArrowDown")
    wanted = pictures[[one["problems"] for one in pictures].index(1) + 1]
    browser.move(*cell_place(page, wanted["modules"][0], 0, 2))
    expect(page.text(SAYS).endswith(sentence(wanted, wanted["modules"][0], 0, 0, 2)), page.text(SAYS))


@check("addition", (".facts td:not([class]) {\n  min-width: 0;", "x {"), ("grid-column: 1/-1;", ""))
def the_attention_browser_fits_a_narrow_screen(page):
    browser = page.open(width=320, height=640)

    def wide():
        return browser.run(f"""[...document.querySelectorAll("{ATTENTION}, {ATTENTION} .model, {ATTENTION} .facts")]
          .filter((box) => box.clientWidth + 1 < box.scrollWidth).map((box) => box.className)""")
    expect_equal(wide(), [], "too wide: the model")
    browser.click(f"{ATTENTION} .module", 1)
    expect_equal(wide(), [], "too wide: a module")
    browser.click(f"{ATTENTION} .maps h3 button", 0)
    expect_equal(wide(), [], "too wide: a head")


@check("addition", ("drop: drop[i] ?? null", "drop: low[i] ?? null"), ("score: score[i] ?? null", "score: 1 - score[i]"),
       ("of === name ? [{ at:", "i === 0 ? [{ at:"))
def effect_and_role_stand_beside_the_map(page):
    browser = page.open()
    member, picture = shown(page)
    expect_equal(page.expect_numbers(f"{ATTENTION} .thumb .note"), 24, "effects in the grid of the model")
    for role in member["specialisation"]["roles"][:3]:
        name = role["head"].split(".")
        module = [grid["module"] for grid in picture["modules"]].index(".".join(name[:3]))
        browser.click(f"{ATTENTION} .path button", 0)
        open_head(page, module, int(name[4]))
        words = page.text(f"{ATTENTION} .facts p")
        measure = "entropy" if role["role"] in ("sharp", "broad") else "excess"
        expect(f"{role['role']} ({measure}" in words, f"role: {words}")
        effects = [effect for effect in member["ablation"]["heads"] if effect["head"] == role["head"]]
        page.expect_numbers(f"{ATTENTION} .facts", 1 + 2 * len(effects))
        cells = f"{ATTENTION} .facts tbody td"
        expect_equal(page.texts(cells + ":last-child"), [effect["band"] for effect in effects], "bands")
        drops = [rounded(wanted("points", [effect["drop"]])[0], 1).replace("-", "−") for effect in effects]
        expect_equal(page.texts(cells + ":nth-child(2)"), drops, "drops")


def expect_cut(page, points, gone):
    point = points[gone]
    says = page.text(f"{PRUNING} .says")
    expect(says.startswith(f"{point['heads_left']} head"), f"heads left: {says}")
    expect(f"{point['scored']['correct']:,} of {point['scored']['total']:,} right" in says, f"right: {says}")
    page.expect_numbers(f"{PRUNING} .says", 4)
    names = page.browser.run(f"[...document.querySelectorAll('{PRUNING} .gone')].map((head) => head.dataset.head)")
    expect_equal(sorted(names), sorted(one["cut"] for one in points[1:gone + 1]), "heads that are gone")


@check("addition", ("this.cut_to(Number(this.slider.value))", "{}"),
       ("slice(1, this.gone + 1)", "slice(0, this.gone)"),
       ('correct: points["scored.correct"][i]', 'correct: points["scored.correct"][0]'))
def the_slider_cuts_heads(page):
    browser = page.open()
    points = page.results["members"][0]["pruning"]["curves"][0]["points"]
    page.focus(f"{PRUNING} input")
    expect_cut(page, points, 0)
    for gone in range(1, len(points)):
        browser.key("ArrowRight")
        expect_cut(page, points, gone)
    left, top, width, height = browser.box(f"{PRUNING} input")
    browser.press(left + width / 2, top + height / 2)
    expect_cut(page, points, (len(points) - 1) // 2)
    ring = browser.run(f"document.querySelector('{PRUNING} .ring').getAttribute('visibility')")
    expect_equal(ring, "visible", "the place on the curve")


@check("addition", ("this.order = index;", ""), ("this.member = index;", ""))
def order_and_member_of_the_pruning_are_chosen(page):
    browser = page.open()
    page.focus(f"{PRUNING} input")
    browser.key("ArrowRight", 9)
    for order in (1, 2):
        browser.click(f"{PRUNING} .choices button", order)
        expect_cut(page, page.results["members"][0]["pruning"]["curves"][order]["points"], 9)
    page.focus(f"{PRUNING} select")
    browser.key("ArrowDown")
    expect_cut(page, page.results["members"][1]["pruning"]["curves"][2]["points"], 9)


SLOW = "for (const end = performance.now() + 60; performance.now() < end;);"


@check("long", ("point(head, query, key, click) {", "point(head, query, key, click) {" + SLOW))
def a_map_of_256_tokens_is_smooth(page):
    browser = page.open()
    _, picture = shown(page)
    open_head(page, 0, 2)
    grid = picture["modules"][0]
    browser.run("""(() => {
      window.times = [];
      const map = document.querySelector("svg.map");
      map.addEventListener("pointermove", () => { window.began = performance.now(); }, true);
      map.addEventListener("pointermove", () => window.times.push(performance.now() - window.began));
      window.frames = [];
      let before = performance.now();
      const frame = (now) => { window.frames.push(now - before); before = now; requestAnimationFrame(frame); };
      requestAnimationFrame(frame);
    })()""")
    for step in range(100):
        browser.move(*cell_place_fast(page, grid, step))
    times = sorted(browser.run("window.times"))
    frames = sorted(browser.run("window.frames"))
    expect(len(times) >= 50, f"only {len(times)} moves arrived")
    page.tell(f"256 × 256 tokens: a move takes {times[len(times) // 2]:.2f} ms, at most {times[-1]:.2f}; "
              f"a frame {frames[len(frames) // 2]:.0f} ms, nine of ten below {frames[len(frames) * 9 // 10]:.0f}")
    expect(times[len(times) // 2] < 40, f"a move takes {times[len(times) // 2]:.0f} ms")
    browser.move(*cell_place(page, grid, 200, 130))
    expect(page.text(SAYS).endswith(sentence(picture, grid, 2, 200, 130)), page.text(SAYS))
    page.picture("long_map.png")


def cell_place_fast(page, grid, step):
    """A walk over the map without asking where it stands each time."""
    if step == 0 or not hasattr(page, "corner"):
        page.corner = cell_place(page, grid, 0, 0)
        page.end = cell_place(page, grid, grid["queries"] - 1, grid["keys"] - 1)
    across, down = (step * 37 % 100) / 100, step / 100
    return (page.corner[0] + across * (page.end[0] - page.corner[0]),
            page.corner[1] + down * (page.end[1] - page.corner[1]))
