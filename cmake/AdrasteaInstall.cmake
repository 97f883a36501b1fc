# What `cmake --install` gives: for C users headers, libraries, CMake package, pkg-config files, and oshcc, oshc++ and
# oshrun, which find the rest beside themselves; for the jars, when
# ADRASTEA_JAR_DIR is set, plain stripped files: the library under classes/native/<os>-<arch> (component `jar`), for
# AArch64 as well where it can be compiled, and the benches' programs under programs/native/<os>-<arch> (component
# `programs`). Maven makes the targets `install-library` and `install-programs`, which compile only what they install.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(ADRASTEA_JAR_DIR "" CACHE PATH "Also install under here what the jars carry (set by Maven's hook)")

target_include_directories(adrastea INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/../include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(shmem INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS adrastea shmem EXPORT adrastea LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${ADRASTEA_SHMEM_INCLUDE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS oshrun RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
file(RELATIVE_PATH bindir_to_prefix /prefix/${CMAKE_INSTALL_BINDIR} /prefix)
target_compile_definitions(oshrun PRIVATE ADR_OSHRUN_LIBRARY="${CMAKE_INSTALL_LIBDIR}/libshmem.so")
foreach(tool "oshcc;C;OSHMEM_CC;cc" "oshc++;C++;OSHMEM_CXX;c++")
  list(GET tool 0 name)
  list(GET tool 1 language)
  list(GET tool 2 compiler_variable)
  list(GET tool 3 compiler)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/oshcc.in tools/${name} @ONLY)
  install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/tools/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()
install(TARGETS adrastea-floor adrastea-calls adrastea-copies
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/../include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/adrastea)
install(EXPORT adrastea NAMESPACE adrastea:: FILE adrastea-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/adrastea-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/adrastea-config-version.cmake DESTINATION ${package_dir})
file(RELATIVE_PATH libdir_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/adrastea.pc.in adrastea.pc @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/shmem.pc.in shmem.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/adrastea.pc ${CMAKE_CURRENT_BINARY_DIR}/shmem.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(ADRASTEA_JAR_DIR)
  string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" platform)
  set(library_dir ${ADRASTEA_JAR_DIR}/classes/native/${platform})
  set(jar_library ${CMAKE_SHARED_LIBRARY_PREFIX}adrastea${CMAKE_SHARED_LIBRARY_SUFFIX})
  install(FILES $<TARGET_FILE:adrastea> DESTINATION ${library_dir} RENAME ${jar_library} COMPONENT jar)
  set(programs_dir ${ADRASTEA_JAR_DIR}/programs/native/${platform})
  set(programs adrastea-floor adrastea-calls adrastea-copies adrastea-counts adrastea-counts-plain adrastea-pool
    adrastea-datatypes adrastea-hog adrastea-rma adrastea-shmem)
  foreach(program ${programs})
    install(PROGRAMS $<TARGET_FILE:${program}> DESTINATION ${programs_dir} COMPONENT programs)
  endforeach()
  if(CMAKE_STRIP)
    install(CODE "execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded \"${library_dir}/${jar_library}\"
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT jar)
    install(CODE "execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded
      \"${programs_dir}/adrastea-floor\" \"${programs_dir}/adrastea-calls\" \"${programs_dir}/adrastea-copies\"
      \"${programs_dir}/adrastea-pool\" \"${programs_dir}/adrastea-datatypes\" \"${programs_dir}/adrastea-hog\"
      \"${programs_dir}/adrastea-rma\" \"${programs_dir}/adrastea-shmem\"
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT programs)
    # callgrind finds what to count by name
    install(CODE "execute_process(COMMAND ${CMAKE_STRIP} --strip-debug
      \"${programs_dir}/adrastea-counts\" \"${programs_dir}/adrastea-counts-plain\" COMMAND_ERROR_IS_FATAL ANY)"
      COMPONENT programs)
  endif()
  set(install_component ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --component)
  add_custom_target(install-library COMMAND ${install_component} Unspecified COMMAND ${install_component} jar)
  add_dependencies(install-library adrastea shmem oshrun)
  add_custom_target(install-programs COMMAND ${install_component} programs)
  add_dependencies(install-programs ${programs})
  if(platform STREQUAL "linux-x86_64")
    include(${CMAKE_CURRENT_LIST_DIR}/AdrasteaAarch64.cmake)
  endif()
endif()
