// A study's folder, held for the moment in which its plan or its results are written.
#pragma once

#include <string>

#include "heddle/base/file.hpp"
#include "heddle/study/study.hpp"

namespace heddle {

/// Takes the folder as soon as nobody else holds it; StudyStopped if the observer says so before.
FolderLock wait_for_folder(const std::string& folder, const StudyObserver& observer);

}  // namespace heddle
