# Every check of the project, for ./heddle test, which sources this file.
# shellcheck shell=bash disable=SC2154  # root and builds come from ./heddle
source "$root/tools/setup.sh"

passed=0
failed=0
skipped=0
everything=0 # --all

summary() {
  local tail=""
  ((!skipped)) || tail=", $skipped skipped"
  echo "$passed passed, $failed failed$tail"
}

# stage NAME COMMAND …: a headline, the command, its seconds; the first failing one ends the run.
stage() {
  local name=$1 began=$SECONDS
  shift
  printf '── %s\n' "$name"
  if ! "$@"; then
    ((failed)) || failed=1
    printf 'heddle test: the stage "%s" failed after %s s\n' "$name" $((SECONDS - began))
    summary
    exit 1
  fi
  printf '   %s s\n' $((SECONDS - began))
}

check_format() { CLANG_FORMAT=$(llvm_tool clang-format) "$root/tools/format" --check; }

check_layers() {
  "$root/tools/check_layers" --self-test && "$root/tools/check_layers" "$root"
}

check_setup() {
  "$root/tools/check_setup" || return 1
  passed=$((passed + 1))
}

build() {
  local preset=$1
  shift
  with_lock "$builds/$preset" build_locked "$preset" "$@"
}
build_locked() {
  local preset=$1
  shift
  touch "$builds/$preset/.built.next"
  configure "$preset" "$@" || return 1
  compile "$preset" all || { show_errors "$preset"; return 1; }
  mv -f "$builds/$preset/.built.next" "$builds/$preset/.built"
  # Where a case is missing there must be no silence.
  [[ -x $builds/$preset/heddle_tests ]] || { say "$preset: no tests were built"; return 1; }
}

# Every file once; the static analyser with --all.
check_tidy() {
  local -a all=()
  ((!everything)) || all=(--all)
  mkdir -p "$builds/tidy"
  configure tidy -DHEDDLE_TOGETHER=1 || return 1 # anew: files come and go
  CLANG_TIDY=$(llvm_tool clang-tidy) "$root/tools/tidy" "$builds/tidy" "${all[@]}"
}

# run_cases PRESET [FILTER]: the test program of that build; its counts are added to the summary.
run_cases() {
  local log=$builds/$1/tests.log status=0
  local -a plain=()
  # The thread sanitizer wants addresses where it expects them.
  [[ $1 != tsan ]] || ! setarch -R true 2>/dev/null || plain=(setarch -R)
  "${plain[@]}" "$root/tools/run_tests" "$builds/$1/heddle_tests" "--filter=${2:-*}" | tee "$log" |
    sed -uE 's/^([0-9]+ passed, .*)/   \1 here/' || status=1 # the closing line is the summary's alone
  if [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
    skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
  fi
  return "$status"
}

# With --all every case; else without those that do for minutes, to the same memory, what others do
# once: whole trainings that learn, studies made twice over, the same bits again, operations counted.
asan_cases() {
  export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1
  export UBSAN_OPTIONS=print_stacktrace=1
  # Tests are not watched, only the library: a vector that both have grown is no finding.
  ASAN_OPTIONS+=:detect_container_overflow=0
  local left_out='*Slow*:BenchWork.*'
  ((everything)) || left_out+=:Learn*:HandBuilt.*:Smaller.*:Curves.*:Pruning.*:*Bits.*:BenchSuite.*:CliSharedStudy.*:CliTrain.*Same*:CliTrain.Threads*:CliStudy.*Same*
  run_cases asan "-$left_out"
}

tsan_cases() {
  export TSAN_OPTIONS=halt_on_error=1
  run_cases tsan 'Parallel*'
}

# How many instructions the kernels take, where valgrind is there and the compiler is the recorded one.
check_instructions() {
  local status=0
  if ! is_there valgrind; then
    echo "   skipped: valgrind is not installed"
    status=77
  else
    "$root/tools/check_instructions" "$builds/release" || status=$?
  fi
  case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) return "$status" ;;
  esac
}

# A stranger's project finds an installed Heddle and runs with it.
check_package() {
  local prefix status=0
  prefix=$(mktemp -d)
  {
    cmake --install "$builds/release" --prefix "$prefix/installed" &&
      cmake -G Ninja -S "$root/tests/package" -B "$prefix/build" \
        -DCMAKE_PREFIX_PATH="$prefix/installed" -DCMAKE_BUILD_TYPE=Release &&
      ninja -C "$prefix/build"
  } >"$builds/release/package.log" 2>&1 </dev/null || status=1
  if ((status)); then
    tail -n 20 "$builds/release/package.log"
  else
    "$prefix/build/consumer" || status=1
  fi
  rm -rf "$prefix"
  ((status)) || passed=$((passed + 1))
  return "$status"
}

# The report's pages in a browser, as a reader uses them; pictures of them stay in the build folder.
# Every check is also shown a page that was broken on purpose, and must notice.
check_pages() {
  local pages=$builds/release/pages log mode status=0
  local -a running=()
  if ! is_there chromium; then
    printf '   SKIPPED: no Chromium here and none could be installed; nothing was opened in a browser\n'
    skipped=$((skipped + 1))
    return 0
  fi
  rm -rf "$pages"
  "$builds/release/heddle_pages" "$pages" || return 1
  for mode in sound broken; do # side by side: either waits for its browser most of the time
    python3 "$root/tests/browser/page_test.py" "$pages" "$pages/pictures" "--pages=$mode" \
      >"$pages/$mode.log" 2>&1 </dev/null &
    running+=($!)
  done
  for mode in sound broken; do
    log=$pages/$mode.log
    wait "${running[0]}" || status=1
    running=("${running[@]:1}")
    sed -E "s/^([0-9]+ passed, .*)/   \\1 here, $mode pages/" "$log"
    if [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
      passed=$((passed + BASH_REMATCH[1]))
      failed=$((failed + BASH_REMATCH[2]))
    fi
  done
  ((!status)) || return 1
  printf '   pictures: %s\n' "$pages/pictures"
}

# The files of the report's page: types and layout, where Node is there.
check_web() {
  local status=0
  "$root/tools/check_web" "$builds/release" || status=$?
  ((status)) || "$root/tools/check_web" --self-test "$builds/release" || status=$?
  case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) return "$status" ;;
  esac
}

# Every parser under the fuzzer, a minute each; its targets' seeds are ordinary tests.
check_fuzz() { HEDDLE_BUILD_DIR=$builds HEDDLE_CLANG=$(llvm_tool clang++) "$root/tools/fuzz/run" 60; }

# Some of the trials of tools/campaign, the same ones every time; docs/reliability.md has the rest.
check_failures() {
  "$root/tools/campaign/faults" "$builds/release/heddle" --count 60 &&
    "$root/tools/campaign/kills" "$builds/release/heddle" --count 30 || return 1
  passed=$((passed + 2))
}

check_isa_symbols() {
  local folder level
  for folder in "$builds"/release/CMakeFiles/heddle_kernels_*.dir; do
    level=${folder##*_}
    find "$folder" -name '*.o' -print0 |
      xargs -0 "$root/tools/check_isa_symbols" "${level%.dir}" || return 1
  done
}

run_all_checks() {
  local fast=0
  everything=0
  case "$*" in
    "") ;;
    --fast) fast=1 ;;
    --all) everything=1 ;;
    --help | -h)
      echo "./heddle test          format, layers, clang-tidy, build, tests (optimised, browser, sanitizers), package"
      echo "./heddle test --fast   format, layers, build, tests"
      echo "./heddle test --all    the same as without, with clang-tidy's static analyser and every test under the sanitizers, and the fuzzer"
      return
      ;;
    *)
      say "test: unknown '$*'; accepted: --fast, --all"
      exit 2
      ;;
  esac
  exec 2>&1 # one report, in order
  need compiler cmake ninja fmt nlohmann-json googletest python3 clang-format
  if ((!fast)); then
    need clang-tidy sanitizers
    want chromium
    want valgrind
  fi
  if ((everything)); then need fuzzer; fi
  stage "format" check_format
  stage "layers" check_layers
  stage "what is installed, and how it is said" check_setup
  stage "build, no warnings" build release -DHEDDLE_WERROR=ON
  ((fast)) || stage "clang-tidy" check_tidy
  stage "tests, optimised" run_cases release
  if ((!fast)); then
    stage "failing file calls, kills" check_failures
    stage "instructions of the kernels" check_instructions
    stage "types and layout of the page's files" check_web
    stage "pages in a browser" check_pages
    stage "build with address and undefined-behaviour sanitizers" build asan
    stage "tests with address and undefined-behaviour sanitizers" asan_cases
    if ((everything)); then stage "fuzzing, a minute for each parser" check_fuzz; fi
    stage "build of the threading room with the thread sanitizer" build tsan
    stage "tests of the threading room with the thread sanitizer" tsan_cases
    stage "installed package" check_package
    if [[ -x $root/tools/check_isa_symbols ]]; then
      stage "instruction sets stay apart" check_isa_symbols
    fi
  fi
  echo "all stages passed in $SECONDS s"
  summary
}
