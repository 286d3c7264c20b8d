// The page above several studies: see write.hpp.
#include "heddle/base/file.hpp"
#include "heddle/report/addition/document.hpp"
#include "heddle/report/document/glossary.hpp"
#include "heddle/report/document/page.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/report/sortedness/document.hpp"

namespace heddle::report {
namespace {

/// A study's answer, its picture, and a link to the rest.
Section opening(const std::string& name, const std::string& title, Section answer) {
  for (Block& block : answer.blocks)
    if (auto* figure = std::get_if<Figure>(&block)) figure->file = name + "/" + figure->file;
  Section section{.id = name, .title = title, .blocks = std::move(answer.blocks)};
  add(section,
      Piece{.text = "The whole report", .how = "", .from = {}, .target = name + "/index.html"});
  return section;
}

}  // namespace

void write_overview(const std::string& folder) {
  Document document{.title = "What attention learns, and what survives a change of seed",
                    .sections = {}};
  const std::string addition = folder + "/addition", sortedness = folder + "/sortedness";
  if (file_exists(addition + "/results.json")) {
    const AdditionStudy study = read_study(addition);
    document.sections.push_back(
        opening("addition", kAdditionTitle, answer_section(AdditionSource(study))));
  }
  if (file_exists(sortedness + "/results.json")) {
    const SortednessStudy study = read_sortedness(sortedness);
    document.sections.push_back(
        opening("sortedness", kSortednessTitle, answer_section(SortSource(study))));
  }
  check<FileError>(!document.sections.empty(), "{} has no study: neither addition nor sortedness",
                   folder);
  document.sections.push_back(glossary_section());
  write_file(folder + "/index.html", page(document));
}

}  // namespace heddle::report
