#!/usr/bin/env python3
"""Writes a CSV file of dates as people write them and as machines do: 50,000 days, a line each.

Usage: docs/examples/dates.py dates.csv [DAYS]

    input,output
    2 jan 1901,1901-01-02
    4. 1. 1901,1901-01-04
    "january 5, 1901",1901-01-05

The same file every time, on every machine: the form of a day follows from its number alone.
"""
import csv
import datetime
import sys

FIRST = datetime.date(1901, 1, 1)
DAYS = 50_000
MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september",
          "october", "november", "december"]


def scattered(number, choices):
    """A choice that looks as if it were drawn (Knuth's multiplicative hash)."""
    return (number * 2654435761 % 2**32 >> 16) % choices


def as_people_write(day, form):
    month = MONTHS[day.month - 1]
    return [f"{day.day} {month} {day.year}",
            f"{month} {day.day}, {day.year}",
            f"{month[:3]} {day.day} {day.year}",
            f"{day.day} {month[:3]} {day.year}",
            f"{day.day}. {day.month}. {day.year}"][form]


def main(path, days=DAYS):
    with open(path, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["input", "output"])
        for number in range(int(days)):
            day = FIRST + datetime.timedelta(days=number)
            lines.writerow([as_people_write(day, scattered(number, 5)), day.isoformat()])


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
