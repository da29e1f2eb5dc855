# SPDX-License-Identifier: GPL-3.0-or-later
# find_package(QCustomPlot): the target QCustomPlot::QCustomPlot, built for Qt 6, under whatever name the system has it.
# Requires Qt 6's Widgets and PrintSupport. QCustomPlot itself brings no CMake package; what each system made of it:
#
#   QCustomPlotQt6     Debian, Ubuntu: a CMake package and a library of that name (its QCustomPlot is for Qt 5)
#   qcustomplot-qt6    Fedora, openSUSE
#   qcustomplot        vcpkg, Homebrew, builds of one's own: Qt 6 where Qt 5 is not installed as well
#
# Where it is nowhere: -DQCUSTOMPLOT_SOURCES=<folder with qcustomplot.cpp and qcustomplot.h> compiles it into the program.
set(QCUSTOMPLOT_SOURCES "" CACHE PATH "Folder with qcustomplot.cpp and qcustomplot.h, where no package has the library")

if(TARGET QCustomPlot::QCustomPlot)
  set(QCustomPlot_FOUND TRUE)
  return()
endif()

if(QCUSTOMPLOT_SOURCES)
  add_library(qcustomplot_sources STATIC ${QCUSTOMPLOT_SOURCES}/qcustomplot.cpp ${QCUSTOMPLOT_SOURCES}/qcustomplot.h)
  set_target_properties(qcustomplot_sources PROPERTIES AUTOMOC ON POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
  target_include_directories(qcustomplot_sources SYSTEM INTERFACE ${QCUSTOMPLOT_SOURCES})
  target_link_libraries(qcustomplot_sources PUBLIC Qt6::Widgets Qt6::PrintSupport)
  add_library(QCustomPlot::QCustomPlot ALIAS qcustomplot_sources)
  set(QCustomPlot_FOUND TRUE)
  return()
endif()

find_package(QCustomPlotQt6 CONFIG QUIET)
if(QCustomPlotQt6_FOUND)
  add_library(QCustomPlot::QCustomPlot INTERFACE IMPORTED)
  target_link_libraries(QCustomPlot::QCustomPlot INTERFACE QCustomPlotQt6::QCustomPlotQt6)
  target_compile_definitions(QCustomPlot::QCustomPlot INTERFACE QCUSTOMPLOT_USE_LIBRARY)
  set(QCustomPlot_FOUND TRUE)
else()
  find_library(QCustomPlot_LIBRARY NAMES QCustomPlotQt6 qcustomplot-qt6 qcustomplot QCustomPlot)
  find_path(QCustomPlot_INCLUDE_DIR qcustomplot.h PATH_SUFFIXES qcustomplot-qt6 qcustomplot)
  include(FindPackageHandleStandardArgs)
  find_package_handle_standard_args(QCustomPlot REQUIRED_VARS QCustomPlot_LIBRARY QCustomPlot_INCLUDE_DIR
      REASON_FAILURE_MESSAGE "install it for Qt 6, or give its two files with -DQCUSTOMPLOT_SOURCES=<folder>")
  mark_as_advanced(QCustomPlot_LIBRARY QCustomPlot_INCLUDE_DIR)
  if(QCustomPlot_FOUND)
    add_library(QCustomPlot::QCustomPlot UNKNOWN IMPORTED)
    set_target_properties(QCustomPlot::QCustomPlot PROPERTIES
        IMPORTED_LOCATION ${QCustomPlot_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${QCustomPlot_INCLUDE_DIR})
    target_link_libraries(QCustomPlot::QCustomPlot INTERFACE Qt6::Widgets Qt6::PrintSupport)
    target_compile_definitions(QCustomPlot::QCustomPlot INTERFACE QCUSTOMPLOT_USE_LIBRARY)
  endif()
endif()
