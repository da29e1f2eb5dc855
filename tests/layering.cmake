# SPDX-License-Identifier: GPL-3.0-or-later
# Fails if a file includes what its folder may not know. Run as: cmake -DROOT=<repository> -P layering.cmake
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

check(core/model "core/(plan|memory|pipeline|time|io|estimate|profiles)" "model is below plan")
check(core/cluster "core/(model|plan|memory|pipeline|time|io|estimate|profiles)" "cluster is below plan")
check(core/plan "core/(memory|time|io|estimate|profiles)" "plan is below memory and time")
check(core/pipeline "core/(memory|time|io|estimate|profiles)" "pipeline is below memory and time")
check(core/memory "core/(time|io|profiles)" "memory does not know time")
check(core/time "core/(io|profiles)" "time is below estimate")
foreach(folder model cluster plan pipeline memory time)
  check(core/${folder} "core/explain" "explain is above estimate")
endforeach()
check(core/explain "core/io" "explain makes values; io writes them")
check(core/io "(app|widgets)/" "io reads and writes values only")

# nlohmann/json stays inside core/io.
foreach(folder app widgets core/explain core/model core/cluster core/plan core/pipeline core/memory core/time)
  check(${folder} "nlohmann" "JSON is read and written in core/io only")
endforeach()
