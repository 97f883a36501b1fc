#include "job/adr_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "job/adr_job_error.h"

#define BLANKS " \t\n\v\f\r"

/* A copy without the blanks around it, cut off where there is no place for more. */
typedef char setting_text[PATH_MAX];

static const char *value_of(const char *name, setting_text text) {
  const char *value = getenv(name);
  const char *from = value == NULL ? "" : value + strspn(value, BLANKS);
  size_t length = strlen(from);
  while (length > 0 && strchr(BLANKS, from[length - 1]) != NULL) { length--; }
  length = length < PATH_MAX ? length : PATH_MAX - 1;
  memcpy(text, from, length);
  text[length] = '\0';
  return text;
}

/* One that is empty is not. */
static bool is_set(const char *name) {
  setting_text text;
  return *value_of(name, text) != '\0';
}

static bool is_whole_number(const char *text, long *number) {
  char *end;
  errno = 0;
  *number = strtol(text, &end, 10);
  return end != text && errno == 0 && *end == '\0';
}

/* A whole number; `fallback` when the variable is not set. */
static int read_number(uint32_t *number, const char *name, const char *fallback, long least, long most, const char *unit,
                       adr_error *error) {
  setting_text given;
  const char *text = *value_of(name, given) == '\0' ? fallback : given;
  long value;
  if (is_whole_number(text, &value) && value >= least && value <= most) {
    *number = (uint32_t)value;
    return 0;
  }
  return adr_fail(error, -EINVAL, "%s is '%s'; allowed is a whole number from %ld to %ld (%s)", name, text, least, most,
                  unit);
}

static int require_all(adr_error *error) {
  static const char *const names[] = {"ADRASTEA_JOB", "ADRASTEA_RANK", "ADRASTEA_SIZE"};
  for (size_t i = 0; i < 3; i++) {
    if (!is_set(names[i])) {
      return adr_fail(error, -EINVAL, "a job needs ADRASTEA_JOB, ADRASTEA_RANK and ADRASTEA_SIZE; missing: %s (without any of "
                      "them a program is a job of one; 'adrastea run' sets all)", names[i]);
    }
  }
  return 0;
}

static int read_job(uint64_t *job, adr_error *error) {
  setting_text given;
  const char *text = value_of("ADRASTEA_JOB", given);
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
    return adr_fail(error, -EINVAL, "ADRASTEA_JOB is '%s'; allowed are 16 hex digits in lower case", text);
  }
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
  const char *text = value_of("ADRASTEA_LAUNCHER", given);
  if (*text == '\0') { return 0; }
  if (!is_launcher(text)) {
    return adr_fail(error, -EINVAL, "ADRASTEA_LAUNCHER is '%s'; allowed is <pid>:<start>, and behind that :<PID namespace>", text);
  }
  char *colon;
  launcher->pid = (uint32_t)strtoul(text, &colon, 10);
  launcher->start = strtoull(colon + 1, &colon, 10);
  uint64_t here = adr_process_visible_namespace();
  if (*colon == ':' && (here == 0 || strtoull(colon + 1, NULL, 10) != here)) { launcher->pid = 0; }
  return 0;
}

static int read_membership(struct adr_settings *settings, adr_error *error) {
  int status = require_all(error);
  if (status == 0) {
    status = read_number(&settings->size, "ADRASTEA_SIZE", "", 1, ADR_MAX_LOCAL_RANKS, "ranks", error);
  }
  if (status == 0) { status = read_number(&settings->rank, "ADRASTEA_RANK", "", 0, INT32_MAX, "rank", error); }
  if (status == 0 && settings->rank >= settings->size) {
    status = adr_fail(error, -EINVAL, "ADRASTEA_RANK=%" PRIu32 ", but ADRASTEA_SIZE=%" PRIu32 ": ranks are 0 to %" PRIu32,
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
  if (*value_of("ADRASTEA_SHM_DIR", settings->directory) == '\0') { strcpy(settings->directory, shm ? "/dev/shm" : "/tmp"); }
  if (strlen(settings->directory) < sizeof settings->directory - 1) { return 0; }
  return adr_fail(error, -ENAMETOOLONG, "ADRASTEA_SHM_DIR is longer than a path can be");
}

static int read_cpu(int32_t *cpu, adr_error *error) {
  uint32_t number = 0;
  *cpu = -1;
  if (!is_set("ADRASTEA_BIND")) { return 0; }
  int status = read_number(&number, "ADRASTEA_BIND", "", 0, 1 << 20, "CPU", error);
  if (status == 0) { *cpu = (int32_t)number; }
  return status;
}

static int read_crowded(enum adr_crowding *crowded, adr_error *error) {
  static const char *const names[] = {"auto", "off", "on"};
  setting_text given;
  const char *text = *value_of("ADRASTEA_CROWDED", given) == '\0' ? names[ADR_CROWDED_AUTO] : given;
  for (int value = ADR_CROWDED_AUTO; value <= ADR_CROWDED_ON; value++) {
    if (strcasecmp(text, names[value]) == 0) {
      *crowded = (enum adr_crowding)value;
      return 0;
    }
  }
  return adr_fail(error, -EINVAL, "ADRASTEA_CROWDED is '%s'; allowed are on, off and auto", text);
}

static int read_boxes(struct adr_box_settings *boxes, adr_error *error) {
  int status = read_number(&boxes->slots, "ADRASTEA_BOX_SLOTS", "256", 0, ADR_MAX_BOX_SLOTS, "lines", error);
  if (status == 0 && (boxes->slots & (boxes->slots - 1)) != 0) { status = -EINVAL; }
  if (status == 0 && boxes->slots != 0 && boxes->slots < ADR_MIN_BOX_SLOTS) { status = -EINVAL; }
  if (status < 0) {
    setting_text given;
    return adr_fail(error, status, "ADRASTEA_BOX_SLOTS is '%s'; allowed are 0 and powers of two from 64 to 1024 (lines)",
                    value_of("ADRASTEA_BOX_SLOTS", given));
  }
  long most = boxes->slots == 0 ? 1 << 15 : (long)boxes->slots * ADR_LINE / 2 - 32;
  status = read_number(&boxes->limit, "ADRASTEA_BOX_BYTES", "4096", 0, most, "bytes", error);
  if (status == 0) {
    status = read_number(&boxes->threshold, "ADRASTEA_BOX_THRESHOLD", "16", 1, INT32_MAX, "messages", error);
  }
  return status < 0 ? status : read_number(&boxes->eager, "ADRASTEA_BOX_EAGER", "16", 0, INT32_MAX, "ranks", error);
}

int adr_settings_read(struct adr_settings *settings, adr_error *error) {
  *settings = (struct adr_settings){.cpu = -1};
  bool launched = is_set("ADRASTEA_JOB") || is_set("ADRASTEA_RANK") || is_set("ADRASTEA_SIZE");
  int status = launched ? read_membership(settings, error) : job_of_one(settings, error);
  if (status == 0) { status = read_directory(settings, error); }
  if (status == 0) { status = read_cpu(&settings->cpu, error); }
  if (status == 0) {
    status = read_number(&settings->join_timeout, "ADRASTEA_JOIN_TIMEOUT", "60000", 1, INT32_MAX, "ms", error);
  }
  if (status == 0) { status = read_number(&settings->spins, "ADRASTEA_SPINS", "2000", 0, INT32_MAX, "looks", error); }
  if (status == 0) { status = read_crowded(&settings->crowded, error); }
  if (status < 0 || settings->rank != 0) { return status; }
  status = read_number(&settings->cells, "ADRASTEA_CELLS", "64", ADR_MIN_CELLS, ADR_MAX_CELLS, "cells", error);
  if (status == 0) {
    status = read_number(&settings->cell_bytes, "ADRASTEA_CELL_BYTES", "8192", ADR_MIN_CELL_PAYLOAD, ADR_MAX_CELL_PAYLOAD,
                         "bytes", error);
  }
  return status < 0 ? status : read_boxes(&settings->boxes, error);
}
