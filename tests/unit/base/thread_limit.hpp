// A process that may start no thread, as under `ulimit -u` or in a narrow container.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace heddle {

/// From now on this process and its children get EAGAIN for every thread, for good. Processes may
/// be started. False where the system has no such filter.
inline bool forbid_threads() {
  constexpr unsigned kNumber = offsetof(seccomp_data, nr), kFlags = offsetof(seccomp_data, args);
  const auto load = [](unsigned from) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, from);
  };
  const auto give = [](unsigned what) { return sock_filter BPF_STMT(BPF_RET | BPF_K, what); };
  const auto unless = [](unsigned how, unsigned value, unsigned char skip) {
    return sock_filter BPF_JUMP(BPF_JMP | how | BPF_K, value, 0, skip);
  };
  std::array<sock_filter, 8> steps{
      load(kNumber),
      unless(BPF_JEQ, SYS_clone3, 1),
      give(SECCOMP_RET_ERRNO | ENOSYS),  // the C library then takes clone
      unless(BPF_JEQ, SYS_clone, 3),
      load(kFlags),
      unless(BPF_JSET, CLONE_THREAD, 1),
      give(SECCOMP_RET_ERRNO | EAGAIN),
      give(SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = steps.size(), .filter = steps.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace heddle
