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

# What stands above an estimate, or is one.
set(above "calibration|estimate|explain|io|memory_curve|profiles|search|validation")
check(core/model "core/(plan|memory|pipeline|time|${above})" "model is below plan")
check(core/cluster "core/(model|plan|memory|pipeline|time|${above})" "cluster is below plan")
check(core/plan "core/(memory|time|${above})" "plan is below memory and time")
check(core/pipeline "core/(model|cluster|plan|memory|time|${above})" "pipeline knows schedules and times, not plans")
check(core/memory "core/(time|${above})" "memory does not know time")
check(core/time "core/(${above})" "time is below estimate")
check(core/search "core/io" "search is a loop around estimate; words are made in io")
check(core/validation "core/(calibration|explain|io|profiles|search)" "validation reads estimates only")
check(core/explain "core/(io|search|validation)" "explanations are values; words for files are made in io")
check(core/io "(app|widgets)/" "io reads and writes values only")

# nlohmann/json stays inside core/io.
foreach(folder app widgets core/model core/cluster core/plan core/pipeline core/memory core/time core/search
        core/explain core/validation)
  check(${folder} "nlohmann" "JSON is read and written in core/io only")
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
