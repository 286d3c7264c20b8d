# The fuzzer's program: the targets that the tests replay, under libFuzzer (clang alone has it).
file(GLOB HEDDLE_FUZZ_SOURCES CONFIGURE_DEPENDS tools/fuzz/*.cpp tests/fuzz/*.cpp)
list(FILTER HEDDLE_FUZZ_SOURCES EXCLUDE REGEX "_test\\.cpp$")
add_executable(heddle_fuzz ${HEDDLE_FUZZ_SOURCES} tests/support/example_text.cpp
  tests/support/golden_import.cpp tests/support/tiny_model.cpp)
target_include_directories(heddle_fuzz PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(heddle_fuzz PRIVATE
  HEDDLE_TEST_DATA="${CMAKE_CURRENT_SOURCE_DIR}/tests")
target_link_libraries(heddle_fuzz PRIVATE heddle)
target_link_options(heddle_fuzz PRIVATE -fsanitize=fuzzer)
