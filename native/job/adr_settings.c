#include "job/adr_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "job/adr_job_error.h"

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

/* A copy without the blanks around it, cut off where there is no place for more. */
typedef char setting_text[PATH_MAX];

static const char *value_of(int setting, setting_text text) {
  const char *value = getenv(adr_setting_table[setting].name);
  const char *from = value == NULL ? "" : value + strspn(value, BLANKS);
  size_t length = strlen(from);
  while (length > 0 && strchr(BLANKS, from[length - 1]) != NULL) { length--; }
  length = length < PATH_MAX ? length : PATH_MAX - 1;
  memcpy(text, from, length);
  text[length] = '\0';
  return text;
}

/* One that is empty is not. */
static bool is_set(int setting) {
  setting_text text;
  return *value_of(setting, text) != '\0';
}

/* The value in force. */
static const char *value_in_force(int setting, setting_text text) {
  return *value_of(setting, text) == '\0' ? adr_setting_table[setting].initial : text;
}

static int refuse(int setting, const char *text, adr_error *error) {
  char allowed[ADR_SETTING_TEXT];
  adr_setting_tell_allowed(&adr_setting_table[setting], allowed);
  return adr_fail(error, -EINVAL, "%s is '%s'; %s", adr_setting_table[setting].name, text, allowed);
}

static bool is_whole_number(const char *text, long *number) {
  char *end;
  errno = 0;
  *number = strtol(text, &end, 10);
  return end != text && errno == 0 && *end == '\0';
}

static int read_number(uint32_t *number, int which, adr_error *error) {
  const struct adr_setting *setting = &adr_setting_table[which];
  setting_text given;
  const char *text = value_in_force(which, given);
  long value;
  if (is_whole_number(text, &value) && value >= setting->least && value <= setting->most) {
    *number = (uint32_t)value;
    return 0;
  }
  return refuse(which, text, error);
}

static int require_all(adr_error *error) {
  for (int setting = ADR_SETTING_JOB; setting <= ADR_SETTING_SIZE; setting++) {
    if (!is_set(setting)) {
      return adr_fail(error, -EINVAL,
                      "a job needs ADRASTEA_JOB, ADRASTEA_RANK and ADRASTEA_SIZE; missing: %s (without any of "
                      "them a program is a job of one; 'adrastea run' sets all)",
                      adr_setting_table[setting].name);
    }
  }
  return 0;
}

static int read_job(uint64_t *job, adr_error *error) {
  setting_text given;
  const char *text = value_of(ADR_SETTING_JOB, given);
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) { return refuse(ADR_SETTING_JOB, text, error); }
  *job = strtoull(text, NULL, 16);
  return 0;
}

/* How many digits there are, at most `most`, with one of `ends` or the end of the text behind them; 0: it is not so. */
static size_t digits(const char *text, size_t most, const char *ends) {
  size_t count = strspn(text, "0123456789");
  return count <= most && strchr(ends, text[count]) != NULL ? count : 0;
}

static bool is_launcher(const char *text) {
  size_t pid = digits(text, 9, ":");
  size_t start = pid == 0 || text[pid] != ':' ? 0 : digits(text + pid + 1, 18, ":");
  const char *rest = text + pid + 1 + start;
  return start > 0 && (*rest == '\0' || digits(rest + 1, 18, "") > 0);
}

/* Its number means nothing here when it is in another PID namespace: then it cannot be watched. */
static int read_launcher(struct adr_process *launcher, adr_error *error) {
  setting_text given;
  const char *text = value_of(ADR_SETTING_LAUNCHER, given);
  if (*text == '\0') { return 0; }
  if (!is_launcher(text)) { return refuse(ADR_SETTING_LAUNCHER, text, error); }
  char *colon;
  launcher->pid = (uint32_t)strtoul(text, &colon, 10);
  launcher->start = strtoull(colon + 1, &colon, 10);
  uint64_t here = adr_process_visible_namespace();
  if (*colon == ':' && (here == 0 || strtoull(colon + 1, NULL, 10) != here)) { launcher->pid = 0; }
  return 0;
}

static int read_membership(struct adr_settings *settings, adr_error *error) {
  int status = require_all(error);
  if (status == 0) { status = read_number(&settings->size, ADR_SETTING_SIZE, error); }
  if (status == 0) { status = read_number(&settings->rank, ADR_SETTING_RANK, error); }
  if (status == 0 && settings->rank >= settings->size) {
    status =
        adr_fail(error, -EINVAL, "ADRASTEA_RANK=%" PRIu32 ", but ADRASTEA_SIZE=%" PRIu32 ": ranks are 0 to %" PRIu32,
                 settings->rank, settings->size, settings->size - 1);
  }
  if (status == 0) { status = read_job(&settings->job, error); }
  return status < 0 ? status : read_launcher(&settings->launcher, error);
}

static int job_of_one(struct adr_settings *settings, adr_error *error) {
  settings->rank = 0;
  settings->size = 1;
  if (getrandom(&settings->job, sizeof settings->job, 0) != sizeof settings->job) {
    return adr_fail(error, -errno, "no random number for a job of one can be had");
  }
  return 0;
}

static int read_directory(struct adr_settings *settings, adr_error *error) {
  struct stat found;
  bool shm = stat("/dev/shm", &found) == 0 && S_ISDIR(found.st_mode);
  if (*value_of(ADR_SETTING_SHM_DIR, settings->directory) == '\0') {
    strcpy(settings->directory, shm ? "/dev/shm" : "/tmp");
  }
  if (strlen(settings->directory) < sizeof settings->directory - 1) { return 0; }
  return adr_fail(error, -ENAMETOOLONG, "ADRASTEA_SHM_DIR is longer than a path can be");
}

static int read_cpu(int32_t *cpu, adr_error *error) {
  uint32_t number = 0;
  *cpu = -1;
  if (!is_set(ADR_SETTING_BIND)) { return 0; }
  int status = read_number(&number, ADR_SETTING_BIND, error);
  if (status == 0) { *cpu = (int32_t)number; }
  return status;
}

static int read_oversubscribed(enum adr_oversubscription *oversubscribed, adr_error *error) {
  static const char *const names[] = {"auto", "off", "on"};
  setting_text given;
  const char *text = value_in_force(ADR_SETTING_OVERSUBSCRIBED, given);
  for (int value = ADR_OVERSUBSCRIBED_AUTO; value <= ADR_OVERSUBSCRIBED_ON; value++) {
    if (strcasecmp(text, names[value]) == 0) {
      *oversubscribed = (enum adr_oversubscription)value;
      return 0;
    }
  }
  return refuse(ADR_SETTING_OVERSUBSCRIBED, text, error);
}

static int read_checks(struct adr_settings *settings, adr_error *error) {
  setting_text given;
  const char *text = value_in_force(ADR_SETTING_CHECK, given);
  bool all = strcasecmp(text, "all") == 0;
  bool types = all || strcasecmp(text, "types") == 0;
  bool collectives = all || strcasecmp(text, "collectives") == 0;
  if (!types && !collectives && strcasecmp(text, "off") != 0) { return refuse(ADR_SETTING_CHECK, text, error); }
  settings->checks = types ? ADR_CHECK_TYPES : 0;
  settings->choices |= collectives ? ADR_SLOT_CHECKED : 0;
  return 0;
}

static int read_barrier(struct adr_settings *settings, adr_error *error) {
  setting_text given;
  const char *text = value_in_force(ADR_SETTING_BARRIER, given);
  bool counter = strcasecmp(text, "counter") == 0;
  if (!counter && strcasecmp(text, "slot") != 0) { return refuse(ADR_SETTING_BARRIER, text, error); }
  settings->choices |= counter ? ADR_SLOT_COUNTER_BARRIER : 0;
  return 0;
}

static int read_way_of_collectives(struct adr_settings *settings, adr_error *error) {
  setting_text given;
  const char *text = value_in_force(ADR_SETTING_COLLECTIVE_WAY, given);
  const bool stages = strcasecmp(text, "stages") == 0;
  const bool direct = strcasecmp(text, "direct") == 0;
  if (!stages && !direct && strcasecmp(text, "auto") != 0) { return refuse(ADR_SETTING_COLLECTIVE_WAY, text, error); }
  settings->choices |= stages ? ADR_SLOT_STAGES_ALONE : direct ? ADR_SLOT_DIRECT_EARLY : 0;
  return 0;
}

static int read_slots(uint32_t *slots, adr_error *error) {
  setting_text given;
  const char *text = value_in_force(ADR_SETTING_BOX_LINES, given);
  long value;
  bool sound = is_whole_number(text, &value) && value >= 0 && value <= ADR_MAX_BOX_SLOTS && (value & (value - 1)) == 0;
  if (!sound || (value != 0 && value < ADR_MIN_BOX_SLOTS)) { return refuse(ADR_SETTING_BOX_LINES, text, error); }
  *slots = (uint32_t)value;
  return 0;
}

/* What is given holds; else senders find out which messages up to the default go by fastbox. */
static int read_box_limit(struct adr_box_settings *boxes, adr_error *error) {
  const struct adr_setting *setting = &adr_setting_table[ADR_SETTING_BOX_MESSAGE_BYTES];
  uint32_t most = boxes->slots == 0 ? (uint32_t)setting->most : adr_box_most(boxes->slots);
  setting_text given;
  const char *text = value_in_force(ADR_SETTING_BOX_MESSAGE_BYTES, given);
  boxes->learns = strcasecmp(text, "auto") == 0;
  long value = ADR_BOX_BYTES < most ? ADR_BOX_BYTES : most;
  if (!boxes->learns && (!is_whole_number(text, &value) || value < setting->least || value > most)) {
    return adr_fail(error, -EINVAL,
                    "%s is '%s'; allowed is auto or a whole number from %" PRId64 " to %" PRIu32 " (bytes)",
                    setting->name, text, setting->least, most);
  }
  boxes->limit = (uint32_t)value;
  return 0;
}

static int read_boxes(struct adr_box_settings *boxes, adr_error *error) {
  int status = read_slots(&boxes->slots, error);
  if (status < 0) { return status; }
  status = read_box_limit(boxes, error);
  if (status == 0) { status = read_number(&boxes->threshold, ADR_SETTING_BOX_THRESHOLD, error); }
  return status < 0 ? status : read_number(&boxes->preallocate_ranks, ADR_SETTING_BOX_PREALLOCATE_RANKS, error);
}

int adr_settings_read(struct adr_settings *settings, adr_error *error) {
  *settings = (struct adr_settings){.cpu = -1};
  bool launched = is_set(ADR_SETTING_JOB) || is_set(ADR_SETTING_RANK) || is_set(ADR_SETTING_SIZE);
  int status = launched ? read_membership(settings, error) : job_of_one(settings, error);
  if (status == 0) { status = read_directory(settings, error); }
  if (status == 0) { status = read_cpu(&settings->cpu, error); }
  if (status == 0) { status = read_number(&settings->join_timeout, ADR_SETTING_JOIN_TIMEOUT, error); }
  if (status == 0) { status = read_number(&settings->spins, ADR_SETTING_SPINS, error); }
  if (status == 0) { status = read_number(&settings->hang_report, ADR_SETTING_HANG_REPORT, error); }
  if (status == 0) { status = read_oversubscribed(&settings->oversubscribed, error); }
  if (status < 0 || settings->rank != 0) { return status; }
  status = read_number(&settings->cells, ADR_SETTING_CELLS, error);
  if (status == 0) { status = read_number(&settings->cell_bytes, ADR_SETTING_CELL_BYTES, error); }
  if (status == 0) { status = read_boxes(&settings->boxes, error); }
  if (status == 0) { status = read_checks(settings, error); }
  if (status == 0) { status = read_barrier(settings, error); }
  return status < 0 ? status : read_way_of_collectives(settings, error);
}
