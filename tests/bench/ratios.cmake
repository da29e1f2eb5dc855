# SPDX-License-Identifier: GPL-3.0-or-later
# Fails if a benchmark of PROGRAM says a "ratio" above MOST: how much longer FILTER's sizes take than 64 micro-batches do.
# Both are timed on the machine it runs on, so that the bound holds on any.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${PROGRAM} --benchmark_filter=${FILTER} --benchmark_min_time=0.001 --benchmark_format=csv
                OUTPUT_VARIABLE output ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${output}" output)
string(REPLACE "\n" ";" lines "${output}")
list(POP_FRONT lines header)
string(REPLACE "," ";" columns "${header}")
list(FIND columns "\"ratio\"" column)
set(seen 0)
foreach(line IN LISTS lines)
  string(REPLACE "," ";" cells "${line}")
  list(GET cells 0 name)
  list(GET cells ${column} ratio)
  if(NOT ratio MATCHES "^[0-9.e+-]+$" OR ratio GREATER MOST)
    message(SEND_ERROR "${name}: takes ${ratio} times as long as with 64 micro-batches; at most ${MOST}")
  endif()
  math(EXPR seen "${seen} + 1")
endforeach()
if(seen EQUAL 0)
  message(FATAL_ERROR "no benchmark matches ${FILTER}")
endif()
