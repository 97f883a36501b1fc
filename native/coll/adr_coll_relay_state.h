/* What a member asks another one to copy, and what it copies for others. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { ADR_COLL_RELAYED = 16384 /* at the end of a quarter: bytes that go through it for another member */ };

struct adr_relay_moves {
  int32_t asked;    /* READ or WRITE: what the caller could not do */
  uint32_t buffer;  /* of the member that is asked: 0 its input, 1 its output */
  uint32_t phase;   /* of what this member asks for; 0: it asks for nothing */
  uint32_t number;  /* of that; odd: it is asked for */
  uint32_t other;   /* member that is asked */
  int64_t place;    /* where the rest of it lies in that member's memory, as it has told, ... */
  int64_t target;   /* ... where in the stages, ... */
  int64_t position; /* ... or where in the caller's input or output, ... */
  int64_t kind;     /* ... as this says: ADR_COLL_IN_... */
  int64_t left;     /* bytes of it */
  uint32_t served;  /* member + 1 that this one has copied for, and that may not be through; 0: none */
  uint32_t served_number;
  bool copies; /* the caller copies for that member now */
};
