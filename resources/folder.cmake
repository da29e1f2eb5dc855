# SPDX-License-Identifier: GPL-3.0-or-later
# Makes one archive that holds the window with Qt and all other libraries but the C library, which no program can bring
# along: unpacked anywhere, cardfit/bin/cardfit runs. The same commit twice makes the same archive.
#   cmake -DBUILD=… -DSOURCE=… -DPLUGINS=… -DARCHIVE=….tar.gz -P folder.cmake
cmake_minimum_required(VERSION 3.25)
set(tree ${BUILD}/folder/cardfit)
file(REMOVE_RECURSE ${tree} ${ARCHIVE})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component window --strip --prefix ${tree}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# What Qt loads by name: the display, also without one, icons, pictures, and how keys and text are entered.
set(plugins)
foreach(pattern platforms/libqxcb.so platforms/libqoffscreen.so platforms/libqwayland*.so xcbglintegrations/*.so
        wayland-shell-integration/*.so wayland-decoration-client/*.so iconengines/libqsvgicon.so
        imageformats/libqsvg.so platforminputcontexts/*.so printsupport/*.so)
  file(GLOB found RELATIVE ${PLUGINS} ${PLUGINS}/${pattern})
  list(APPEND plugins ${found})
endforeach()
foreach(plugin ${plugins})
  get_filename_component(folder ${plugin} DIRECTORY)
  file(COPY ${PLUGINS}/${plugin} DESTINATION ${tree}/plugins/${folder})
endforeach()
file(WRITE ${tree}/bin/qt.conf "[Paths]\nPrefix = ..\nPlugins = plugins\n")

# The C library and its loader belong to the system; everything else is taken along.
list(TRANSFORM plugins PREPEND ${PLUGINS}/)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${tree}/bin/cardfit MODULES ${plugins}
     RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing
     PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util|anl|nss_.*)\\.so")
if(missing)
  message(FATAL_ERROR "These libraries are not here: ${missing}")
endif()
foreach(library ${libraries})
  file(COPY ${library} DESTINATION ${tree}/lib FOLLOW_SYMLINK_CHAIN)
endforeach()

if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE time
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{SOURCE_DATE_EPOCH} ${time})
endif()
execute_process(COMMAND tar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX
                        --mtime=@$ENV{SOURCE_DATE_EPOCH} -C ${BUILD}/folder -cf - cardfit
                COMMAND gzip -9n OUTPUT_FILE ${ARCHIVE} COMMAND_ERROR_IS_FATAL ANY)
file(SIZE ${ARCHIVE} size)
math(EXPR size "${size} / 1000000")
message(STATUS "${ARCHIVE}: ${size} MB")
