#include "bootstrap/adr_setting.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bootstrap/adr_job_error.h"
#include "segment/adr_geometry.h"

#define BLANKS " \t\n\v\f\r"

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

#define POWERS_OR_NONE(least, most, unit) \
  "allowed are 0 and powers of two from " TEXT(least) " to " TEXT(most) " (" unit ")"

const struct adr_setting adr_setting_table[ADR_SETTING_COUNT] = {
    [ADR_SETTING_JOB] = {"ADRASTEA_JOB", "", "16 hex digits", 0, 0, "allowed are 16 hex digits in lower case"},
    [ADR_SETTING_RANK] = {"ADRASTEA_RANK", "", "rank", 0, INT32_MAX, NULL},
    [ADR_SETTING_SIZE] = {"ADRASTEA_SIZE", "", "ranks", 1, ADR_MAX_LOCAL_RANKS, NULL},
    [ADR_SETTING_LAUNCHER] = {"ADRASTEA_LAUNCHER", "", "pid:start", 0, 0,
                              "allowed is <pid>:<start>, and behind that :<PID namespace>"},
    [ADR_SETTING_BOOTSTRAP] = {"ADRASTEA_BOOTSTRAP", "auto", "name|auto", 0, 0,
                               "allowed are auto, adrastea, slurm, pmix, pmi, rendezvous and none"},
    [ADR_SETTING_RENDEZVOUS] = {"ADRASTEA_RENDEZVOUS", "", "host:port", 0, 0,
                                "allowed is <host>:<port>, with IPv6 as [<address>]:<port>"},
    [ADR_SETTING_BIND] = {"ADRASTEA_BIND", "", "CPU", 0, 1 << 20, NULL},
    [ADR_SETTING_SHM_DIR] = {"ADRASTEA_SHM_DIR", "", "path", 0, 0, ""},
    [ADR_SETTING_JOIN_TIMEOUT] = {"ADRASTEA_JOIN_TIMEOUT", "60000", "ms", 1, INT32_MAX, NULL},
    [ADR_SETTING_CELLS] = {"ADRASTEA_CELLS", "64", "cells", ADR_MIN_CELLS, ADR_MAX_CELLS, NULL},
    [ADR_SETTING_CELL_BYTES] = {"ADRASTEA_CELL_BYTES", "8192", "bytes", ADR_MIN_CELL_PAYLOAD, ADR_MAX_CELL_PAYLOAD,
                                NULL},
    [ADR_SETTING_BOX_LINES] = {"ADRASTEA_BOX_LINES", TEXT(ADR_BOX_SLOTS), "lines", 0, ADR_MAX_BOX_SLOTS,
                               POWERS_OR_NONE(ADR_MIN_BOX_SLOTS, ADR_MAX_BOX_SLOTS, "lines")},
    [ADR_SETTING_BOX_MESSAGE_BYTES] = {"ADRASTEA_BOX_MESSAGE_BYTES", "auto", "bytes|auto", 0, 1 << 15,
                                       "allowed is auto or a whole number from 0 to 32768 (bytes)"},
    [ADR_SETTING_BOX_THRESHOLD] = {"ADRASTEA_BOX_THRESHOLD", TEXT(ADR_BOX_THRESHOLD), "messages", 1, INT32_MAX, NULL},
    [ADR_SETTING_BOX_PREALLOCATE_RANKS] = {"ADRASTEA_BOX_PREALLOCATE_RANKS", TEXT(ADR_BOX_PREALLOCATE_RANKS), "ranks",
                                           0, INT32_MAX, NULL},
    [ADR_SETTING_CHECK] = {"ADRASTEA_CHECK", "off", "off|types|collectives|all", 0, 0,
                           "allowed are off, types, collectives and all"},
    [ADR_SETTING_BARRIER] = {"ADRASTEA_BARRIER", "slot", "slot|counter", 0, 0, "allowed are slot and counter"},
    [ADR_SETTING_COLLECTIVE_WAY] = {"ADRASTEA_COLLECTIVE_WAY", "auto", "auto|stages|direct", 0, 0,
                                    "allowed are auto, stages and direct"},
    [ADR_SETTING_SPINS] = {"ADRASTEA_SPINS", "2000", "polls", 0, INT32_MAX, NULL},
    [ADR_SETTING_HANG_REPORT] = {"ADRASTEA_HANG_REPORT", "30", "s", 0, 86400, NULL},
    [ADR_SETTING_OVERSUBSCRIBED] = {"ADRASTEA_OVERSUBSCRIBED", "auto", "auto|on|off", 0, 0,
                                    "allowed are on, off and auto"},
};

void adr_setting_tell_allowed(const struct adr_setting *setting, char text[ADR_SETTING_TEXT]) {
  if (setting->allowed == NULL) {
    snprintf(text, ADR_SETTING_TEXT, "allowed is a whole number from %" PRId64 " to %" PRId64 " (%s)", setting->least,
             setting->most, setting->unit);
  } else {
    snprintf(text, ADR_SETTING_TEXT, "%s", setting->allowed);
  }
}

const char *adr_setting_given(int setting, adr_setting_value text) {
  const char *value = getenv(adr_setting_table[setting].name);
  const char *from = value == NULL ? "" : value + strspn(value, BLANKS);
  size_t length = strlen(from);
  while (length > 0 && strchr(BLANKS, from[length - 1]) != NULL) { length--; }
  length = length < PATH_MAX ? length : PATH_MAX - 1;
  memcpy(text, from, length);
  text[length] = '\0';
  return text;
}

bool adr_setting_is_set(int setting) {
  adr_setting_value text;
  return *adr_setting_given(setting, text) != '\0';
}

const char *adr_setting_in_force(int setting, adr_setting_value text) {
  return *adr_setting_given(setting, text) == '\0' ? adr_setting_table[setting].initial : text;
}

int adr_setting_refuse(int setting, const char *text, adr_error *error) {
  char allowed[ADR_SETTING_TEXT];
  adr_setting_tell_allowed(&adr_setting_table[setting], allowed);
  return adr_fail(error, -EINVAL, "%s is '%s'; %s", adr_setting_table[setting].name, text, allowed);
}

bool adr_is_whole_number(const char *text, long *number) {
  char *end;
  errno = 0;
  *number = strtol(text, &end, 10);
  return end != text && errno == 0 && *end == '\0';
}

int adr_setting_number(uint32_t *number, int which, adr_error *error) {
  const struct adr_setting *setting = &adr_setting_table[which];
  adr_setting_value given;
  const char *text = adr_setting_in_force(which, given);
  long value;
  if (adr_is_whole_number(text, &value) && value >= setting->least && value <= setting->most) {
    *number = (uint32_t)value;
    return 0;
  }
  return adr_setting_refuse(which, text, error);
}

int adr_setting_directory(char directory[PATH_MAX], adr_error *error) {
  struct stat found;
  bool shm = stat("/dev/shm", &found) == 0 && S_ISDIR(found.st_mode);
  if (*adr_setting_given(ADR_SETTING_SHM_DIR, directory) == '\0') { strcpy(directory, shm ? "/dev/shm" : "/tmp"); }
  if (strlen(directory) < PATH_MAX - 1) { return 0; }
  return adr_fail(error, -ENAMETOOLONG, "ADRASTEA_SHM_DIR is longer than a path can be");
}
