/* Checks for the C tests: the first one that fails says where, and ends the program with 1. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      exit(1); \
    } \
  } while (0)

#define CHECK_EQUAL(expected, actual) \
  do { \
    long long expected_ = (long long)(expected); \
    long long actual_ = (long long)(actual); \
    if (expected_ != actual_) { \
      fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", __FILE__, __LINE__, #actual, actual_, expected_); \
      exit(1); \
    } \
  } while (0)

/* Runs one test function and names it. */
#define RUN(test) \
  do { \
    test(); \
    printf("ok %s\n", #test); \
    fflush(stdout); \
  } while (0)

enum { CHECK_SKIPPED = 77 }; /* exit code that ctest counts as skipped */
