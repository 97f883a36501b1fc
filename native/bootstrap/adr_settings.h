/* What the environment says of a job, all of it. */
#pragma once

#include <limits.h>

#include "bootstrap/adr_bootstrap.h"
#include "segment/adr_geometry.h"

/* Whether ranks are taken to outnumber CPUs; AUTO: as it is found. */
enum adr_oversubscription { ADR_OVERSUBSCRIBED_AUTO, ADR_OVERSUBSCRIBED_OFF, ADR_OVERSUBSCRIBED_ON };

struct adr_settings {
  struct adr_membership membership;
  int32_t cpu;           /* that the joining thread is pinned to; -1: none */
  uint32_t join_timeout; /* milliseconds */
  uint32_t spins;
  uint32_t hang_report; /* seconds, 0: none */
  enum adr_oversubscription oversubscribed;
  /* of the segment, when this rank makes it */
  uint32_t cells;
  uint32_t cell_bytes;
  struct adr_box_settings boxes;
  uint32_t checks;  /* ADR_CHECK_... */
  uint32_t choices; /* ADR_SLOT_..., of the world */
  char directory[PATH_MAX];
};

/* Reads all of it. Returns 0, or -EINVAL: a setting is missing, out of range or contradicts another; `error` says which
 * and what is allowed; or what a bootstrap fails with. */
int adr_settings_read(struct adr_settings *settings, adr_error *error);
