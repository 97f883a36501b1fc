/* The copies that there are for this architecture, and which of them this CPU can run. Which one is used when is
 * adr_copy_choice's. None minds alignment or size; source and destination do not overlap, as of memcpy. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef void adr_copy_run(uint8_t *to, const uint8_t *from, int64_t bytes);

struct adr_copy_routine {
  const char *name;
  adr_copy_run *run;
  bool (*usable)(void); /* whether this CPU, and its system, have the instructions */
  bool nontemporal;     /* its stores go past the caches, and are ordered before what follows when it returns */
};

/* All that can be compiled for this architecture, in the order of preference among those with regular stores and
 * among those with nontemporal ones; NULL behind the last. The first one is memcpy, which every CPU can run. */
const struct adr_copy_routine *adr_copy_routine_at(int32_t index);

/* The usable one of that name, or NULL. */
const struct adr_copy_routine *adr_copy_routine_find(const char *name);

/* The CPU's string copy where it is the better one for copies that leave the first level of the cache, else the wide
 * one. */
const struct adr_copy_routine *adr_copy_routine_long(void);

/* The first usable one with wide loads and stores of that kind; memcpy where the architecture has none. */
const struct adr_copy_routine *adr_copy_routine_wide(bool nontemporal);

/* The routine for pieces of some KiB of which one end has any alignment: memcpy, but on CPUs whose string copy, which
 * memcpy takes for such lengths, minds that alignment the wide one. */
const struct adr_copy_routine *adr_copy_routine_piece(void);

/* The routine for places whose lines another CPU has: the first usable one with wide loads and stores that asks for
 * lines some way ahead of those that it writes. */
const struct adr_copy_routine *adr_copy_routine_ahead(void);
