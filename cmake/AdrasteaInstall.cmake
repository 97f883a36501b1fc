# What `cmake --install` gives: for C users headers, library, CMake package and pkg-config file; for the
# jar, when ADRASTEA_JAR_DIR is set, plain stripped files under native/<os>-<arch> (component `jar`).

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(ADRASTEA_JAR_DIR "" CACHE PATH "Also install under here what the jar carries (set by Maven's hook)")

target_include_directories(adrastea INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/../include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS adrastea EXPORT adrastea LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS adrastea-floor adrastea-calls adrastea-copies RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/../include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/adrastea)
install(EXPORT adrastea NAMESPACE adrastea:: FILE adrastea-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/adrastea-config-version.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/adrastea-config-version.cmake DESTINATION ${package_dir})
file(RELATIVE_PATH libdir_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/adrastea.pc.in adrastea.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/adrastea.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(ADRASTEA_JAR_DIR)
  string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" platform)
  set(jar_dir ${ADRASTEA_JAR_DIR}/native/${platform})
  set(jar_library ${CMAKE_SHARED_LIBRARY_PREFIX}adrastea${CMAKE_SHARED_LIBRARY_SUFFIX})
  install(FILES $<TARGET_FILE:adrastea> DESTINATION ${jar_dir} RENAME ${jar_library} COMPONENT jar)
  install(PROGRAMS $<TARGET_FILE:adrastea-floor> $<TARGET_FILE:adrastea-calls> $<TARGET_FILE:adrastea-copies>
    $<TARGET_FILE:adrastea-counts> $<TARGET_FILE:adrastea-counts-plain> $<TARGET_FILE:adrastea-pool>
    DESTINATION ${jar_dir} COMPONENT jar)
  if(CMAKE_STRIP)
    install(CODE "execute_process(COMMAND ${CMAKE_STRIP} --strip-unneeded
      \"${jar_dir}/${jar_library}\" \"${jar_dir}/adrastea-floor\" \"${jar_dir}/adrastea-calls\" \"${jar_dir}/adrastea-copies\"
      \"${jar_dir}/adrastea-pool\"
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT jar)
    # callgrind finds what to count by name
    install(CODE "execute_process(COMMAND ${CMAKE_STRIP} --strip-debug
      \"${jar_dir}/adrastea-counts\" \"${jar_dir}/adrastea-counts-plain\" COMMAND_ERROR_IS_FATAL ANY)"
      COMPONENT jar)
  endif()
endif()
