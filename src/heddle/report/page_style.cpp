// The style of the page: see page.hpp.
#include <fmt/format.h>

#include "heddle/report/page.hpp"
#include "heddle/report/palette.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kStyle = R"css(
*{box-sizing:border-box}
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--muted:#57606a;--line:#d8dde3;--soft:#f5f7f9;--link:#0060a8}
@media (prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e9ed;--muted:#9aa4af;--line:#30363d;--soft:#1c2127;--link:#6db6f2}}
html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 Inter,"Helvetica Neue",Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif;
display:grid;grid-template-columns:15rem minmax(0,56rem);grid-template-areas:"h h" "n m";column-gap:2.5rem;justify-content:center;padding:0 1.25rem}
header{grid-area:h;border-bottom:1px solid var(--line);margin-bottom:1.5rem}
h1{font-size:1.9rem;line-height:1.2;margin:1.6rem 0 1rem;letter-spacing:-.01em}
h2{font-size:1.35rem;margin:2.6rem 0 .8rem;line-height:1.25}
section:first-child h2{margin-top:0}
nav{grid-area:n}
nav ol{position:sticky;top:1rem;list-style:none;margin:0;padding:0;font-size:.9rem}
nav li{margin:0}
nav a{display:block;padding:.3rem .6rem;color:var(--muted);text-decoration:none;border-left:2px solid var(--line)}
nav a:hover,nav a:focus-visible{color:var(--ink);border-left-color:var(--link)}
main{grid-area:m;min-width:0;padding-bottom:4rem}
a{color:var(--link)}
p{margin:.7rem 0;max-width:46rem}
.lead{font-size:1.15rem;line-height:1.5}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.4rem .8rem;z-index:9}
.hidden{position:absolute}
figure{margin:1.4rem 0;border:1px solid var(--line);border-radius:8px;overflow:hidden}
figure svg{display:block;width:100%;height:auto}
figcaption{font-size:.88rem;color:var(--muted);padding:.5rem .9rem;border-top:1px solid var(--line);background:var(--soft)}
.scroll{overflow:auto;max-height:34rem;margin:1.2rem 0;border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.84rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding:.6rem .8rem;color:var(--muted);background:var(--soft);border-bottom:1px solid var(--line)}
th{position:sticky;top:0;background:var(--paper);text-align:left;font-weight:600;box-shadow:inset 0 -1px var(--line)}
th,td{padding:.35rem .7rem;vertical-align:top}
.n{text-align:right;white-space:nowrap}
td.n,td.tag,td.s{white-space:nowrap}
td:not([class]){min-width:14rem}
tbody tr+tr td{border-top:1px solid var(--line)}
tbody tr:hover td{background:var(--soft)}
.tag{font-weight:600}
.tag.refuted,.tag.critical{color:var(--bad)}
.tag.holds{color:var(--good)}
.tag.undecided,.tag.important{color:var(--mid)}
:root{--bad:#b84a00;--good:#00785a;--mid:#7a6200}
@media (prefers-color-scheme:dark){:root{--bad:#ff9a57;--good:#4cc9a0;--mid:#d9b83a}}
pre{overflow:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;font-size:.84rem}
data{position:relative}
data[data-from]:hover{background:color-mix(in srgb,var(--link) 14%,transparent);cursor:help}
#source{position:fixed;z-index:5;max-width:min(34rem,90vw);background:var(--ink);color:var(--paper);font:12px/1.4 ui-monospace,Menlo,Consolas,monospace;
padding:.35rem .6rem;border-radius:5px;pointer-events:none;overflow-wrap:anywhere}
.dark-note{display:none;color:var(--muted);font-size:.88rem}
@media (prefers-color-scheme:dark){.dark-note{display:block}}
.browser{border:1px solid var(--line);border-radius:8px;padding:.9rem;margin:1.2rem 0}
.browser:empty{display:none}
.bar{display:flex;flex-wrap:wrap;gap:.5rem .8rem;align-items:center;margin-bottom:.8rem}
.bar select,.bar button{font:inherit;font-size:.88rem;color:var(--ink);background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.25rem .6rem}
.bar button[aria-pressed=true]{background:var(--link);color:var(--paper);border-color:var(--link)}
.maps{display:flex;flex-wrap:wrap;gap:1rem 1.4rem}
.maps figure{margin:0;border:0;overflow:visible;border-radius:0}
.maps h3{font-size:.9rem;margin:0}
.maps .note{font-size:.8rem;color:var(--muted);margin:0 0 .3rem}
.maps svg{width:auto;height:auto;max-width:100%}
.maps svg:focus{outline:2px solid var(--link);outline-offset:2px}
.says{min-height:1.6em;font-size:.92rem;margin:.6rem 0 0}
@media (max-width:60rem){body{grid-template-columns:minmax(0,1fr);grid-template-areas:"h" "n" "m"}
nav ol{position:static;display:flex;flex-wrap:wrap;gap:.2rem}nav a{border-left:0;background:var(--soft);border-radius:6px}h1{font-size:1.5rem}nav{margin-bottom:1.5rem}
main>section>figure{overflow-x:auto}main>section>figure>svg{min-width:36rem}}
@media print{body{display:block;font-size:10.5pt;--paper:#fff;--ink:#000}nav,.browser,.skip,.dark-note{display:none}.scroll{max-height:none;overflow:visible;border:0}
figure,tr{break-inside:avoid}h2{break-after:avoid}th{position:static}}
)css";

}  // namespace

std::string page_style() {
  std::string style(kStyle);
  style += "@media screen and (prefers-color-scheme:dark){\n";
  for (int i = 0; i <= static_cast<int>(Ink::s5); ++i) {
    const auto ink = static_cast<Ink>(i);
    if (ink == Ink::masked) continue;
    style +=
        fmt::format(".f-{0}{{fill:{1}}}.l-{0}{{stroke:{1}}}\n", class_name(ink), dark_colour(ink));
  }
  return style + "}\n";
}

}  // namespace heddle::report
