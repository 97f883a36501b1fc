# Options and flags that every target of the C core shares: link to `adrastea_options`.

set(ADRASTEA_ARCH "x86-64-v2" CACHE STRING "Value of -march on x86-64; empty for the compiler's own")
set(ADRASTEA_SANITIZE "" CACHE STRING
  "Sanitizer to build with: address, undefined, both with a comma, thread, or empty")
set_property(CACHE ADRASTEA_SANITIZE PROPERTY STRINGS "" address undefined address,undefined thread)

if(NOT ADRASTEA_SANITIZE MATCHES "^(address|undefined|address,undefined|thread)?$")
  message(FATAL_ERROR
    "ADRASTEA_SANITIZE is '${ADRASTEA_SANITIZE}'; it may be address, undefined, address,undefined, thread, or empty.")
endif()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(adrastea_options INTERFACE)
target_compile_options(adrastea_options INTERFACE -Wall -Wextra -Wpedantic -Werror)
target_compile_definitions(adrastea_options INTERFACE _GNU_SOURCE ADR_VERSION="${PROJECT_VERSION}")
target_include_directories(adrastea_options INTERFACE
  ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/../include)
target_link_libraries(adrastea_options INTERFACE ${CMAKE_DL_LIBS})
if(ADRASTEA_ARCH AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(adrastea_options INTERFACE -march=${ADRASTEA_ARCH})
endif()
if(ADRASTEA_SANITIZE)
  target_compile_options(adrastea_options INTERFACE
    -fsanitize=${ADRASTEA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O1)
  target_link_options(adrastea_options INTERFACE -fsanitize=${ADRASTEA_SANITIZE})
endif()
