/* What is wrong with a call on a window, in words. */
#pragma once

#include "job/adr_window_state.h"

/* Refuses a call in words of its own, which follow the name of the window. Returns -EINVAL. */
int adr_window_refuse(const struct adr_window *window, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Refuses a rank that the window does not have. Returns 0 or -EINVAL. */
int adr_window_check_rank(const struct adr_window *window, const char *name, int rank);
