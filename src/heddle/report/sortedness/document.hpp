// The report on a sortedness study, section by section.
#pragma once

#include "heddle/record/sortedness_study.hpp"
#include "heddle/report/document/document.hpp"

namespace heddle::report {

using SortSource = StudySource<SortednessStudy>;

inline constexpr const char* kSortednessTitle = "Which positions extrapolate?";

/// `source` must live as long as the document.
Document document_of(const SortSource& source);

// Its sections, in order; their ids are the first words of these names.
Section answer_section(const SortSource& source);
Section extrapolation_section(const SortSource& source);
Section kinds_section(const SortSource& source);
Section recipe_section(const SortSource& source);
Section learned_section(const SortSource& source);
Section ingredients_section(const SortSource& source);
Section reports_section(const SortSource& source);
Section explanations_section(const SortSource& source);
Section training_section(const SortSource& source);
Section methods_section(const SortSource& source);

}  // namespace heddle::report
