// See write.hpp.
#include "heddle/report/document/write.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/results_file.hpp"
#include "heddle/record/sizes.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/addition/document.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/markdown.hpp"
#include "heddle/report/document/page.hpp"
#include "heddle/report/draw/picture.hpp"
#include "heddle/report/parts/attention.hpp"
#include "heddle/report/sortedness/document.hpp"
#include "heddle/report/sweep/document.hpp"

namespace heddle::report {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr std::uint64_t kLargest = std::uint64_t{4} << 30U;  // bytes of results.json

void add_drawn(std::vector<FileText>& files, std::string path, std::string svg) {
  const bool there = std::ranges::find(files, path, &FileText::path) != files.end();
  if (!svg.empty() && !there) files.push_back({.path = std::move(path), .text = std::move(svg)});
}

/// attention_patterns/: every example of the member to show, whole and module by module; averages
/// whole.
void add_attention(std::vector<FileText>& files, const Source& source, const MemberRecord& member) {
  int example = 0;
  for (const AttentionPicture& picture : member.pictures) {
    if (picture.modules.empty()) continue;
    if (picture.problems > 1) {
      add_drawn(files, "attention_patterns/average_" + file_part(picture.name) + "_model.svg",
                attention_model(member, picture, &source));
      continue;
    }
    const std::string start = fmt::format("attention_patterns/example_{}_", example++);
    add_drawn(files, start + "model.svg", attention_model(member, picture, &source));
    for (const AttentionGrid& grid : picture.modules)
      add_drawn(files, start + grid.module + ".svg",
                attention_module(member, picture, grid, &source));
  }
}

std::string full_path(const std::string& folder, const std::string& path) {
  return folder + "/" + path;
}

/// The document in both renderings, its figures, the tables.
template <class Study>
void add_rest(std::vector<FileText>& files, const Study& study, const Document& document) {
  for (FileText& file : tables(study)) files.push_back(std::move(file));
  for (FileText& file : exports(study)) files.push_back(std::move(file));
  files.push_back({.path = "report.md", .text = markdown(document)});
  files.push_back({.path = "index.html", .text = page(document)});
}

void add_figures(std::vector<FileText>& files, const Document& document) {
  for (const Section& section : document.sections)
    for (const Block& block : section.blocks)
      if (const auto* figure = std::get_if<Figure>(&block))
        add_drawn(files, figure->file, figure->svg);
}

/// Figures, tables and the document: a report that has nothing else.
template <class Sources, class Study>
std::vector<FileText> plain_files(const Study& study) {
  const Sources source(study);
  const Document document = document_of(source);
  std::vector<FileText> files;
  add_figures(files, document);
  add_rest(files, study, document);
  return files;
}

/// Whether this very figure stands there already with its picture, which takes long to make.
bool is_drawn(const std::string& path, const std::string& svg) {
  return path.ends_with(".svg") && file_exists(path) && file_exists(picture_path(path)) &&
         read_file(path) == svg;
}

/// Refuses paths that names in the results have led astray: a file's name is one, in the report's
/// folder or in one of its known folders.
void check_path(const std::string& path) {
  constexpr std::array<std::string_view, 4> kFolders{"figures", "tables", "attention_patterns",
                                                     "head_analysis"};
  constexpr std::size_t kLongest = 200;  // file systems end at 255
  const std::size_t slash = path.find('/');
  const bool inside = slash != std::string::npos;
  const std::string_view name = std::string_view(path).substr(inside ? slash + 1 : 0);
  const bool known =
      !inside || std::ranges::find(kFolders, path.substr(0, slash)) != kFolders.end();
  const bool plain = is_utf8(name) && printable(std::string(name)) == name &&
                     name.find_first_of("/\\\n\t") == std::string_view::npos;
  check<FileError>(known && plain && !name.starts_with('.') && !name.empty() &&
                       name.size() <= kLongest && name.find("..") == std::string_view::npos,
                   "the results hold a name that no file of a report can have: {}", quote(path));
}

WrittenReport write_files(const std::vector<FileText>& files, const std::string& folder,
                          const ReportProgress& progress) {
  WrittenReport written;
  std::vector<std::string> figures;
  for (const FileText& file : files)
    check_path(file.path);  // all of them before the first is there
  for (const FileText& file : files) {
    if (progress) progress(written.files.size(), files.size(), file.path);
    const std::string path = full_path(folder, file.path);
    make_folder(std::filesystem::path(path).parent_path().string());
    const bool same = is_drawn(path, file.text);
    write_file(path, file.text);
    written.files.push_back(file.path);
    if (file.path.ends_with(".svg") && !file.path.starts_with("attention_patterns/") && !same)
      figures.push_back(path);
  }
  if (progress) progress(files.size(), files.size(), "PNG pictures");
  written.note = draw_pictures(figures);
  return written;
}

/// results.json of a study by that name.
template <class Study>
Study read_results(const std::string& folder, const std::string& name) {
  const std::string path = full_path(folder, "results.json");
  check<FileError>(folder_exists(folder),
                   "{} is not a folder: give the folder that heddle study wrote",
                   quote_path(folder));
  check<FileError>(file_exists(path) || !file_exists(full_path(folder, "sweep.json")),
                   "{} is a sweep that is not finished: the line that began it goes on",
                   quote_path(folder));
  check<FileError>(file_exists(path),
                   "{} has no results.json: give the folder that heddle study wrote",
                   quote_path(folder));
  const Json tree = Json::try_parse(read_results_text(folder, kLargest));
  check<FileError>(!tree.is_discarded(), "{} is cut off or no JSON", quote_path(path));
  check<FileError>(tree.is_object() && tree.contains("schema") && tree.contains("members"),
                   "{} is not the results of {}", quote_path(path), name);
  check<FileError>(tree["schema"] == Json(kSchema), "{} has schema {}; this version reads {}",
                   quote_path(path), tree["schema"].dump(), kSchema);
  try {
    const auto study = from_tree<Study>(tree);
    check_sizes(study);
    return study;
  } catch (const Error& error) {
    throw FileError(
        fmt::format("{} is not the results of {}: {}", quote_path(path), name, error.what()));
  }
}

/// What results.json says that it is; empty where it cannot be read, or says nothing.
std::string study_of(const std::string& folder) {
  const std::string path = full_path(folder, "results.json");
  if (!file_exists(path)) return "";
  // Only the outermost values are kept: the rest may be large.
  const Json tree = Json::try_parse(read_file(path, kLargest), {.outermost_only = true});
  return tree.is_object() ? tree.value("study", "") : "";
}

}  // namespace

std::vector<FileText> report_files(const AdditionStudy& study) {
  const AdditionSource source(study);
  const Document document = document_of(source);
  std::vector<FileText> files;
  add_figures(files, document);
  if (const MemberRecord* member = member_to_show(study)) add_attention(files, source, *member);
  add_rest(files, study, document);
  return files;
}

std::vector<FileText> report_files(const SortednessStudy& study) {
  return plain_files<SortSource>(study);
}

std::vector<FileText> report_files(const SweepStudy& study) {
  return plain_files<SweepSource>(study);
}

WrittenReport write_report(const AdditionStudy& study, const std::string& folder,
                           const ReportProgress& progress) {
  return write_files(report_files(study), folder, progress);
}

WrittenReport write_report(const SortednessStudy& study, const std::string& folder,
                           const ReportProgress& progress) {
  return write_files(report_files(study), folder, progress);
}

WrittenReport write_report(const SweepStudy& study, const std::string& folder,
                           const ReportProgress& progress) {
  return write_files(report_files(study), folder, progress);
}

AdditionStudy read_study(const std::string& folder) {
  return read_results<AdditionStudy>(folder, "an addition study");
}

SortednessStudy read_sortedness(const std::string& folder) {
  return read_results<SortednessStudy>(folder, "a sortedness study");
}

SweepStudy read_sweep(const std::string& folder) {
  return read_results<SweepStudy>(folder, "a sweep");
}

bool is_sortedness(const std::string& folder) {
  return study_of(folder) == "sortedness";
}

bool is_sweep(const std::string& folder) {
  return study_of(folder) == "sweep";
}

WrittenReport write_document(const Document& document, std::vector<FileText> files,
                             const std::string& folder, const ReportProgress& progress) {
  add_figures(files, document);
  files.push_back({.path = "report.md", .text = markdown(document)});
  files.push_back({.path = "index.html", .text = page(document)});
  return write_files(files, folder, progress);
}

}  // namespace heddle::report
