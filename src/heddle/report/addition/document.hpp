// The report on an addition study, section by section.
#pragma once

#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/report/document/document.hpp"

namespace heddle::report {

using AdditionSource = StudySource<AdditionStudy>;

inline constexpr const char* kAdditionTitle = "What do the heads of an adder do?";

/// `source` must live as long as the document.
Document document_of(const AdditionSource& source);

// Its sections, in order.
Section answer_section(const AdditionSource& source);
Section members_section(const AdditionSource& source);
Section attention_section(const AdditionSource& source);
Section ablation_section(const AdditionSource& source);
Section pruning_section(const AdditionSource& source);
Section roles_section(const AdditionSource& source);
Section circuit_section(const AdditionSource& source);
Section population_section(const AdditionSource& source);
Section training_section(const AdditionSource& source);
Section reports_section(const AdditionSource& source);
Section methods_section(const AdditionSource& source);

/// Rows of name, estimate, interval, seeds for every population.
Table estimates_table(const AdditionSource& source, std::vector<Estimate> Population::* list,
                      Text caption);

}  // namespace heddle::report
