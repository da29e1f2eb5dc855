# SPDX-License-Identifier: GPL-3.0-or-later
# Fails if a file includes what its folder may not know, or two headers define one type. Run as:
# cmake -DROOT=<repository> -P layering.cmake
cmake_policy(VERSION 3.25)
set(FAILED 0)

# check(<folder> <pattern of forbidden includes> <why>)
function(check folder forbidden why)
  file(GLOB_RECURSE sources ${ROOT}/${folder}/*.h ${ROOT}/${folder}/*.cpp)
  foreach(source ${sources})
    file(STRINGS ${source} found REGEX "#include [<\"](${forbidden})")
    if(found)
      message(SEND_ERROR "${source}: ${why}: ${found}")
      set(FAILED 1 PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

check(core "Q[A-Z]|Qt|qcustomplot" "core is free of Qt")
check(core "(app|widgets)/" "core knows neither app nor widgets")
check(widgets "app/" "widgets do not know app")
check(app/cli "Q[A-Z]|Qt|qcustomplot|widgets/|app/([^c]|c[^l])" "commands run without Qt and without the rest of app")

# Rooms in order: a room includes only itself and what stands before it.
function(check_rooms root)
  set(later ${ARGN})
  foreach(room ${ARGN})
    list(POP_FRONT later)
    list(JOIN later "|" pattern)
    if(later)
      check(${root}/${room} "${root}/(${pattern})/" "${room} stands below in the list of rooms of ${root}")
    endif()
  endforeach()
  # A room that nobody listed is not checked, so it is refused.
  file(GLOB folders RELATIVE ${ROOT}/${root} ${ROOT}/${root}/*)
  foreach(folder ${folders})
    if(IS_DIRECTORY ${ROOT}/${root}/${folder} AND NOT "${ARGN}" MATCHES "(^|;)${folder}(/|;|$)")
      message(SEND_ERROR "${root}/${folder} is not in the list of rooms")
    endif()
  endforeach()
endfunction()

check_rooms(core base model cluster pipeline/orders pipeline/timeline pipeline/simulation pipeline/analysis plan rules
            memory articles time layers estimate explain search accuracy files traces report launch)
check_rooms(widgets text chart rails search timeline cluster step memory)
check_rooms(app cli controls document export files panels search menus palette dialogs help window)
check(core/pipeline "core/(model|plan|rules)/" "pipeline knows schedules and times, not plans")

# nlohmann/json is read and written where files are.
foreach(folder app widgets)
  check(${folder} "nlohmann" "JSON is read and written in core")
endforeach()
foreach(room base model cluster pipeline plan rules memory time layers estimate explain search accuracy articles)
  check(core/${room} "nlohmann" "JSON is read and written in core/files, traces, report and launch")
endforeach()

# Two types of one name in one namespace are one type to the linker, which then mixes up their functions.
set(seen)
file(GLOB_RECURSE headers ${ROOT}/core/*.h ${ROOT}/widgets/*.h ${ROOT}/app/*.h)
foreach(header ${headers})
  set(space)
  file(STRINGS ${header} lines REGEX "^(namespace [a-z_:]+ |(enum )?(class|struct) [A-Za-z]+[^<;]*{)")
  foreach(line ${lines})
    if(line MATCHES "^namespace ([a-z_:]+) ")
      set(space ${CMAKE_MATCH_1})
    elseif(line MATCHES "(class|struct) ([A-Za-z]+)")
      set(type "${space}::${CMAKE_MATCH_2}")
      if(type IN_LIST seen)
        message(SEND_ERROR "${header}: another header defines ${type} too")
      endif()
      list(APPEND seen ${type})
    endif()
  endforeach()
endforeach()
