/* Variables of other launchers. Twin of io.adrastea.bootstrap.Variables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bootstrap/adr_membership.h"

/* The number of a job that has a name: FNV-1a of 64 bits over its bytes. */
static inline uint64_t adr_job_number(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name != '\0'; name++) { hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3); }
  return hash;
}

/* Draws a random number for a job that has no name. Returns 0 or an error. */
int adr_job_number_draw(uint64_t *number, adr_error *error);

/* The value of a variable; "": it is not set. */
const char *adr_variable(const char *name);

/* Reads a number from 0 on, of at most 9 digits and nothing else. Returns whether it is one; `number` is 0 else. */
bool adr_read_digits(const char *text, uint32_t *number);

/* Reads rank and size from the variables of these names, and says so in `claim->words`, behind what is there. Returns
 * 1, or -EINVAL: one is missing, is not a whole number in decimal digits, or out of range. */
int adr_variables_claim(struct adr_claim *claim, const char *rank, const char *size, adr_error *error);

/* Likewise where only the rank is in a variable; the size is told later, and is 0 until then. */
int adr_variables_claim_rank(struct adr_claim *claim, const char *rank, adr_error *error);

/* The nearest process up the chain of parents that has one of these names, with NULL behind the last; pid 0: there is
 * no such process, the chain leads into another PID namespace or /proc is not there. */
struct adr_process adr_parent_named(const char *const *names);
