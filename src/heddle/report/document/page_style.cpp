// The style of the page: see page.hpp.
#include <fmt/format.h>

#include "heddle/report/document/page.hpp"
#include "heddle/report/draw/palette.hpp"

namespace heddle::report {
namespace {

constexpr std::string_view kStyle = R"css(
*{box-sizing:border-box}
:root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--muted:#57606a;--line:#d8dde3;--soft:#f5f7f9;--link:#0060a8;--mark:#b84a00}
@media screen and (prefers-color-scheme:dark){:root{--paper:#15181c;--ink:#e6e9ed;--muted:#9aa4af;--line:#30363d;--soft:#1c2127;--link:#6db6f2;--mark:#e8843c}}
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
@media screen and (prefers-color-scheme:dark){:root{--bad:#ff9a57;--good:#4cc9a0;--mid:#d9b83a}}
pre{overflow:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.8rem 1rem;font-size:.84rem}
data{position:relative}
data[data-from]:hover{background:color-mix(in srgb,var(--link) 14%,transparent);cursor:help}
#source{position:fixed;z-index:5;max-width:min(34rem,90vw);background:var(--ink);color:var(--paper);font:12px/1.4 ui-monospace,Menlo,Consolas,monospace;
padding:.35rem .6rem;border-radius:5px;pointer-events:none;overflow-wrap:anywhere}
.dark-note{display:none;color:var(--muted);font-size:.88rem}
@media screen and (prefers-color-scheme:dark){.dark-note{display:block}}
.widget{border:1px solid var(--line);border-radius:8px;padding:.9rem 1rem;margin:1.2rem 0}
.bar{display:flex;flex-wrap:wrap;gap:.5rem 1.1rem;align-items:center;margin-bottom:.8rem}
.choices{display:flex;flex-wrap:wrap;gap:.25rem;align-items:center}
.choices-label{font-size:.84rem;color:var(--muted);margin-right:.3rem}
.widget select,.widget button{font:inherit;font-size:.86rem;color:var(--ink);background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.22rem .6rem;cursor:pointer}
.widget select{max-width:100%}
.widget button[aria-pressed=true],.path button[aria-current=step]{background:var(--link);color:var(--paper);border-color:var(--link)}
.widget :focus-visible,.widget svg:focus{outline:2px solid var(--link);outline-offset:2px}
.path{display:flex;flex-wrap:wrap;gap:.3rem;align-items:center}
.path button+button::before{content:"› ";color:var(--muted)}
.path button[aria-current=step]::before{color:inherit}
.model{display:grid;grid-template-columns:max-content repeat(var(--heads),minmax(3.5rem,1fr));gap:.5rem .6rem;align-items:center;overflow-x:auto;padding:2px}
.model .module{text-align:left}
.model .thumb{background:none;border:1px solid transparent;padding:.2rem;text-align:left;min-width:0}
.model .thumb:hover{border-color:var(--link)}
.thumb img{display:block;width:100%;max-width:calc(5.4rem*var(--shape));height:auto;image-rendering:pixelated;border:1px solid var(--masked);background:#fff}
.widget .note{font-size:.76rem;line-height:1.35;color:var(--muted);margin:.15rem 0 .3rem;display:block;overflow-wrap:anywhere}
.maps{display:flex;flex-wrap:wrap;gap:1rem 1.4rem}
.widget figure{margin:0;border:0;overflow:visible;border-radius:0}
.widget h3{font-size:.92rem;margin:0 0 .1rem}
.maps h3 button{padding:0;border:0;background:none;font-weight:600;color:var(--link)}
.widget svg{display:block;width:auto;height:auto;max-width:100%}
.map{cursor:crosshair;touch-action:manipulation}
.map .frame{stroke:var(--masked)}
.map .cross{fill:none;stroke:var(--mark);stroke-opacity:.45;pointer-events:none}
.map .mark{fill:none;stroke:var(--mark);stroke-width:2}
.map .pinned{stroke-width:3.5}
.one{display:flex;flex-wrap:wrap;gap:1rem 2rem}
.facts{flex:1 1 16rem;min-width:0;overflow-x:auto}
.facts table{margin-top:.6rem}
.facts p{margin:0}
.facts td:not([class]){min-width:0}
.tick,.name{font-size:11px;fill:var(--muted)}
.name{font-size:11.5px;fill:var(--ink)}
.chart .grid{stroke:var(--grid)}
.chart .axis{stroke:var(--muted)}
.chart .shade{fill:var(--muted);fill-opacity:.1}
.chart .line{stroke-width:2.2;stroke-linejoin:round}
.chart .faint{stroke-width:1.4;stroke-opacity:.55}
.chart .ring{fill:none;stroke:var(--mark);stroke-width:2.5}
.tick-box{display:inline-flex;gap:.3rem;align-items:center;font-size:.86rem;cursor:pointer}
.swatch{width:.8rem;height:.8rem;border-radius:3px;display:inline-block}
.slide{display:flex;gap:.8rem;align-items:center;font-size:.88rem}
.slide input{flex:1;max-width:40rem;accent-color:var(--link)}
.heads{display:grid;grid-template-columns:repeat(auto-fit,minmax(15.5rem,1fr));gap:.25rem 1rem;margin-top:.5rem}
.heads-row{display:flex;gap:.3rem;align-items:center}
.heads-row .note{width:6.5rem;margin:0}
.head{width:1.9rem;text-align:center;font-size:.74rem;line-height:1.5;border:1px solid var(--link);border-radius:4px;background:color-mix(in srgb,var(--link) 16%,transparent)}
.head.gone{border-color:var(--line);color:var(--muted);text-decoration:line-through;background:repeating-linear-gradient(45deg,transparent 0 4px,var(--line) 4px 5px)}
.head.last{border-color:var(--mark);box-shadow:0 0 0 1px var(--mark)}
.key{display:inline-flex;gap:.4rem;align-items:center;font-size:.8rem;color:var(--muted);margin-left:auto}
.key i{width:6rem;height:.7rem;border:1px solid var(--masked)}
.says{min-height:3.1em;font-size:.92rem;margin:.6rem 0 0}
@media (max-width:60rem){body{grid-template-columns:minmax(0,1fr);grid-template-areas:"h" "n" "m"}
nav ol{position:static;display:flex;flex-wrap:wrap;gap:.2rem}nav a{border-left:0;background:var(--soft);border-radius:6px}h1{font-size:1.5rem}nav{margin-bottom:1.5rem}
.model{grid-template-columns:repeat(var(--heads),minmax(2.5rem,1fr))}.model .module{grid-column:1/-1}.facts th,.facts td{padding:.3rem}
main>section>figure{overflow-x:auto}main>section>figure>svg{min-width:36rem}}
@media (max-width:24rem){.facts th,.facts td{padding:.3rem .15rem;font-size:.7rem;white-space:normal}}
@media print{:root{color-scheme:light}body{display:block;font-size:10.5pt;--ink:#000}nav,.widget,.skip,.dark-note{display:none}.scroll{max-height:none;overflow:visible;border:0}
figure,tr{break-inside:avoid}h2{break-after:avoid}th{position:static}
table{font-size:7.5pt}th,td,td.n,td.s,th.n{white-space:normal;padding:.2rem .3rem}td:not([class]){min-width:0}th,td{overflow-wrap:break-word}
.wide{font-size:5.5pt}.wide th,.wide td{padding:.15rem .2rem}.wide th,.wide .s{overflow-wrap:anywhere}
figcaption a{display:none}pre{white-space:pre-wrap}@page{margin:14mm}}
)css";

/// The figures' colours as the widgets know them: "--s0:#0060a8;…".
std::string ink_names(bool dark) {
  std::string names;
  for (int i = static_cast<int>(Ink::grid); i <= static_cast<int>(Ink::s5); ++i) {
    const auto ink = static_cast<Ink>(i);
    names +=
        fmt::format("--{}:{};", class_name(ink), dark ? dark_colour(ink) : report::colour(ink));
  }
  return fmt::format(":root{{{}}}\n", names);
}

}  // namespace

std::string page_style() {
  std::string style(kStyle);
  style += ink_names(false) + "@media screen and (prefers-color-scheme:dark){\n" + ink_names(true);
  for (int i = 0; i <= static_cast<int>(Ink::s5); ++i) {
    const auto ink = static_cast<Ink>(i);
    if (ink == Ink::masked) continue;
    style +=
        fmt::format(".f-{0}{{fill:{1}}}.l-{0}{{stroke:{1}}}\n", class_name(ink), dark_colour(ink));
  }
  return style + "}\n";
}

}  // namespace heddle::report
