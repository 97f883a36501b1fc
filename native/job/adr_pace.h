/* When a program that asks again and again, or is always at work, instead of waiting, is to check which ranks are still
 * there: about every 100 ms. Twin of io.adrastea.wait.Pace. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ADR_PACE_NANOS INT64_C(100000000)
#define ADR_PACE_VAIN_CALLS_PER_CLOCK 64u
#define ADR_PACE_CALLS_PER_CLOCK 256u

/* Calls from one reading of the clock to the next: twice as many each time, up to a limit, since a call may be one of
 * many millions a second; and one again once they have taken too long, since a program may as well compute for long
 * between two calls. */
struct adr_stride {
  uint32_t left;
  uint32_t calls;
  uint32_t most;
  int64_t begin;
};

struct adr_pace {
  struct adr_stride vain; /* calls that found nothing */
  struct adr_stride all;
  int64_t next;
};

static inline struct adr_pace adr_pace_from(int64_t now) {
  return (struct adr_pace){.vain = {1, 1, ADR_PACE_VAIN_CALLS_PER_CLOCK, now},
                           .all = {1, 1, ADR_PACE_CALLS_PER_CLOCK, now},
                           .next = now + ADR_PACE_NANOS};
}

/* Counts a call. Whether it is the last of the stride: then the clock is to be read. */
static inline bool adr_stride_ends(struct adr_stride *stride) { return --stride->left == 0; }

static inline void adr_stride_begin(struct adr_stride *stride, int64_t now) {
  int64_t taken = now - stride->begin;
  if (taken > ADR_PACE_NANOS) {
    stride->calls = 1;
  } else if (taken < ADR_PACE_NANOS / 4 && stride->calls < stride->most) {
    stride->calls *= 2;
  }
  stride->left = stride->calls;
  stride->begin = now;
}

/* Begins the next stride. Returns whether it is time to check which ranks are still there. */
static inline bool adr_pace_is_time(struct adr_pace *pace, struct adr_stride *stride, int64_t now) {
  adr_stride_begin(stride, now);
  if (now < pace->next) { return false; }
  pace->next = now + ADR_PACE_NANOS;
  return true;
}
