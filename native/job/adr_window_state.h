/* What a window consists of, private to its rank. */
#pragma once

#include "adrastea/window.h"
#include "job/adr_comm_state.h"
#include "window/adr_window_lock.h"
#include "window/adr_window_stripes.h"
#include "window/adr_window_sync.h"

/* How this rank may access a member's memory. */
enum adr_window_access { ADR_WINDOW_NOT, ADR_WINDOW_STARTED, ADR_WINDOW_SHARED, ADR_WINDOW_EXCLUSIVE };

/* What a rank knows of each member. */
struct adr_window_member {
  uint8_t *memory;
  uint64_t bytes;
  uint64_t unit;
  uint64_t starts;  /* of this rank with it, so far */
  uint64_t posts;   /* of this rank to it, so far */
  uint64_t settled; /* in which lock_all of this rank it was settled last */
  enum adr_window_access access;
  bool exposed; /* this rank's memory is open to it */
};

struct adr_window {
  struct adr_job *job;
  struct adr_comm *comm; /* its own */
  void **blocks;
  uint8_t *attempts;
  struct adr_window_lock lock;
  struct adr_window_stripes stripes;
  struct adr_window_sync sync;
  uint64_t epoch; /* how often this rank was in lock_all */
  uint32_t held;  /* locks of single targets */
  bool all;       /* it is in lock_all */
  bool fenced;    /* a fence has opened all targets */
  bool started;
  bool exposed;
  uint32_t size;
  uint32_t rank;
  struct adr_window_member members[];
};
