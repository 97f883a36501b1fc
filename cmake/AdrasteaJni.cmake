# Whether the library gets the functions of the jni core: ADRASTEA_JNI is AUTO (when jni.h is found), ON or OFF. Sets
# ADRASTEA_HAS_JNI and ADRASTEA_JNI_INCLUDE. FindJNI is of no use here: before CMake 3.26 it misses JDKs in Debian's
# place unless JAVA_HOME is set, and it wants libjvm, which nothing here links to.

set(ADRASTEA_JNI AUTO CACHE STRING "Build the functions of the jni core: AUTO, ON or OFF")
set_property(CACHE ADRASTEA_JNI PROPERTY STRINGS AUTO ON OFF)
set(ADRASTEA_HAS_JNI OFF)
if(NOT ADRASTEA_JNI)
  return()
endif()

find_program(ADRASTEA_JAVAC javac HINTS ENV JAVA_HOME PATH_SUFFIXES bin)
mark_as_advanced(ADRASTEA_JAVAC)
set(jdk)
if(ADRASTEA_JAVAC)
  file(REAL_PATH ${ADRASTEA_JAVAC} javac)
  cmake_path(GET javac PARENT_PATH jdk)
  cmake_path(GET jdk PARENT_PATH jdk)
endif()
file(GLOB jdks /usr/lib/jvm/*)
find_path(ADRASTEA_JNI_H jni.h HINTS ENV JAVA_HOME PATHS ${jdk} ${jdks} PATH_SUFFIXES include)
find_path(ADRASTEA_JNI_MD_H jni_md.h HINTS ${ADRASTEA_JNI_H} PATH_SUFFIXES linux darwin win32 freebsd)
mark_as_advanced(ADRASTEA_JNI_H ADRASTEA_JNI_MD_H)

if(ADRASTEA_JNI_H AND ADRASTEA_JNI_MD_H)
  set(ADRASTEA_HAS_JNI ON)
  set(ADRASTEA_JNI_INCLUDE ${ADRASTEA_JNI_H} ${ADRASTEA_JNI_MD_H})
  message(STATUS "jni core: with ${ADRASTEA_JNI_H}/jni.h")
elseif(ADRASTEA_JNI STREQUAL "AUTO")
  message(WARNING "jni core: left out, since no jni.h was found; set JAVA_HOME to a JDK to have it")
else()
  message(FATAL_ERROR "ADRASTEA_JNI is ON and no jni.h was found; set JAVA_HOME to a JDK")
endif()
