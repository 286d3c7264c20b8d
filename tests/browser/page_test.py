#!/usr/bin/env python3
"""Opens the report's pages in a browser and does what a reader would.

Usage: tests/browser/page_test.py PAGES OUT [--pages sound|broken] [--only WORD]

PAGES is the folder that heddle_pages wrote; pictures of the pages go to OUT. With --pages broken every check
gets pages that were broken on purpose, and must notice. The last line is 'N passed, M failed'.
"""
import argparse
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
import checks_addition  # noqa: E402,F401  (they enter themselves into the list)
import checks_page  # noqa: E402,F401
import checks_sortedness  # noqa: E402,F401
from checklist import CHECKS, Page  # noqa: E402
from devtools import Browser, BrowserError, find_browser  # noqa: E402


def broken_copy(page_folder, breaks):
    """The page with the first of each pair replaced by the second."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-broken-"))
    for data in page_folder.glob("*.json"):
        shutil.copy(data, folder)
    text = (page_folder / "index.html").read_text(encoding="utf-8")
    for old, new in breaks:
        if old not in text:
            raise SystemExit(f"the page has no {old!r} to break")
        text = text.replace(old, new)
    (folder / "index.html").write_text(text, encoding="utf-8")
    return folder


def failure_of(check, browser, folder, out):
    """What a check says about a page; empty if it is content."""
    try:
        check.run(Page(browser, folder, out))
    except (AssertionError, BrowserError) as error:
        return str(error) or traceback.format_exc().strip().splitlines()[-3]
    return ""


def run_checks(browser, checks, pages, out):
    failed = 0
    for check in checks:
        began = time.monotonic()
        why = failure_of(check, browser, pages / check.page, out)
        if why:  # a browser on a busy machine may be late once; a page that is wrong stays so
            print(f"   {check.name} ({check.page}) is tried again: {why}", flush=True)
            why = failure_of(check, browser, pages / check.page, out)
        failed += bool(why)
        if why:
            print(f"FAILED {check.name} ({check.page}): {why}", flush=True)
        elif time.monotonic() - began > 5:
            print(f"   {check.name}: {time.monotonic() - began:.1f} s", flush=True)
    return len(checks) - failed, failed


def run_on_broken(browser, checks, pages):
    """Every check must notice every way of breaking its page that stands beside it."""
    passed = failed = 0
    for check in checks:
        if not check.breaks:
            failed += 1
            print(f"FAILED {check.name}: nothing says how it can fail", flush=True)
        for breaks in check.breaks:
            folder = broken_copy(pages / check.page, [breaks])
            why = failure_of(check, browser, folder, None)
            shutil.rmtree(folder)
            passed, failed = passed + bool(why), failed + (not why)
            if not why:
                print(f"FAILED {check.name}: content with a broken page ({breaks[1]!r})", flush=True)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--pages", dest="kind", choices=("sound", "broken"), default="sound")
    parser.add_argument("--only", default="", help="checks whose name has this word")
    arguments = parser.parse_args()
    program = find_browser()
    if not program:
        sys.exit("page_test: no Chromium here")
    checks = [check for check in CHECKS if arguments.only in check.name]
    arguments.out.mkdir(parents=True, exist_ok=True)
    browser = Browser(program)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the browser must not outlive us
    try:
        if arguments.kind == "broken":
            passed, failed = run_on_broken(browser, checks, arguments.pages)
        else:
            passed, failed = run_checks(browser, checks, arguments.pages, arguments.out)
    finally:
        browser.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not checks else 0


if __name__ == "__main__":
    sys.exit(main())
