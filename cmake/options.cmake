# What every target of ours is compiled and linked with; none of it reaches a program that uses the library.
set(HEDDLE_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion)
if(HEDDLE_WERROR)
  list(APPEND HEDDLE_WARNINGS -Werror)
endif()

# The same bytes wherever the folder lies: no absolute path in what is built.
set(HEDDLE_PATHS "-ffile-prefix-map=${CMAKE_CURRENT_BINARY_DIR}/=build/"
                 "-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=")

# For code whose speed nobody feels.
function(heddle_compile_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CONFIG:Sanitize>:-O0>)
endfunction()

function(heddle_options target)
  target_compile_options(${target} PRIVATE ${HEDDLE_WARNINGS})
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Dev")  # so that two checkouts share what the compiler's cache holds
    target_compile_options(${target} PRIVATE ${HEDDLE_PATHS})
  endif()
  get_target_property(type ${target} TYPE)
  if(HEDDLE_STATIC AND type STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE -static)
  endif()
endfunction()
