# Installing and building for ./heddle, which sources this file; all words go to standard error.
# shellcheck shell=bash disable=SC2154  # root, builds, program, stamp, up_to_date come from ./heddle

say() { printf 'heddle: %s\n' "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# ── what must be there ─────────────────────────────────────────────────────────────────────────

# The newest name first: our style is checked with one version of these tools, 19.
llvm_tool() {
  local candidate
  for candidate in "$1-19" "$1" "/opt/homebrew/opt/llvm@19/bin/$1" "/usr/local/opt/llvm@19/bin/$1"; do
    if command -v "$candidate" >/dev/null && [[ $("$candidate" --version) == *"version 19."* ]]; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

compiles() { "${CXX:-g++}" -std=c++20 -fsyntax-only -x c++ - >/dev/null 2>&1 <<<"$1"; }
has_header() {
  compiles "#include <$1>" || [[ -n ${CMAKE_PREFIX_PATH-} ]] ||
    { [[ $(package_manager) == brew ]] && brew list "$2" >/dev/null 2>&1; }
}

is_there() {
  case $1 in
    compiler) compiles $'#include <bit>\n#include <concepts>\n#include <span>\ntemplate <std::integral T> T f(T);' ;;
    cmake) cmake_is_new_enough ;;
    ninja) command -v ninja >/dev/null ;;
    fmt) has_header fmt/core.h fmt ;;
    nlohmann-json) has_header nlohmann/json.hpp nlohmann-json ;;
    googletest) has_header gtest/gtest.h googletest ;;
    sanitizers) [[ $(uname) != Linux || $("${CXX:-g++}" -print-file-name=libtsan.so) == /* ]] ;;
    fuzzer) fuzzer_links ;;
    python3) command -v python3 >/dev/null ;;
    rsvg-convert | valgrind) command -v "$1" >/dev/null ;;
    chromium) browser_works ;;
    clang-format | clang-tidy) llvm_tool "$1" >/dev/null ;;
  esac
}

# clang 19 with what libFuzzer and the sanitizers need at run time.
fuzzer_links() {
  local compiler
  compiler=$(llvm_tool clang++) &&
    "$compiler" -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null >/dev/null 2>&1 \
      <<<$'#include <cstddef>\n#include <cstdint>\nextern "C" int LLVMFuzzerTestOneInput(const std::uint8_t*, std::size_t) { return 0; }'
}

# A browser that starts; on some systems the package is a stub that only tells where to get it.
browser_works() {
  local name
  for name in chromium chromium-browser google-chrome-stable google-chrome; do
    ! command -v "$name" >/dev/null || ! "$name" --version >/dev/null 2>&1 </dev/null || return 0
  done
  return 1
}

cmake_is_new_enough() {
  [[ $(cmake --version 2>/dev/null) =~ version\ ([0-9]+)\.([0-9]+) ]] &&
    ((BASH_REMATCH[1] > 3 || (BASH_REMATCH[1] == 3 && BASH_REMATCH[2] >= 22)))
}

package_manager() {
  local manager
  for manager in apt-get dnf pacman brew; do
    if command -v "$manager" >/dev/null; then
      printf '%s\n' "$manager"
      return
    fi
  done
}

# package MANAGER THING: what MANAGER calls it.
package() {
  case $1:$2 in
    apt-get:compiler | apt-get:sanitizers) echo g++ ;;
    apt-get:ninja | dnf:ninja) echo ninja-build ;;
    apt-get:fmt) echo libfmt-dev ;;
    apt-get:nlohmann-json) echo nlohmann-json3-dev ;;
    apt-get:googletest) echo libgtest-dev ;;
    apt-get:fuzzer) echo clang-19 libclang-rt-19-dev ;;
    apt-get:clang-format | apt-get:clang-tidy) echo "$2-19" ;;
    apt-get:rsvg-convert) echo librsvg2-bin ;;
    dnf:rsvg-convert) echo librsvg2-tools ;;
    pacman:rsvg-convert | brew:rsvg-convert) echo librsvg ;;
    dnf:compiler) echo gcc-c++ ;;
    dnf:fmt) echo fmt-devel ;;
    dnf:nlohmann-json) echo json-devel ;;
    dnf:googletest) echo gtest-devel ;;
    dnf:sanitizers) echo libasan libubsan libtsan ;;
    dnf:fuzzer) echo clang compiler-rt ;;
    pacman:fuzzer) echo clang compiler-rt ;;
    brew:fuzzer) echo llvm@19 ;;
    dnf:clang-format | dnf:clang-tidy) echo clang-tools-extra ;;
    pacman:compiler | pacman:sanitizers | brew:compiler) echo gcc ;;
    pacman:googletest) echo gtest ;;
    pacman:python3) echo python ;;
    pacman:clang-format | pacman:clang-tidy) echo clang ;;
    brew:clang-format | brew:clang-tidy) echo llvm@19 ;;
    *) echo "$2" ;;
  esac
}

missing() {
  local thing
  for thing in "$@"; do is_there "$thing" || printf '%s\n' "$thing"; done
}

# purpose THING: what it is for.
purpose() {
  case $1 in
    compiler) echo "compiles Heddle" ;;
    cmake) echo "sets the build up" ;;
    ninja) echo "runs the build" ;;
    fmt) echo "messages and numbers" ;;
    nlohmann-json) echo "reads and writes JSON" ;;
    googletest) echo "the tests" ;;
    sanitizers) echo "the tests under sanitizers" ;;
    python3) echo "the scripts of the tests" ;;
    clang-format) echo "checks the layout" ;;
    clang-tidy) echo "checks the code" ;;
    chromium) echo "opens the report's page in the tests" ;;
    valgrind) echo "counts the kernels' instructions in the tests" ;;
    rsvg-convert) echo "draws a PNG beside each figure of a report" ;;
  esac
}

# explain MANAGER THING …: "ninja-build (runs the build), libfmt-dev (messages and numbers)"
explain() {
  local manager=$1 thing words=""
  shift
  for thing in "$@"; do words+=", $(package "$manager" "$thing") ($(purpose "$thing"))"; done
  printf '%s\n' "${words#, }"
}

# install_line MANAGER THING …: the command that installs them, to be run as root (brew: by oneself).
install_line() {
  local manager=$1 packages thing
  shift
  packages=$(for thing in "$@"; do package "$manager" "$thing"; done | sort -u | paste -sd' ' -)
  case $manager in
    apt-get)
      echo "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages"
      ;;
    dnf) echo "dnf install -y $packages" ;;
    pacman) echo "pacman -Sy --needed --noconfirm $packages" ;;
    brew) echo "NONINTERACTIVE=1 brew install $packages" ;;
  esac
}

# need THING …: makes sure that each is there, by installing it where that is allowed. Says before
# what it installs, what for, and the line that it runs.
need() {
  local manager line
  local -a lacking
  mapfile -t lacking < <(missing "$@")
  ((${#lacking[@]})) || return 0
  manager=$(package_manager)
  [[ -n $manager ]] || die "missing: ${lacking[*]}; no known package manager here, please install them"
  say "missing: $(explain "$manager" "${lacking[@]}")"
  line=$(install_line "$manager" "${lacking[@]}")
  run_install "$manager" "$line"
  mapfile -t lacking < <(missing "$@")
  ((!${#lacking[@]})) || die "still missing, or too old, after '$line': ${lacking[*]}"
}

# want THING …: the same for what can be done without.
want() { (need "$@") || true; }

# mention THING …: what cannot be had without a package that nobody has to have; installs nothing.
mention() {
  local manager
  local -a lacking
  mapfile -t lacking < <(missing "$@")
  ((${#lacking[@]})) || return 0
  manager=$(package_manager)
  [[ -n $manager ]] || return 0
  say "optional, not installed: $(explain "$manager" "${lacking[@]}"); to have it: $(as_typed "$manager" "$(install_line "$manager" "${lacking[@]}")")"
}

is_root() { ((EUID == 0)); }

# as_typed MANAGER LINE: the line as a user types it.
as_typed() {
  if [[ $1 == brew ]] || is_root; then printf '%s\n' "$2"; else printf "sudo sh -c '%s'\n" "$2"; fi
}

# run_install MANAGER LINE: sudo asks for itself on a terminal; where nobody could answer it does not ask.
run_install() {
  local manager=$1 line=$2 typed log
  local -a command=(sh -c "$line")
  typed=$(as_typed "$manager" "$line")
  case ${HEDDLE_INSTALL-} in
    "" | yes) ;;
    no) die "HEDDLE_INSTALL=no: nothing is installed; run: $typed" ;;
    *) die "HEDDLE_INSTALL is '$HEDDLE_INSTALL'; accepted are yes and no" ;;
  esac
  if [[ $manager != brew ]] && ! is_root; then
    command -v sudo >/dev/null || die "no sudo here; as root run: sh -c '$line'"
    if [[ -t 2 ]]; then command=(sudo "${command[@]}"); else command=(sudo -n "${command[@]}"); fi
  fi
  say "running: $typed"
  log=$(mktemp)
  if ! "${command[@]}" >"$log" 2>&1 </dev/null; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    die "that did not work; run: $typed"
  fi
  rm -f "$log"
}

# ── building ───────────────────────────────────────────────────────────────────────────────────

# Objects made in one copy of the folder serve in another.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$root} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}

# with_lock FOLDER COMMAND …: one build at a time in a folder.
with_lock() {
  local folder=$1
  shift
  if ! mkdir -p "$folder" 2>/dev/null || [[ ! -w $folder ]]; then
    die "cannot write to $folder; set HEDDLE_BUILD_DIR to a folder that can be written"
  fi
  (
    if command -v flock >/dev/null && ! flock -n 9; then
      say "waiting for another build in $folder"
      flock 9
    fi
    "$@"
  ) 9>"$folder/.lock"
}

# configure PRESET [-Dname=value …]: once; later changes of CMake files are ninja's business.
configure() {
  local preset=$1 folder=$builds/$1 cache=$builds/$1/CMakeCache.txt
  shift
  if [[ -e $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "$cache" "$folder/CMakeFiles" # the folder was copied or moved here
  fi
  [[ $# -gt 0 || ! -e $folder/build.ninja || $root/CMakePresets.json -nt $cache ]] || return 0
  if ! (cd "$root" && cmake --preset "$preset" -B "$folder" "$@") >"$folder/configure.log" 2>&1 </dev/null; then
    grep -A6 'CMake Error' "$folder/configure.log" >&2 || tail -n 20 "$folder/configure.log" >&2
    say "CMake could not set up $folder"
    return 1
  fi
}

# compile PRESET TARGET …: ninja, with a counter on a terminal and a line now and then elsewhere.
compile() {
  local folder=$builds/$1 log=$builds/$1/build.log status line
  shift
  NINJA_STATUS='[%f/%t] ' ninja -C "$folder" "$@" 2>&1 </dev/null 9>&- |
    while IFS= read -r line; do
      printf '%s\n' "$line" >&3
      if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
        show_progress "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
      fi
    done 3>"$log" && status=0 || status=${PIPESTATUS[0]}
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  return "$status"
}

# show_errors PRESET: the compiler's words, without ninja's own and without the long command lines.
show_errors() {
  local log=$builds/$1/build.log
  awk -v log_file="$log" -v most=80 '
    /^\[[0-9]+\/[0-9]+\]|^-- |^ninja: (Entering|build stopped)/ { next }
    ++lines > most { print "… the rest is in " log_file; exit }
    { print }
    /^FAILED: / { getline }' "$log" >&2
}

next_word=10
show_progress() {
  if [[ -t 2 ]]; then
    printf '\r\033[Kheddle: building %s/%s' "$1" "$2" >&2
  elif ((SECONDS >= next_word && $1 > 0)); then
    next_word=$((SECONDS + 10))
    say "building $1/$2"
  fi
}

build_program() {
  with_lock "$builds/release" build_program_locked || exit 1
}

build_program_locked() {
  ! up_to_date || return 0 # another call has just built it
  local first=1
  [[ ! -e $stamp ]] || first=0
  if ((first)); then
    mention rsvg-convert
    say "building for the first time (later calls start at once)"
  fi
  touch "$stamp.next"
  if [[ -n ${HEDDLE_WERROR-} ]]; then
    configure release "-DHEDDLE_WERROR=$HEDDLE_WERROR" || return 1
  else
    configure release || return 1
  fi
  compile release heddle_program || retry_without_werror "$first" || return 1
  ((!first)) || say "built in ${SECONDS} s"
  mv -f "$stamp.next" "$stamp"
}

# A stranger's compiler may warn where ours does not: no reason to leave a newcomer outside.
retry_without_werror() {
  local first=$1 is_warning=0
  ! grep -q '\[-Werror' "$builds/release/build.log" || is_warning=1
  if ((first && is_warning)); then
    say "this compiler warns where ours does not; building all the same"
    configure release -DHEDDLE_WERROR=OFF && compile release heddle_program && return 0
  fi
  show_errors release
  if ((is_warning && !first)); then
    say "the build failed on a warning; to build all the same: HEDDLE_WERROR=OFF ./heddle …"
  else
    say "the build failed"
  fi
  return 1
}
