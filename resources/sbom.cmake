# SPDX-License-Identifier: GPL-3.0-or-later
# What a package is made of, for those who look for known faults in it: a list of libraries with the versions that the
# build found, in SPDX 2.3 (spdx.github.io/spdx-spec/v2.3), installed as share/doc/PACKAGE/PACKAGE.spdx. Without dpkg a
# library's version is that of its CMake package.
find_program(DPKG_QUERY dpkg-query)

# Name, licence, Debian's package, how it is part of the program; then CMake's variable of the version.
set(CARDFIT_LIBRARIES
    "nlohmann-json|MIT|nlohmann-json3-dev|STATIC_LINK|nlohmann_json_VERSION"
    "fmt|MIT|libfmt-dev|DYNAMIC_LINK|fmt_VERSION"
    "CLI11|BSD-3-Clause|libcli11-dev|STATIC_LINK|CLI11_VERSION"
    "tl-expected|CC0-1.0|libexpected-dev|STATIC_LINK|tl-expected_VERSION"
    "oneTBB|Apache-2.0|libtbb-dev|DYNAMIC_LINK|TBB_VERSION"
    "tomlplusplus|MIT|libtomlplusplus-dev|STATIC_LINK|"
    "yaml-cpp|MIT|libyaml-cpp-dev|DYNAMIC_LINK|yaml-cpp_VERSION"
    "zlib|Zlib|zlib1g-dev|DYNAMIC_LINK|ZLIB_VERSION_STRING"
    "Qt|LGPL-3.0-only|qt6-base-dev|DYNAMIC_LINK|Qt6_VERSION"
    "QtSvg|LGPL-3.0-only|qt6-svg-dev|DYNAMIC_LINK|Qt6_VERSION"
    "QCustomPlot|GPL-3.0-or-later|libqcustomplot-dev|DYNAMIC_LINK|"
    "pybind11|BSD-3-Clause|pybind11-dev|STATIC_LINK|pybind11_VERSION")

# cardfit_install_sbom(<package> <component> <library>…): names of rows above.
function(cardfit_install_sbom package component)
  foreach(name nlohmann_json fmt CLI11 tl-expected TBB yaml-cpp ZLIB) # found before, in folders of their own
    find_package(${name} QUIET)
  endforeach()
  string(CONCAT text "SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\n"
         "DocumentName: ${package}-${PROJECT_VERSION}\n"
         "DocumentNamespace: ${PROJECT_HOMEPAGE_URL}/spdx/${package}-${PROJECT_VERSION}\n"
         "Creator: Organization: Cardfit developers\nCreated: @CREATED@\n\n"
         "PackageName: ${package}\nSPDXID: SPDXRef-${package}\nPackageVersion: ${PROJECT_VERSION}\n"
         "PackageDownloadLocation: ${PROJECT_HOMEPAGE_URL}\nFilesAnalyzed: false\n"
         "PackageLicenseConcluded: GPL-3.0-or-later\nPackageLicenseDeclared: GPL-3.0-or-later\n"
         "PackageCopyrightText: 2026 Cardfit developers\n"
         "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-${package}\n")
  foreach(row ${CARDFIT_LIBRARIES})
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 name)
    list(GET row 1 license)
    list(GET row 2 debian)
    list(GET row 3 relation)
    list(GET row 4 variable)
    if(NOT name IN_LIST ARGN)
      continue()
    endif()
    set(version "")
    if(DPKG_QUERY)
      execute_process(COMMAND ${DPKG_QUERY} -W -f "\${Version}" ${debian} OUTPUT_VARIABLE version ERROR_QUIET)
    endif()
    set(purl "")
    if(version)
      string(REPLACE ":" "%3A" escaped "${version}")
      string(REPLACE "+" "%2B" escaped "${escaped}")
      string(REPLACE "~" "%7E" escaped "${escaped}")
      set(purl "ExternalRef: PACKAGE-MANAGER purl pkg:deb/debian/${debian}@${escaped}\n")
    elseif(variable AND ${variable})
      set(version ${${variable}})
    else()
      set(version NOASSERTION)
    endif()
    string(APPEND text "\nPackageName: ${name}\nSPDXID: SPDXRef-${name}\nPackageVersion: ${version}\n"
           "PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\nPackageLicenseConcluded: NOASSERTION\n"
           "PackageLicenseDeclared: ${license}\nPackageCopyrightText: NOASSERTION\n${purl}"
           "Relationship: SPDXRef-${package} ${relation} SPDXRef-${name}\n")
  endforeach()
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${package}.spdx)
  file(WRITE ${made}.in "${text}")
  # The time as in packages.
  install(CODE "
    set(CPACK_CARDFIT_SOURCE \"${PROJECT_SOURCE_DIR}\")
    include(\"${CMAKE_CURRENT_SOURCE_DIR}/reproducible.cmake\")
    string(TIMESTAMP CREATED %Y-%m-%dT%H:%M:%SZ UTC)
    configure_file(\"${made}.in\" \"${made}\" @ONLY)
    file(INSTALL \"${made}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/doc/${package}\")"
          COMPONENT ${component})
endfunction()

set(core nlohmann-json fmt tl-expected oneTBB tomlplusplus yaml-cpp zlib)
cardfit_install_sbom(cardfit-cli cli ${core} CLI11)
cardfit_install_sbom(libcardfit-dev dev ${core})
if(CARDFIT_HAS_PYTHON)
  cardfit_install_sbom(python3-cardfit python ${core} pybind11)
endif()
if(CARDFIT_GUI)
  cardfit_install_sbom(cardfit window ${core} CLI11 Qt QtSvg QCustomPlot)
endif()
