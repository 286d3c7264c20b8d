# Writes the page of report/web as C++: cmake -DWEB=FOLDER -DOUT=FILE.cpp [-DPAGE=FILE.html] -P this.
# page.html is taken as it is, but for two kinds of lines: a link to a style sheet becomes the sheet,
# and the script becomes its modules, each after those that it imports, in one scope: their import
# lines go, and the word "export". So modules import by name, only from each other, and no two of
# them may use one name at their top (tools/check_web looks).
cmake_minimum_required(VERSION 3.22)

# A piece of the page, and the C++ string that it becomes.
function(add_piece text)
  set_property(GLOBAL APPEND_STRING PROPERTY pieces "    R\"~web~(${text})~web~\",\n")
  set_property(GLOBAL APPEND_STRING PROPERTY page "${text}")
endfunction()

function(add_module name)
  get_property(done GLOBAL PROPERTY done)
  if(name IN_LIST done)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY done ${name})
  file(READ ${WEB}/${name} text)
  string(REGEX MATCHALL "from \"\\./[a-z_]+\\.js\"" imports "${text}")
  foreach(import IN LISTS imports)
    string(REGEX REPLACE ".*/([a-z_]+\\.js).*" "\\1" import "${import}")
    add_module(${import})
  endforeach()
  string(REGEX REPLACE "import {[^}]*} from \"\\./[a-z_]+\\.js\";\n" "" text "${text}")
  string(REGEX REPLACE "\nexport (const|function|class) " "\n\\1 " text "${text}")
  if("\n${text}" MATCHES "\n((import|export)[ {*][^\n]*)")
    message(FATAL_ERROR "${name}: '${CMAKE_MATCH_1}': modules export declarations and import "
                        "{names} from \"./file.js\"")
  endif()
  if(text MATCHES "</script")
    message(FATAL_ERROR "${name}: '</script' would end the page's script")
  endif()
  add_piece("\n// ── ${name} ──\n${text}")
endfunction()

# Takes the page off the front, up to and with the next line of these kinds.
file(READ ${WEB}/page.html left)
set(link " *<link rel=\"stylesheet\" href=\"([a-z_]+\\.css)\" />\n")
set(script " *<script type=\"module\" src=\"([a-z_]+\\.js)\"></script>\n")
while(left MATCHES "${link}|${script}")
  set(line "${CMAKE_MATCH_0}")
  string(REGEX REPLACE ".*\"([a-z_]+\\.[a-z]+)\".*" "\\1" name "${line}")
  string(FIND "${left}" "${line}" at)
  string(SUBSTRING "${left}" 0 ${at} before)
  string(LENGTH "${line}" length)
  math(EXPR at "${at} + ${length}")
  string(SUBSTRING "${left}" ${at} -1 left)
  add_piece("${before}")
  if(name MATCHES "\\.css$")
    file(READ ${WEB}/${name} text)
    add_piece("<style>\n${text}</style>\n")
  else()
    add_piece("<script type=\"module\">")
    add_module(${name})
    add_piece("</script>\n")
  endif()
endwhile()
add_piece("${left}")

get_property(pieces GLOBAL PROPERTY pieces)
file(WRITE ${OUT} "// Written by cmake/embed_web.cmake from the files in report/web.
#include \"heddle/report/web/template.hpp\"

#include <initializer_list>
#include <string_view>

namespace heddle::report {

std::string page_template() {
  std::string page;
  for (const std::string_view piece : std::initializer_list<std::string_view>{
${pieces}  })
    page += piece;
  return page;
}

}  // namespace heddle::report
")
if(PAGE)
  get_property(page GLOBAL PROPERTY page)
  file(WRITE ${PAGE} "${page}")
endif()
