/* What the tests survival_* call their stop points and their cases, for the message of a check that fails. */
#pragma once

#include <stdio.h>

#include "base/adr_stop.h"

static char case_name[200]; /* empty: none is under way */

/* Is given to atexit. */
static inline void name_the_case(void) {
  if (case_name[0] != '\0') { fprintf(stderr, "in the case: %s\n", case_name); }
}

static inline const char *stop_name(int point) {
#define STOP_NAME(name) #name,
  static const char *const names[] = {ADR_STOP_POINTS(STOP_NAME) ADR_STOP_REGION_POINTS(STOP_NAME)
                                          ADR_STOP_CONTEXT_POINTS(STOP_NAME) ADR_STOP_COLLECTIVE_POINTS(STOP_NAME)
                                              ADR_STOP_WINDOW_POINTS(STOP_NAME) ADR_STOP_LOCK_POINTS(STOP_NAME)};
  return point < 0 ? "nowhere" : names[point];
}
