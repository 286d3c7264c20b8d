// Errors: what went wrong, in the reader's words. No macros.
#pragma once

#include <stdexcept>
#include <utility>

#include <fmt/core.h>

namespace heddle {

/// Anything that Heddle refuses or that fails. The command line turns each kind into an exit code.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// Tensors that do not fit together.
class ShapeError : public Error {
 public:
  using Error::Error;
};
/// A tap name that matches nothing, or an edit that does not fit its tap.
class TapError : public Error {
 public:
  using Error::Error;
};
/// Something typed wrongly: a flag, a setting, an input (exit code 2).
class UsageError : public Error {
 public:
  using Error::Error;
};
/// A file or a disk that does not do what it should (exit code 1).
class FileError : public Error {
 public:
  using Error::Error;
};

/// Throws E with the formatted message unless `ok` holds.
template <class E = Error, class... Args>
void check(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) [[unlikely]]
    throw E(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace heddle
