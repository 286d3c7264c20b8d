// heddle report: draws the report of a run or a study from what its folder holds, or sets two
// studies side by side.
#include <optional>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/lens/kept.hpp"
#include "heddle/lens/why_not_asked.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/check/consistency.hpp"
#include "heddle/report/check/scan.hpp"
#include "heddle/report/document/compare.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/report/run/document.hpp"

namespace heddle::cli {
namespace {

Json estimate_json(const std::optional<Estimate>& estimate) {
  return estimate ? to_tree(*estimate) : Json();
}

void print_comparison(const std::vector<report::Compared>& compared, const Arguments& arguments,
                      Console& console) {
  Table table;
  table.add({"recipe", "list", "quantity", "first study", "second study", ""});
  Json rows = Json::array();
  for (const report::Compared& row : compared) {
    table.add({row.recipe, row.list, row.name, report::estimate_text(row.a),
               report::estimate_text(row.b), row.apart() ? "intervals apart" : ""});
    rows.push_back({{"recipe", row.recipe},
                    {"list", row.list},
                    {"name", row.name},
                    {"a", estimate_json(row.a)},
                    {"b", estimate_json(row.b)},
                    {"apart", row.apart()}});
  }
  if (arguments.json()) {
    console.result(json_line(
        {{"a", arguments.positional(0)}, {"b", arguments.positional(1)}, {"rows", rows}}));
  } else {
    console.result(table.text());
  }
}

bool is_run(const std::string& folder) {
  return file_exists(folder + "/config.json") && file_exists(folder + "/model.safetensors");
}

void print_written(const report::WrittenReport& written, const std::string& what,
                   const Arguments& arguments, Console& console) {
  const std::string& folder = arguments.positional(0);
  console.erase();
  if (!written.note.empty()) console.note("{}", written.note);
  if (arguments.json()) {
    console.result(
        json_line({{"study", folder}, {"files", written.files}, {"note", written.note}}));
  } else {
    console.result(
        fmt::format("{}/index.html: {}, {} files drawn\n", folder, what, written.files.size()));
  }
}

report::ReportProgress drawing_on(Console& console) {
  return [&console](std::size_t done, std::size_t total, const std::string& path) {
    stop_if_interrupted();
    if (console.due()) console.bar(static_cast<double>(done) / static_cast<double>(total), path);
  };
}

/// A single run: nothing is run again, and what is missing is named with the command that makes it.
void draw_run(const Arguments& arguments, Console& console) {
  const std::string& folder = arguments.positional(0);
  const RunRecord run = gather_run(folder);
  const report::WrittenReport written = report::write_report(run, folder, drawing_on(console));
  print_written(written, run.task, arguments, console);
  const std::string gone = why_not_asked(load_config(folder), 1);  // seen from here
  for (const MissingPart& part : run.missing) {
    if (!gone.empty()) {
      console.note("  without {}, {}", part.part, gone);
      continue;
    }
    std::string command = part.command;
    if (const std::size_t at = command.find("RUN"); at != std::string::npos)
      command.replace(at, 3, shell_quoted(folder)).insert(0, ": ");
    console.note("  without {}, {}{}", part.part, part.why, command);
  }
}

template <class Study>
void redraw(const Study& study, const Arguments& arguments, Console& console) {
  const std::string& folder = arguments.positional(0);
  const report::WrittenReport written = report::write_report(study, folder, drawing_on(console));
  print_written(written, fmt::format("{} members", study.members.size()), arguments, console);
}

/// Hands whatever study stands in the folder to `use`.
template <class Use>
void read_any(const std::string& folder, const Use& use) {
  if (report::is_sweep(folder)) {
    use(report::read_sweep(folder));
  } else if (report::is_sortedness(folder)) {
    use(report::read_sortedness(folder));
  } else {
    use(report::read_study(folder));
  }
}

/// What is wrong with the figures that the page leads to.
std::vector<std::string> figure_faults(const std::string& folder, const std::string& page,
                                       const Json& results) {
  std::vector<std::string> faults;
  for (const std::string& file : report::figures_of(page))
    for (const std::string& fault :
         report::check_figure(read_file(fmt::format("{}/{}", folder, file)), results))
      faults.push_back(fmt::format("{}: {}", file, fault));
  return faults;
}

/// Reads the drawn report again and holds every number in it against results.json.
int check_report(const Arguments& arguments, Console& console) {
  const std::string& folder = arguments.positional(0);
  if (is_run(folder)) {  // reading says what is wrong with it
    (void)report::read_run_results(folder);
  } else {
    read_any(folder, [](const auto&) {});
  }
  const std::string page = read_file(folder + "/index.html");
  const Json results = Json::parse(read_file(folder + "/results.json"));
  std::vector<std::string> faults = report::check_page(page, results);
  for (std::string& fault : figure_faults(folder, page, results))
    faults.push_back(std::move(fault));
  for (std::string& fault : report::check_markdown(read_file(folder + "/report.md"), page))
    faults.push_back(std::move(fault));
  for (const std::string& fault : faults) console.warn("{}", fault);
  if (arguments.json()) {
    console.result(json_line({{"study", folder}, {"faults", faults}}));
  } else if (faults.empty()) {
    console.result(fmt::format("{}: every number of the report is in results.json\n", folder));
  }
  check(faults.empty(), "{}: {} numbers of the report are not what results.json says",
        quote_path(folder), faults.size());
  return 0;
}

void compare_studies(const Arguments& arguments, Console& console) {
  const std::string &folder = arguments.positional(0), &other = arguments.positional(1);
  for (const std::string* one : {&folder, &other})
    check<UsageError>(!report::is_sweep(*one),
                      "{} is a sweep: accepted are two studies of addition or two of sortedness",
                      quote_path(*one));
  const bool sortedness = report::is_sortedness(folder);
  check<UsageError>(sortedness == report::is_sortedness(other),
                    "{} and {} are not the same study: accepted are two of addition or two of "
                    "sortedness",
                    quote_path(folder), quote_path(other));
  print_comparison(
      sortedness ? report::compare(report::read_sortedness(folder), report::read_sortedness(other))
                 : report::compare(report::read_study(folder), report::read_study(other)),
      arguments, console);
}

int run_report(const Arguments& arguments, Console& console) {
  check<UsageError>(!arguments.positional(0).empty(),
                    "STUDY is empty: give the folder that study or train wrote");
  if (arguments.has("--check")) return check_report(arguments, console);
  const std::string &folder = arguments.positional(0), &other = arguments.positional(1);
  if (is_run(folder)) {
    check<UsageError>(other.empty(), "{} is a run: accepted are two studies, or one run alone",
                      quote_path(folder));
    draw_run(arguments, console);
  } else if (!other.empty()) {
    compare_studies(arguments, console);
  } else {
    read_any(folder, [&](const auto& study) { redraw(study, arguments, console); });
  }
  return 0;
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .summary = "Draws the report of a run, a study or a sweep, or compares two studies.",
          .positionals = {{.name = "STUDY",
                           .help = "the folder that study, or train with lists, wrote, whose "
                                   "results.json is read; or a run, of which all that was kept is "
                                   "told"},
                          {.name = "STUDY2",
                           .help = "another one, to set beside it; nothing is written",
                           .optional = true}},
          .flags = {{.name = "--check",
                     .value = "",
                     .help = "draw nothing: hold every number of the drawn report against "
                             "results.json"}},
          .examples = {"report run", "report study/addition", "report study/sortedness --check",
                       "report study/addition other/addition"},
          .run = run_report};
}

}  // namespace heddle::cli
