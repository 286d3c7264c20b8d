"""What every page must do: open alone, be readable, lead where it says."""
import json

from checklist import check, expect, expect_equal

STUDIES = ("addition", "sortedness")
EVERY = STUDIES + ("sweep",)
# Text against what is painted behind it, by the rule of the Web Content Accessibility Guidelines.
CONTRASTS = """(() => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((c) => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = parts(getComputedStyle(node).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const faults = new Set();
  const walker = document.createTreeWalker(document.querySelector("body"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement, style = getComputedStyle(node);
    if (!walker.currentNode.textContent.trim() || !node.checkVisibility()) continue;
    if (node.closest("script,style,noscript,svg,option")) continue;
    const a = light(parts(style.color)), b = light(behind(node)), size = parseFloat(style.fontSize);
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    const large = size >= 24 || (size >= 18.6 && +style.fontWeight >= 700);
    if (contrast < (large ? 3 : 4.5)) faults.add(`${node.tagName}.${node.className} ${contrast.toFixed(2)}`);
  }
  return [...faults];
})()"""


def every(*breaks, studies=()):
    """Enters a check for all pages; `studies` are breaks that a page without widgets and long tables cannot show."""
    def enter(run):
        for page in EVERY:
            check(page, *breaks, *(studies if page in STUDIES else ()))(run)
        return run
    return enter


@every(("</main>", '<img alt="" src="https://heddle.invalid/a.png"></main>'),
       ("</main>", "<script>console.error('oh')</script></main>"),
       ("</main>", "<script>nowhere()</script></main>"))
def opens_from_a_file_with_the_network_off(page):
    browser = page.open()
    expect_equal(browser.run("navigator.onLine"), False, "the network is on")
    expect_equal(browser.run("location.protocol"), "file:", "address")
    outside = [address for address in browser.requests if not address.startswith(("file:", "data:"))]
    expect_equal(outside, [], "asked the network for")
    browser.run("new Promise((done) => setTimeout(done, 200))")
    expect_equal(browser.complaints, [], "complaints of the page")
    paint = browser.run("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    size = (page.folder / "index.html").stat().st_size
    page.tell(f"{page.folder.name}: first paint after {paint:.0f} ms, {size / 1e6:.2f} MB")
    expect(paint < 5000, f"first paint after {paint:.0f} ms")


@every(('document.addEventListener("pointerover"', 'document.addEventListener("nothing"'))
def says_where_a_number_comes_from(page):
    browser = page.open()
    left, top, width, height = browser.box(".lead data")
    browser.move(left + width / 2, top + height / 2)
    expect(page.text("#source").startswith(("results.json: ", "fixed: ")), "no source beside the pointer")
    browser.move(1, 1)
    expect_equal(page.texts("#source"), [], "the source stays")


NUMBERS = """((cases) => {
  const script = [...document.scripts].find((one) => one.type === "module").textContent;
  const part = script.split("\\n// ── ").find((text) => text.startsWith("numbers.js"));
  const twins = new Function("fill", "// " + part + "; return {fixed, percent, percent_of, points};")();
  return cases.filter(([how, values, text]) => twins[how](...values) !== text)
    .map(([how, values, text]) => `${how}(${values}) is ${twins[how](...values)}, not ${text}`);
})(%s)"""


@check("addition", ('digits.charAt(places) >= "5"', 'digits.charAt(places) > "5"'),
       ("if (units === whole && !is.all)", "if (false)"), ("if (units === 0n && !is.none)", "if (false)"),
       ("+ b) / (2n * b)", ") / (2n * b)"), ("value < 0 && units > 0n", "value < 0"))
def the_script_rounds_as_the_program_does(page):
    cases = json.loads((page.folder / "numbers.json").read_text(encoding="utf-8"))
    expect(len(cases) > 10000, f"only {len(cases)} cases")
    wrong = page.open().run(NUMBERS % json.dumps(cases))
    expect(not wrong, f"{len(wrong)} of {len(cases)}: {wrong[:3]}")


@every(('href="#methods"', 'href="#method"'), ("nav ol {\n  position: sticky", "nav ol {\n  position: static"))
def contents_stay_in_sight_and_lead_to_sections(page):
    browser = page.open()
    lost = browser.run("""[...document.querySelectorAll('a[href^="#"]')].filter((link) =>
      !document.getElementById(link.getAttribute("href").slice(1))).map((link) => link.outerHTML)""")
    expect_equal(lost, [], "links that lead nowhere")
    expect(len(page.texts("nav a")) >= 6, "too few sections")
    browser.run("scrollTo({top: document.body.scrollHeight / 2, behavior: 'instant'})")
    expect(browser.run("document.querySelector('nav ol').getBoundingClientRect().top") >= 0, "the contents scroll away")


@every(("--muted: #57606a", "--muted: #a0a8b0"), ("--ink: #e6e9ed", "--ink: #555555"))
def text_can_be_read_in_the_light_and_in_the_dark(page):
    for dark in (False, True):
        browser = page.open(dark=dark)
        expect_equal(browser.run(CONTRASTS), [], "contrast below AA, " + ("dark" if dark else "light"))
        paper = browser.run("getComputedStyle(document.body).backgroundColor")
        expect_equal(sum(json.loads(paper.replace("rgb(", "[").replace(")", "]"))) < 384, dark, "paper is dark")
        page.picture(f"{page.folder.name}_{'dark' if dark else 'light'}.png", whole=True)


# Every page there is; "" is the overview of two studies.
NARROW = {"addition": [(".widget svg {\n  display: block;", ".widget svg {\n  min-width: 60rem;")],
          "sortedness": [("flex;\n  max-width: 100%;", "flex;")], "sweep": [], "run": [], "long": [], "": []}


def every_narrow(run):
    for page, breaks in NARROW.items():
        tables = [("overflow: auto;\n  max-height: 34rem", "max-height: 34rem")] if page in EVERY else []
        check(page, ("</main>", '<p style="width: 60rem">wide</p></main>'), *tables, *breaks)(run)
    return run


@every_narrow
def fits_a_narrow_screen(page):
    browser = page.open(width=390, height=844)
    wide = browser.run("document.scrollingElement.scrollWidth")
    expect(wide <= 391, f"the page is {wide} wide on a screen of 390")
    page.picture(f"{page.folder.name}_narrow.png", whole=True)


@every(("  .dark-note {\n    display: none;", "  .dark-note {"),
       studies=(("    max-height: none;", ""), ("  td:not([class]) {\n    min-width: 0;", "  td:not([class]) {")))
def prints_without_what_moves(page):
    browser = page.open(dark=True, width=690)
    browser.media(dark=True, medium="print")
    seen = "[...document.querySelectorAll('nav,.widget')].filter((node) => node.checkVisibility())"
    moving = browser.run(seen + ".length")
    expect_equal(moving, 0, "on paper something moves")
    cut = browser.run("""[...document.querySelectorAll(".scroll,pre")].filter((box) =>
      box.clientHeight + 1 < box.scrollHeight || box.clientWidth + 1 < box.scrollWidth)
      .map((box) => box.textContent.slice(0, 40))""")
    expect_equal(cut, [], "cut off on paper")
    expect_equal(browser.run(CONTRASTS), [], "contrast below AA on paper")
    page.picture(f"{page.folder.name}_print.png", whole=True)


@every(('scope="col"', ''), ('lang="en"', ""), studies=(('make("select", box)', 'make("select", parent)'),))
def can_be_heard(page):
    browser = page.open()
    expect_equal(browser.run("document.documentElement.lang"), "en", "language")
    browser.call("Accessibility.enable")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    spoken = {"button", "combobox", "slider", "checkbox", "link", "image", "img", "region", "table"}
    silent = [node["role"]["value"] for node in nodes
              if not node.get("ignored") and node.get("role", {}).get("value") in spoken
              and not node.get("name", {}).get("value", "").strip()]
    expect_equal(silent, [], "parts without a name")
    levels = browser.run("[...document.querySelectorAll('h1,h2,h3')].map((node) => +node.tagName[1])")
    jumps = [pair for pair in zip(levels, levels[1:]) if pair[1] > pair[0] + 1]
    expect(levels[0] == 1 and not jumps, f"headings jump: {levels}")
    bare = browser.run("[...document.querySelectorAll('main th')].filter((head) => head.scope !== 'col').length")
    expect_equal(bare, 0, "headings of tables without a scope")
