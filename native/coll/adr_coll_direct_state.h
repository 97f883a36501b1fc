/* What a member's moves straight from the others' memory have. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A stretch of a member's shared allocations as it is mapped here. */
struct adr_direct_window {
  int64_t offset; /* in the file */
  int64_t bytes;
  uint8_t *memory; /* NULL: not given yet */
};

struct adr_direct_moves {
  struct adr_direct_window *windows; /* two of each member: of its input, of its output; NULL: none was given yet */
  uint32_t wanted;                   /* number of the one that the caller is asked for */
  int32_t asked_for;                 /* READ or WRITE: what the caller was asked for last, of another member's memory */
  uint32_t buffer;                   /* of that member: 0 its input, 1 its output */
  bool whole;                        /* of an allreduce: both members combine all */
  bool writes;                       /* of two members: what one gives, or combines, it writes to the other's output */
  int64_t written;                   /* bytes of what it combines that are there */
  bool brought;                      /* the operand that is looked at is at hand */
  bool own;                          /* what this member combines lies in its output */
  int64_t share;                     /* bytes that the giver writes to each output of a bcast or an exscan */
  uint32_t phase;
  uint32_t at; /* members that this one is done with in the phase */
  int64_t position;
};
