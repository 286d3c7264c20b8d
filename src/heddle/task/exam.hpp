// A list of questions that are asked together, drawn when they are needed.
#pragma once

#include <memory>

#include "heddle/task/questions.hpp"

namespace heddle {

/// Read-only once made: threads may draw blocks at the same time.
class Exam {
 public:
  Exam() = default;
  virtual ~Exam() = default;
  Exam(const Exam&) = delete;
  Exam& operator=(const Exam&) = delete;

  virtual Index size() const = 0;
  /// Words of the longest input.
  virtual Index longest_input() const = 0;
  /// Questions first … first + count − 1, cut at the end, in the place of what `out` held.
  virtual void block(Index first, Index count, Questions& out) const = 0;
};

/// Questions that are there already; they must outlive the exam.
std::unique_ptr<Exam> exam_of(const Questions& questions);

}  // namespace heddle
