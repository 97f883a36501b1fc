/* What the environment says of a job. Twin of io.adrastea.config.Tunable and io.adrastea.bootstrap.LauncherBootstrap: the same
 * names, defaults and limits. Blanks around a value are no part of it, an empty value is as none, and words may be in upper or lower case. Settings of
 * what C ranks do not have (ADRASTEA_CORE, ADRASTEA_LMT and so on) are not read. */
#ifndef ADR_SETTINGS_H
#define ADR_SETTINGS_H

#include <limits.h>

#include "adrastea/job.h"
#include "segment/adr_process.h"
#include "segment/adr_segment_shape.h"

/* Whether ranks are taken to outnumber CPUs; AUTO: as it is found. */
enum adr_crowding { ADR_CROWDED_AUTO, ADR_CROWDED_OFF, ADR_CROWDED_ON };

struct adr_settings {
  uint64_t job;
  uint32_t rank;
  uint32_t size;
  struct adr_process launcher; /* pid 0: none */
  int32_t cpu;                 /* that the joining thread is pinned to; -1: none */
  uint32_t join_timeout;       /* milliseconds */
  uint32_t spins;
  enum adr_crowding crowded;
  /* of the segment, when this rank makes it */
  uint32_t cells;
  uint32_t cell_bytes;
  struct adr_box_settings boxes;
  char directory[PATH_MAX];
};

/* Reads all of it; without job, rank and size it is a job of one with a random number. Returns 0, or -EINVAL: one is missing, out
 * of range or contradicts another; `error` says which and what is allowed. */
int adr_settings_read(struct adr_settings *settings, adr_error *error);

#endif
