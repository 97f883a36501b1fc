/* Which rank of which job a process is, and a way to learn it. Twin of io.adrastea.bootstrap.Membership and
 * io.adrastea.bootstrap.Bootstrap. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "adrastea/job.h"
#include "segment/adr_process.h"

enum { ADR_CLAIM_WORDS = 256, ADR_NODE_WORDS = 256 };

/* What the environment says, of one way. */
struct adr_claim {
  uint32_t rank;
  uint32_t size;               /* 0: the launcher tells it later */
  char words[ADR_CLAIM_WORDS]; /* what was found, for messages */
};

/* Which rank of which job this process is. */
struct adr_membership {
  uint64_t job;
  uint32_t rank;
  uint32_t size;
  uint32_t node;                   /* that this process is on, of those of the job */
  struct adr_process launcher;     /* whose end ends this rank; pid 0: none */
  bool ours;                       /* whether the launcher is ours, which removes the segment's file when it ends */
  char node_words[ADR_NODE_WORDS]; /* what the launcher says of several nodes; "": nothing */
};

/* A way. `claim` reads variables alone; `join` may talk to a launcher. */
struct adr_bootstrap {
  const char *name; /* as ADRASTEA_BOOTSTRAP has it */

  /* Returns 1: the process was started in this way; 0: it was not; or -EINVAL: what is given is incomplete or wrong. */
  int (*claim)(struct adr_claim *claim, adr_error *error);

  /* Fills in what a claim leaves open: `membership` has rank and size. Returns 0 or an error. */
  int (*join)(struct adr_membership *membership, adr_error *error);
};
