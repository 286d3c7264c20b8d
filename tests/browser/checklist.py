"""The list of checks, and the page as a check sees it."""
import json

from printed import fault_of

CHECKS = []


class Check:
    def __init__(self, run, page, breaks):
        self.run, self.page, self.breaks, self.name = run, page, breaks, run.__name__


def check(page, *breaks):
    """Enters a function into the list. `breaks` are changes of the page, (old, new), which it must notice."""
    def enter(run):
        CHECKS.append(Check(run, page, breaks))
        return run
    return enter


def expect(condition, words):
    if not condition:
        raise AssertionError(words)


def expect_equal(seen, wanted, words):
    expect(seen == wanted, f"{words}: {seen!r}, not {wanted!r}")


class Page:
    """A page in the browser beside the results it was made of."""

    def __init__(self, browser, folder, out):
        self.browser, self.folder, self.out = browser, folder, out
        results = folder / "results.json"  # an overview has none of its own
        self.results = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}

    def open(self, **how):
        self.browser.open(self.folder / "index.html", **how)
        expect_equal(self.browser.complaints, [], "complaints of the page")
        return self.browser

    def picture(self, name, whole=False):
        """Left for people to look at; a page that was broken on purpose is not worth one."""
        if self.out:
            self.browser.picture(self.out / name, whole=whole)

    def tell(self, words):
        """Something measured, for people to read."""
        if self.out:
            print(f"   {words}", flush=True)

    def texts(self, selector):
        every = f"[...document.querySelectorAll({json.dumps(selector)})]"
        return self.browser.run(f"{every}.map((node) => node.textContent)")

    def text(self, selector):
        found = self.texts(selector)
        expect(found, f"there is no {selector}")
        return found[0]

    def focus(self, selector, index=0):
        self.browser.box(selector, index)
        self.browser.run(f"document.querySelectorAll({json.dumps(selector)})[{index}].focus()")

    def expect_numbers(self, selector, least=1):
        """Every number inside is that of the results; none stands outside its mark."""
        numbers = self.browser.run(f"""[...document.querySelectorAll({json.dumps(selector)})].flatMap((root) =>
          [...root.querySelectorAll("data")].map((node) =>
            [node.dataset.how, node.dataset.from.split(" "), node.textContent]))""")
        expect(len(numbers) >= least, f"{selector} has {len(numbers)} numbers, not {least}")
        for how, paths, text in numbers:
            fault = fault_of(how, paths, text, self.results)
            expect(not fault, f"{selector}: {fault}")
        return len(numbers)
