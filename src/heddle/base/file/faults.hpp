// File calls that fail on purpose: one call of this process gives an error, does half its work, or
// ends the program. Nothing fails until somebody arms it.
#pragma once

#include <string_view>

namespace heddle {

/// The exit code of a program that a fault has ended.
inline constexpr int kCrashExit = 99;

/// From now on the calls of base/file are counted from 1, and `spec` says which one fails and how:
///   fail:ENOSPC@17     the 17th gives that error and does nothing
///   fail:ENOSPC@17+    so do all that change a file from the 17th on, as on a full disk
///   short@17           the 17th reads or writes half of the bytes
///   crash-before@17    the program ends before the 17th, with kCrashExit
///   crash-after@17     … after it
///   trace@3            nothing fails; each call is a line on descriptor 3: "write 4096 bytes"
/// With "" nothing fails any more. UsageError says what is accepted.
void arm_file_faults(std::string_view spec);

/// What becomes of one call.
struct FileFault {
  int error = 0;         ///< not 0: it gives this errno
  bool shorter = false;  ///< it moves half of the bytes
  bool ends_after = false;
};

/// What has been armed for the next call, which is counted; a call that changes no file is spared
/// by a full disk. `what` is for the trace. May end the program.
FileFault next_file_fault(std::string_view call, std::string_view what, bool changes);
/// Ends the program if the fault says so.
void after_file_call(const FileFault& fault);

}  // namespace heddle
