# SPDX-License-Identifier: GPL-3.0-or-later
# What cpack takes from its surroundings: the time, which is SOURCE_DATE_EPOCH or else that of the commit.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CPACK_CARDFIT_SOURCE}
                  OUTPUT_VARIABLE time OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    message(WARNING "No SOURCE_DATE_EPOCH and no commit: packages hold the time at which they are made")
  else()
    set(ENV{SOURCE_DATE_EPOCH} ${time})
  endif()
endif()
