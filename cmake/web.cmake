# The page's script, style and frame are files in report/web; they become part of the library.
file(GLOB HEDDLE_WEB_FILES CONFIGURE_DEPENDS src/heddle/report/web/*.js src/heddle/report/web/*.css
     src/heddle/report/web/*.html)
set(HEDDLE_WEB_CPP ${CMAKE_CURRENT_BINARY_DIR}/generated/heddle/report/web/template.cpp)
add_custom_command(
  OUTPUT ${HEDDLE_WEB_CPP}
  COMMAND ${CMAKE_COMMAND} -DWEB=${CMAKE_CURRENT_SOURCE_DIR}/src/heddle/report/web
          -DOUT=${HEDDLE_WEB_CPP} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_web.cmake
  DEPENDS ${HEDDLE_WEB_FILES} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_web.cmake
  COMMENT "The page's files as C++"
  VERBATIM)
target_sources(heddle PRIVATE ${HEDDLE_WEB_CPP})
