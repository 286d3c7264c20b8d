// See write.hpp.
#include "heddle/report/write.hpp"

#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/document.hpp"
#include "heddle/report/figures.hpp"
#include "heddle/report/label.hpp"
#include "heddle/report/markdown.hpp"
#include "heddle/report/page.hpp"
#include "heddle/report/picture.hpp"

namespace heddle::report {
namespace {

constexpr std::int64_t kSchema = 1;

void add_drawn(std::vector<FileText>& files, std::string path, std::string svg) {
  const bool there = std::ranges::find(files, path, &FileText::path) != files.end();
  if (!svg.empty() && !there) files.push_back({.path = std::move(path), .text = std::move(svg)});
}

/// attention_patterns/: every example of the specimen, whole and module by module; averages whole.
void add_attention(std::vector<FileText>& files, const MemberRecord& member) {
  int example = 0;
  for (const AttentionPicture& picture : member.pictures) {
    if (picture.modules.empty()) continue;
    if (picture.problems > 1) {
      add_drawn(files, "attention_patterns/average_" + file_part(picture.name) + "_model.svg",
                attention_model(member, picture));
      continue;
    }
    const std::string start = fmt::format("attention_patterns/example_{}_", example++);
    add_drawn(files, start + "model.svg", attention_model(member, picture));
    for (const AttentionGrid& grid : picture.modules)
      add_drawn(files, start + grid.module + ".svg", attention_module(member, picture, grid));
  }
}

std::string full_path(const std::string& folder, const std::string& path) {
  return folder + "/" + path;
}

}  // namespace

std::vector<FileText> report_files(const AdditionStudy& study) {
  const Source source(study);
  const Document document = document_of(source);
  std::vector<FileText> files;
  for (const Section& section : document.sections)
    for (const Block& block : section.blocks)
      if (const auto* figure = std::get_if<Figure>(&block))
        add_drawn(files, figure->file, figure->svg);
  if (const MemberRecord* member = specimen_of(study)) add_attention(files, *member);
  for (auto* make : {&tables, &exports})
    for (FileText& file : make(study)) files.push_back(std::move(file));
  files.push_back({.path = "report.md", .text = markdown(document)});
  files.push_back({.path = "index.html", .text = page(document)});
  return files;
}

Written write_report(const AdditionStudy& study, const std::string& folder,
                     const ReportProgress& progress) {
  Written written;
  const std::vector<FileText> files = report_files(study);
  std::vector<std::string> figures;
  for (const FileText& file : files) {
    if (progress) progress(written.files.size(), files.size(), file.path);
    const std::string path = full_path(folder, file.path);
    make_folder(std::filesystem::path(path).parent_path().string());
    write_file(path, file.text);
    written.files.push_back(file.path);
    if (file.path.ends_with(".svg") && !file.path.starts_with("attention_patterns/"))
      figures.push_back(path);
  }
  if (progress) progress(files.size(), files.size(), "PNG pictures");
  written.note = draw_pictures(figures);
  return written;
}

AdditionStudy read_study(const std::string& folder) {
  const std::string path = full_path(folder, "results.json");
  check<FileError>(folder_exists(folder),
                   "{} is not a folder: give the folder that heddle study wrote",
                   quote_path(folder));
  check<FileError>(file_exists(path),
                   "{} has no results.json: give the folder that heddle study wrote",
                   quote_path(folder));
  const Json tree = Json::parse(read_file(path, std::uint64_t{4} << 30U), nullptr, false);
  check<FileError>(!tree.is_discarded(), "{} is cut off or no JSON", quote_path(path));
  check<FileError>(tree.is_object() && tree.contains("schema") && tree.contains("members"),
                   "{} is not the results of an addition study", quote_path(path));
  check<FileError>(tree["schema"] == kSchema, "{} has schema {}; this version reads {}",
                   quote_path(path), tree["schema"].dump(), kSchema);
  try {
    return from_tree<AdditionStudy>(tree);
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is not the results of an addition study: {}", quote_path(path),
                                error.what()));
  }
}

}  // namespace heddle::report
