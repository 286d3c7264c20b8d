# Files of one folder are compiled together, a few at a time: most of a file's compile time goes into
# headers and templates that its neighbours need as well. So private names are told apart within a
# folder. HEDDLE_TOGETHER=1 compiles every file alone, as editors and the linter see them.
set(HEDDLE_TOGETHER 14 CACHE STRING "Files of a folder that are compiled together, at most")

function(heddle_compile_together target)
  if(HEDDLE_TOGETHER LESS 2)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  set(folder "")
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH here)
    if(NOT here STREQUAL folder)
      set(folder ${here})
      set(count 0)
    endif()
    math(EXPR batch "${count} / ${HEDDLE_TOGETHER}")
    math(EXPR count "${count} + 1")
    cmake_path(RELATIVE_PATH here BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE name)
    string(REPLACE "/" "_" name ${name})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # What nearly every file reads, read once.
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <map>
    <memory> <optional> <span> <string> <string_view> <utility> <variant> <vector> <fmt/core.h>)
endfunction()
