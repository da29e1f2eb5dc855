# SPDX-License-Identifier: GPL-3.0-or-later
# `cpack` in a build folder makes a .deb of every component; the same commit twice makes the same files.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cardfit)
set(CPACK_PACKAGE_VENDOR Cardfit)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_CONTACT "Cardfit developers <cardfit@users.noreply.github.com>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL cli dev)
if(CARDFIT_GUI)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
if(CARDFIT_HAS_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_SOURCE_DIR}/reproducible.cmake) # read when packing
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/open_folders.cmake) # run when all files are in place
set(CPACK_CARDFIT_SOURCE ${PROJECT_SOURCE_DIR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME cardfit)
set(CPACK_COMPONENT_WINDOW_DESCRIPTION "planner for large-model training runs
Memory of every card, pipeline timeline and step time of a training run, while
sliders of model size, sequence length, batch and parallel degrees move, in a
window and on the command line.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "qt6-translations-l10n, fonts-dejavu-core, fonts-droid-fallback | fonts-noto-cjk")
set(CPACK_DEBIAN_WINDOW_PACKAGE_CONFLICTS cardfit-cli)
set(CPACK_DEBIAN_WINDOW_PACKAGE_REPLACES cardfit-cli)

set(CPACK_DEBIAN_CLI_PACKAGE_NAME cardfit-cli)
set(CPACK_COMPONENT_CLI_DESCRIPTION "planner for large-model training runs (command line)
Estimates, checks, explains and searches plans of training runs, and reads and
writes launch commands, without Qt and without a display: for login nodes and
containers. The package cardfit has the same commands, charts and a window.")
set(CPACK_DEBIAN_CLI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_CLI_PACKAGE_CONFLICTS cardfit)
set(CPACK_DEBIAN_CLI_PACKAGE_REPLACES cardfit)

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libcardfit-dev)
set(CPACK_COMPONENT_DEV_DESCRIPTION "planner for large-model training runs (library)
The calculation behind cardfit as a static C++ library with a CMake package.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libfmt-dev, libexpected-dev, libtbb-dev, libyaml-cpp-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cardfit | cardfit-cli")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-cardfit)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "planner for large-model training runs (Python module)
Estimates, checks and searches plans of training runs from Python programs and
notebooks, where an estimate shows itself as a chart.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
# A module works with the Python that it was built for.
if(CARDFIT_HAS_PYTHON)
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next})")
endif()
