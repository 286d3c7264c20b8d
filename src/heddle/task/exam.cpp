// See exam.hpp.
#include "heddle/task/exam.hpp"

#include <algorithm>

namespace heddle {
namespace {

class ListedExam : public Exam {
 public:
  explicit ListedExam(const Questions& list) : list_(list) {}

  Index size() const override { return list_.size(); }
  Index longest_input() const override { return list_.longest_input(0, list_.size()); }
  void block(Index first, Index count, Questions& out) const override {
    out.clear();
    for (Index i = first; i < std::min(first + count, list_.size()); ++i) out.add(list_[i]);
  }

 private:
  const Questions& list_;
};

}  // namespace

std::unique_ptr<Exam> exam_of(const Questions& questions) {
  return std::make_unique<ListedExam>(questions);
}

}  // namespace heddle
