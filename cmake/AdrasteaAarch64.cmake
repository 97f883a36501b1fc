# The library for AArch64 beside that of this machine, for the jar: cross-compiled in a build folder of its own.

find_program(ADRASTEA_AARCH64_GCC aarch64-linux-gnu-gcc)
mark_as_advanced(ADRASTEA_AARCH64_GCC)
set(can_cross_compile 1)
if(ADRASTEA_AARCH64_GCC) # its headers come in a package of their own
  execute_process(COMMAND ${ADRASTEA_AARCH64_GCC} -x c -include stdio.h -E /dev/null
    RESULT_VARIABLE can_cross_compile OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT can_cross_compile EQUAL 0)
  message(WARNING "jar: holds the library for x86-64 alone, "
    "since aarch64-linux-gnu-gcc and its headers are not both here; "
    "apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross")
  return()
endif()
message(STATUS "jar: holds the library for x86-64 and for AArch64")

include(ExternalProject)
set(aarch64_dir ${CMAKE_CURRENT_BINARY_DIR}/aarch64)
ExternalProject_Add(adrastea_aarch64
  PREFIX ${aarch64_dir}
  BINARY_DIR ${aarch64_dir}/build
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  CMAKE_ARGS -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=${ADRASTEA_AARCH64_GCC}
    -DADRASTEA_JAR_DIR=${ADRASTEA_JAR_DIR} -DADRASTEA_JNI=${ADRASTEA_JNI} -DBUILD_TESTING=OFF
  BUILD_COMMAND $(MAKE) adrastea # the makes share their jobs
  BUILD_ALWAYS ON
  INSTALL_COMMAND "")
add_dependencies(install-library adrastea_aarch64)
install(CODE "execute_process(COMMAND ${CMAKE_COMMAND} --install ${aarch64_dir}/build --component jar
  COMMAND_ERROR_IS_FATAL ANY)" COMPONENT jar)
