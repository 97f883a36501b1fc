/* A setting of the environment, declared once. Twin of io.adrastea.config.Tunable: docs/settings.md lists names,
 * defaults and limits, and tests hold both to it. Blanks around a value are no part of it, an empty value is as none,
 * and words may be in upper or lower case. Settings of what C ranks do not have (ADRASTEA_CORE, ADRASTEA_LMT and so on)
 * are not read. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "adrastea/job.h"

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
  ADR_SETTING_BOOTSTRAP,
  ADR_SETTING_RENDEZVOUS,
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

/* A copy without the blanks around it, cut off where there is no place for more. */
typedef char adr_setting_value[PATH_MAX];

/* What the environment holds, into `text`; "": nothing. */
const char *adr_setting_given(int setting, adr_setting_value text);

/* Whether the environment holds a value that is not empty. */
bool adr_setting_is_set(int setting);

/* The value in force: what the environment holds, or the default. */
const char *adr_setting_in_force(int setting, adr_setting_value text);

/* Refuses a value: -EINVAL, and `error` says what is allowed. */
int adr_setting_refuse(int setting, const char *text, adr_error *error);

/* The value in force as a number. Returns 0, or -EINVAL: it is not a number, or out of range. */
int adr_setting_number(uint32_t *number, int setting, adr_error *error);

/* Whether all of a text is a whole number, which goes to `number`. */
bool adr_is_whole_number(const char *text, long *number);

/* The directory of segments in force. Returns 0 or -ENAMETOOLONG. */
int adr_setting_directory(char directory[PATH_MAX], adr_error *error);
