/* What the environment says of a job. Twin of io.adrastea.config.Tunable and io.adrastea.bootstrap.LauncherBootstrap:
 * docs/settings.md lists names, defaults and limits, and tests hold both to it. Blanks around a value are no part of
 * it, an empty value is as none, and words may be in upper or lower case. Settings of what C ranks do not have
 * (ADRASTEA_CORE, ADRASTEA_LMT and so on) are not read. */
#pragma once

#include <limits.h>

#include "adrastea/job.h"
#include "segment/adr_process.h"
#include "segment/adr_geometry.h"

/* A setting that C ranks read. */
struct adr_setting {
  const char *name;    /* of the environment variable */
  const char *initial; /* in force where it is not set; "": none */
  const char *unit;
  int64_t least; /* of a whole number ... */
  int64_t most;
  const char *allowed; /* ... or what is allowed, in words; NULL: a whole number */
};

enum {
  ADR_SETTING_JOB,
  ADR_SETTING_RANK,
  ADR_SETTING_SIZE,
  ADR_SETTING_LAUNCHER,
  ADR_SETTING_BIND,
  ADR_SETTING_SHM_DIR,
  ADR_SETTING_JOIN_TIMEOUT,
  ADR_SETTING_CELLS,
  ADR_SETTING_CELL_BYTES,
  ADR_SETTING_BOX_LINES,
  ADR_SETTING_BOX_MESSAGE_BYTES,
  ADR_SETTING_BOX_THRESHOLD,
  ADR_SETTING_BOX_PREALLOCATE_RANKS,
  ADR_SETTING_CHECK,
  ADR_SETTING_BARRIER,
  ADR_SETTING_COLLECTIVE_WAY,
  ADR_SETTING_SPINS,
  ADR_SETTING_HANG_REPORT,
  ADR_SETTING_OVERSUBSCRIBED,
  ADR_SETTING_COUNT
};

/* The settings, by the numbers above. */
extern const struct adr_setting adr_setting_table[ADR_SETTING_COUNT];

enum { ADR_SETTING_TEXT = 128 };

/* What is allowed, as error messages say it; "": whatever it is. */
void adr_setting_tell_allowed(const struct adr_setting *setting, char text[ADR_SETTING_TEXT]);

/* Whether ranks are taken to outnumber CPUs; AUTO: as it is found. */
enum adr_oversubscription { ADR_OVERSUBSCRIBED_AUTO, ADR_OVERSUBSCRIBED_OFF, ADR_OVERSUBSCRIBED_ON };

struct adr_settings {
  uint64_t job;
  uint32_t rank;
  uint32_t size;
  struct adr_process launcher; /* pid 0: none */
  int32_t cpu;                 /* that the joining thread is pinned to; -1: none */
  uint32_t join_timeout;       /* milliseconds */
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

/* Reads all of it; without job, rank and size it is a job of one with a random number. Returns 0, or -EINVAL: one is
 * missing, out of range or contradicts another; `error` says which and what is allowed. */
int adr_settings_read(struct adr_settings *settings, adr_error *error);
