# The library: every room but the command line. A new file needs no line here.
if(HEDDLE_ROOMS STREQUAL "base")
  file(GLOB_RECURSE HEDDLE_SOURCES CONFIGURE_DEPENDS src/heddle/base/*.cpp)
else()
  file(GLOB_RECURSE HEDDLE_SOURCES CONFIGURE_DEPENDS src/heddle/*.cpp)
  list(FILTER HEDDLE_SOURCES EXCLUDE REGEX "/src/heddle/(kernels/cpu|cli)/")
endif()

# The fuzzer reads and draws; what trains, measures and explains is left out of its build.
if(HEDDLE_FUZZ)
  list(FILTER HEDDLE_SOURCES EXCLUDE REGEX "/src/heddle/(bench|lens|train|eval)/")
  list(FILTER HEDDLE_SOURCES EXCLUDE REGEX
    "/study/(addition/|sortedness/|open|run_members|claims|timings|progress|sweep/[cms])")
endif()

# Where the time of a run goes: optimised as far as the compiler can. The other rooms (settings, words,
# records, figures) work for moments; light optimisation halves the time that they take to compile.
set(HEDDLE_ENGINE_SOURCES ${HEDDLE_SOURCES})
list(FILTER HEDDLE_ENGINE_SOURCES INCLUDE REGEX
  "/src/heddle/(base|tensor|autograd|kernels|ops|nn|model|train|eval|task|lens/(probe|stats|specialise))/")
list(FILTER HEDDLE_ENGINE_SOURCES EXCLUDE REGEX "/src/heddle/model/import/")
list(REMOVE_ITEM HEDDLE_SOURCES ${HEDDLE_ENGINE_SOURCES})
add_library(heddle_engine OBJECT ${HEDDLE_ENGINE_SOURCES})
add_library(heddle STATIC ${HEDDLE_SOURCES} $<TARGET_OBJECTS:heddle_engine>)
add_library(heddle::heddle ALIAS heddle)
target_compile_features(heddle PUBLIC cxx_std_20)
foreach(target IN ITEMS heddle heddle_engine)
  heddle_compile_together(${target})
  heddle_options(${target})
endforeach()
heddle_compile_lightly(heddle)

# The version stands in the project() line alone; code reads heddle/base/version.hpp.
configure_file(cmake/version.hpp.in generated/heddle/base/version.hpp @ONLY)
target_include_directories(heddle PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/src>
  $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated>
  $<INSTALL_INTERFACE:include>)

# A static program takes fmt from its headers: not every system ships libfmt.a.
set(HEDDLE_FMT fmt::fmt)
if(HEDDLE_STATIC)
  set(HEDDLE_FMT fmt::fmt-header-only)
endif()
target_link_libraries(heddle PUBLIC ${HEDDLE_FMT} nlohmann_json::nlohmann_json Threads::Threads)
target_link_libraries(heddle_engine PRIVATE ${HEDDLE_FMT} nlohmann_json::nlohmann_json Threads::Threads)
target_include_directories(heddle_engine PRIVATE
  $<TARGET_PROPERTY:heddle,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(heddle PRIVATE ${CMAKE_DL_LIBS}) # bench looks for other libraries at run time

if(NOT HEDDLE_ROOMS STREQUAL "all")
  return()
endif()

include(cmake/web.cmake) # the report's page

# The vector kernels: the same sources once per instruction set, each in a namespace of its own.
# The dispatcher learns from HEDDLE_HAS_<level> which of them exist.
file(GLOB HEDDLE_KERNEL_SOURCES CONFIGURE_DEPENDS src/heddle/kernels/cpu/*.cpp)
set(HEDDLE_ISA_LEVELS baseline)
set(HEDDLE_ISA_baseline_FLAGS "")
# The fuzzer feeds parsers: one level does, and compiles in a third of the time.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT HEDDLE_FUZZ)
  list(APPEND HEDDLE_ISA_LEVELS avx2 avx512)
  set(HEDDLE_ISA_avx2_FLAGS -mavx2 -mfma)
  set(HEDDLE_ISA_avx512_FLAGS -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx2 -mfma
                              -mprefer-vector-width=512)
endif()
foreach(level IN LISTS HEDDLE_ISA_LEVELS)
  target_compile_definitions(heddle_engine PRIVATE HEDDLE_HAS_${level})
  if(HEDDLE_KERNEL_SOURCES)
    add_library(heddle_kernels_${level} OBJECT ${HEDDLE_KERNEL_SOURCES})
    target_include_directories(heddle_kernels_${level} PRIVATE
      $<TARGET_PROPERTY:heddle,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(heddle_kernels_${level} PRIVATE ${HEDDLE_FMT})
    target_compile_definitions(heddle_kernels_${level} PRIVATE HEDDLE_ISA=${level})
    heddle_options(heddle_kernels_${level})
    target_compile_options(heddle_kernels_${level} PRIVATE
      $<$<CONFIG:Release,RelWithDebInfo,Dev>:-O3> -Wno-psabi ${HEDDLE_ISA_${level}_FLAGS}
      # g++ up to 13 aligns vectors wrongly on the stacks that this check makes.
      $<$<AND:$<CONFIG:Sanitize>,$<CXX_COMPILER_ID:GNU>>:--param=asan-use-after-return=0>)
    target_sources(heddle PRIVATE $<TARGET_OBJECTS:heddle_kernels_${level}>)
  endif()
endforeach()
