// The report on a sweep, section by section.
#pragma once

#include "heddle/record/sweep.hpp"
#include "heddle/report/document/document.hpp"

namespace heddle::report {

using SweepSource = StudySource<SweepStudy>;

/// `source` must live as long as the document.
Document document_of(const SweepSource& source);

// Its sections, in order; their ids are the first words of these names.
Section answer_section(const SweepSource& source);
Section settings_section(const SweepSource& source);
Section measures_section(const SweepSource& source);
Section training_section(const SweepSource& source);
Section members_section(const SweepSource& source);
Section methods_section(const SweepSource& source);

}  // namespace heddle::report
