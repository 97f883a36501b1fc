/* Waits in windows beside those of the calls in adrastea/window.h. */
#pragma once

#include "job/adr_window_state.h"

/* Before the first access to a target in lock_all: waits until no exclusive lock is there that was before. */
int adr_window_settle(struct adr_window *window, uint32_t target);

/* Waits for a stripe of a target, which adr_window_stripes_release gives back. */
int adr_window_acquire_stripe(struct adr_window *window, uint32_t target, uint32_t stripe);
