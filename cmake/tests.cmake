# The tests: one program. ctest knows its cases one by one; tools/run_tests runs them in parallel.
find_package(GTest)
if(NOT GTest_FOUND)
  message(STATUS "GoogleTest not found: the tests are left out")
  return()
endif()
enable_testing()
include(GoogleTest)

file(GLOB_RECURSE HEDDLE_TEST_SOURCES CONFIGURE_DEPENDS tests/*.cpp)
if(HEDDLE_ROOMS STREQUAL "base")
  list(FILTER HEDDLE_TEST_SOURCES INCLUDE REGEX "/tests/unit/.*parallel[^/]*$")
else()
  list(FILTER HEDDLE_TEST_SOURCES EXCLUDE REGEX "/tests/package/")  # a project of its own
  list(FILTER HEDDLE_TEST_SOURCES EXCLUDE REGEX "/tests/browser/")  # a program of its own, below
endif()
if(NOT HEDDLE_TEST_SOURCES)
  return()
endif()

add_executable(heddle_tests ${HEDDLE_TEST_SOURCES})
target_include_directories(heddle_tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(heddle_tests PRIVATE heddle GTest::gtest GTest::gtest_main)
heddle_options(heddle_tests)
heddle_compile_together(heddle_tests)
# It replaces operator new: the compiler must not see that beside code that uses it.
set_source_files_properties(tests/support/allocations.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                                                                     SKIP_PRECOMPILE_HEADERS ON)
heddle_compile_lightly(heddle_tests)
if(CMAKE_BUILD_TYPE STREQUAL "Sanitize")
  target_compile_definitions(heddle_tests PRIVATE HEDDLE_SANITIZED)
  if(NOT HEDDLE_ROOMS STREQUAL "base")
    # The library is what is watched. (The thread sanitizer's tests have threads of their own.)
    target_compile_options(heddle_tests PRIVATE -O0 -g0 -fno-sanitize=all)
  endif()
endif()
target_compile_definitions(heddle_tests PRIVATE
  HEDDLE_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests")
if(TARGET heddle_program)
  # The tests in tests/cli start the program that was built beside them.
  add_dependencies(heddle_tests heddle_program)
  target_compile_definitions(heddle_tests PRIVATE HEDDLE_PROGRAM="$<TARGET_FILE:heddle_program>")
endif()
if(NOT HEDDLE_ROOMS STREQUAL "base")
  include(cmake/docs_examples.cmake)
  target_sources(heddle_tests PRIVATE ${HEDDLE_DOCS_SOURCES})
  target_include_directories(heddle_tests PRIVATE ${HEDDLE_DOCS_FOLDER})
  # The pages that tests/browser opens.
  add_executable(heddle_pages tests/browser/pages.cpp tests/support/report/study_fixture.cpp
    tests/support/report/sortedness_fixture.cpp tests/support/report/sortedness_explanations.cpp
    tests/support/report/sweep_fixture.cpp)
  target_include_directories(heddle_pages PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(heddle_pages PRIVATE heddle)
  heddle_options(heddle_pages)
  heddle_compile_lightly(heddle_pages)
endif()
gtest_discover_tests(heddle_tests DISCOVERY_MODE PRE_TEST)
