#include "bootstrap/adr_variables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "bootstrap/adr_job_error.h"
#include "segment/adr_geometry.h"

int adr_job_number_draw(uint64_t *number, adr_error *error) {
  bool drawn = getrandom(number, sizeof *number, 0) == sizeof *number;
  return drawn ? 0 : adr_fail(error, -errno, "no random number for a job can be had");
}

const char *adr_variable(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

bool adr_read_digits(const char *text, uint32_t *number) {
  size_t digits = strspn(text, "0123456789");
  bool sound = digits >= 1 && digits <= 9 && text[digits] == '\0';
  *number = sound ? (uint32_t)strtoul(text, NULL, 10) : 0;
  return sound;
}

int adr_variables_claim(struct adr_claim *claim, const char *rank, const char *size, adr_error *error) {
  const char *rank_text = adr_variable(rank);
  const char *size_text = adr_variable(size);
  if (*rank_text == '\0' || *size_text == '\0') {
    return adr_fail(
        error, -EINVAL,
        "%s needs %s and %s too; missing: %s (start the program by its launcher, or set ADRASTEA_BOOTSTRAP)",
        claim->words, rank, size, *rank_text == '\0' ? rank : size);
  }
  bool sound = adr_read_digits(rank_text, &claim->rank) && adr_read_digits(size_text, &claim->size);
  if (!sound || claim->size < 1 || claim->size > ADR_MAX_LOCAL_RANKS || claim->rank >= claim->size) {
    return adr_fail(
        error, -EINVAL,
        "%s is '%.32s' and %s is '%.32s'; allowed are whole numbers, a size from 1 to %u and a rank below it", rank,
        rank_text, size, size_text, ADR_MAX_LOCAL_RANKS);
  }
  size_t length = strlen(claim->words);
  snprintf(claim->words + length, sizeof claim->words - length, ", %s=%s, %s=%s", rank, rank_text, size, size_text);
  return 1;
}

int adr_variables_claim_rank(struct adr_claim *claim, const char *rank, adr_error *error) {
  const char *text = adr_variable(rank);
  claim->size = 0;
  if (!adr_read_digits(text, &claim->rank) || claim->rank >= ADR_MAX_LOCAL_RANKS) {
    return adr_fail(error, -EINVAL, "%s needs %s too, which is '%.32s'; allowed is a whole number from 0 to %u",
                    claim->words, rank, text, ADR_MAX_LOCAL_RANKS - 1);
  }
  size_t length = strlen(claim->words);
  snprintf(claim->words + length, sizeof claim->words - length, ", %s=%s", rank, text);
  return 1;
}

struct adr_process adr_parent_named(const char *const *names) {
  struct adr_process process = {.pid = (uint32_t)getppid()};
  if (adr_process_visible_namespace() == 0) { return (struct adr_process){.pid = 0}; }
  while (process.pid > 1) {
    char name[ADR_PROCESS_NAME];
    uint32_t parent = 0;
    process = adr_process_look_up(process.pid, name, &parent);
    for (int i = 0; process.pid != 0 && names[i] != NULL; i++) {
      if (strcmp(names[i], name) == 0) { return process; }
    }
    process.pid = process.pid == 0 ? 0 : parent;
  }
  return (struct adr_process){.pid = 0};
}
