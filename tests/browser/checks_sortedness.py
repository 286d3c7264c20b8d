"""The page of the sortedness study: extrapolation curves with switches."""
from checklist import check, expect, expect_equal

LENGTHS = "#lengths-widget"
SAYS = LENGTHS + " .says"


def lines(page):
    return sorted(page.texts(f"{LENGTHS} .chart .name")[2:])


def recipes(page, pooling, but=(), reports=False):
    return sorted(one["recipe"] for one in page.results["populations"]
                  if pooling in (one["pooling"], "all") and one["position"] not in but
                  and (reports or one["group"] != "reports"))


def poolings(page):
    return list(dict.fromkeys(one["pooling"] for one in page.results["populations"]))


def choose(page, pooling):
    page.browser.click(f"{LENGTHS} .choices button", (poolings(page) + ["all"]).index(pooling))


@check("sortedness", ("this.choose({ pooling: i })", "{}"),
       ('population.group !== "reports"', "true"))
def the_pooling_is_switched(page):
    page.open()
    expect_equal(lines(page), recipes(page, "mean"), "lines at first")
    for pooling in [*poolings(page), "all"]:
        choose(page, pooling)
        expect_equal(lines(page), recipes(page, pooling), f"lines with {pooling} pooling")


@check("sortedness", ("!this.hidden.has(population.position)", "true"), ("with_reports: input.checked", "with_reports: false"))
def encodings_are_switched(page):
    browser = page.open()
    choose(page, "all")
    names = list(dict.fromkeys(one["position"] for one in page.results["populations"]))
    expect_equal(page.texts(f"{LENGTHS} .tick-box")[:len(names)], names, "encodings")
    for i, name in enumerate(names):
        browser.click(f"{LENGTHS} .tick-box input", i)
        expect_equal(lines(page), recipes(page, "all", but=(name,)), f"lines without {name}")
        browser.click(f"{LENGTHS} .tick-box input", i)
    browser.click(f"{LENGTHS} .tick-box input", len(names))
    expect_equal(lines(page), recipes(page, "all", reports=True), "lines with the reports' own models")


def view_name(estimate):
    depth = f" by {estimate['delta']}" if estimate["delta"] > 0 else ""
    return f"{estimate['kind']}{depth}, {estimate['values']} values"


def estimates(page, recipe, view):
    """The estimates of a line, by length."""
    population = next(one for one in page.results["populations"] if one["recipe"] == recipe)
    return sorted((one for one in population["estimates"] if one["measure"] == "accuracy"
                   and not one["given_learned"] and view_name(one) == view), key=lambda one: one["length"])


@check("sortedness", ("this.choose({ view: i })", "{}"), ("set.median[i]", "set.worst[i]"),
       ('plot.svg.addEventListener("keydown"', 'plot.svg.addEventListener("nothing"'))
def the_kind_is_switched_and_the_keyboard_reads_points(page):
    browser = page.open()
    choose(page, "max")
    recipe = recipes(page, "max")[0]
    views = page.texts(f"{LENGTHS} option")
    expect(len(views) > 4, f"only {views}")
    for view in range(len(views)):
        browser.run(f"""(() => {{
          const list = document.querySelector("{LENGTHS} select");
          list.value = {view};
          list.dispatchEvent(new Event("change", {{bubbles: true}}));
        }})()""")
        wanted = estimates(page, recipe, views[view])
        page.focus(f"{LENGTHS} .chart")
        for _ in lines(page):
            if wanted and not page.text(SAYS).startswith(recipe + " "):
                browser.key("ArrowDown")
        for i, estimate in enumerate(wanted):
            browser.key("ArrowLeft", 20) if i == 0 else browser.key("ArrowRight")
            said = page.text(SAYS)
            expect(said.startswith(f"{recipe} at length {estimate['length']:,}: median "), f"{views[view]}: {said}")
            median = float(page.texts(f"{SAYS} data")[1].split()[0])
            expect(abs(median - 100 * estimate["median"]) < .11, f"{views[view]}: {said}")
            page.expect_numbers(SAYS, 5)


@check("sortedness", ("if (!this.pinned) take_nearest", "take_nearest"),
       ("gap < least", "gap > least"))
def resting_on_a_point_reads_it_and_a_click_pins_it(page):
    browser = page.open()
    left, top, width, height = browser.box(f"{LENGTHS} .chart circle", 3)
    browser.move(left + width / 2, top + height / 2)
    said = page.text(SAYS)
    expect(" at length " in said, said)
    page.expect_numbers(SAYS, 5)
    ring = browser.run(f"""(() => {{
      const box = document.querySelector("{LENGTHS} .ring").getBoundingClientRect();
      return box.left + box.width / 2;
    }})()""")
    expect(abs(ring - left - width / 2) < 2, "the ring is elsewhere")
    browser.press(left + width / 2, top + height / 2)
    browser.move(left + 200, top + 60)
    expect_equal(page.text(SAYS), said + ", pinned", "the pin does not hold")
    browser.key("Escape")
    browser.move(left + 200, top + 60)
    expect(", pinned" not in page.text(SAYS), "Escape does not let go")


MAPS = "#maps-widget"


def choose_map(page, index):
    page.browser.run(f"""(() => {{
      const list = document.querySelector("{MAPS} select");
      list.value = {index};
      list.dispatchEvent(new Event("change", {{bubbles: true}}));
    }})()""")


def picture(page):
    return page.browser.run(f"document.querySelector('{MAPS} svg.map image').getAttribute('href')")


@check("sortedness", ("this.choose_map(i)", "{}"),
       ("+ query * map.keys + key]", "+ key * map.keys + query + 1]"), ("reader.point(at.query, at.key, true)", "{}"),
       ("this.largest_is_darkest = largest_is_darkest;", ""))
def long_maps_are_read_cell_by_cell(page):
    browser = page.open()
    truth = next(one for one in page.results["explanations"] if one["id"] == "attention")["maps"]
    expect_equal(page.texts(f"{MAPS} option"), [one["label"] for one in truth], "maps")
    for index, one in enumerate(truth):
        choose_map(page, index)
        browser.box(f"{MAPS} svg.map")
        left, top, width, height = browser.run(f"""(() => {{
          const box = document.querySelector("{MAPS} svg.map image").getBoundingClientRect();
          return [box.left, box.top, box.width, box.height];
        }})()""")
        for query, key in ((0, 0), (one["rows"] - 1, 2), (5, one["columns"] // 2)):
            browser.press(left + width * (key + .5) / one["columns"], top + height * (query + .5) / one["rows"])
            says = page.text(f"{MAPS} .says")
            wanted = f"with weight {one['values'][query * one['columns'] + key]:.4f}, pinned"
            expect(f"(position {query}) reads" in says and says.endswith(wanted), f"'{says}', not '{wanted}'")
            page.expect_numbers(f"{MAPS} .says")
            page.focus(f"{MAPS} svg.map")
            browser.key("Escape")
    before = picture(page)
    browser.click(f"{MAPS} .choices button", 0)
    expect(picture(page) != before, "the darkest shade stays what it was")
