# SPDX-License-Identifier: GPL-3.0-or-later
# Headers as other programs include them: <cardfit/estimate/estimate.h>. In the sources the folder is called core, a name that
# another project may have as well. Run as:
# cmake -DFROM=<core> -DTO=<folder of cardfit/> -DHEADERS=<paths below core, separated by |> -P installed_headers.cmake
string(REPLACE "|" ";" HEADERS "${HEADERS}")
file(REMOVE_RECURSE ${TO}) # no header that is gone
foreach(header ${HEADERS})
  file(READ ${FROM}/${header} text)
  string(REPLACE "#include \"core/" "#include \"cardfit/" text "${text}")
  file(WRITE ${TO}/${header} "${text}")
endforeach()
