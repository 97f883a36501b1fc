#include "libshmem/adr_libshmem.h"

#include <shmem.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct adr_libshmem adr_libshmem = {.pe = -1};

struct adr_libshmem_map adr_libshmem_map_1 = {.version = ADR_LIBSHMEM_VERSION};

static _Thread_local bool inside; /* a call on the job, which is for one thread at a time */

void adr_libshmem_enter(void) {
  adr_job_enter(adr_libshmem.job);
  inside = true;
}

void adr_libshmem_leave(void) {
  inside = false;
  adr_job_exit(adr_libshmem.job);
}

bool adr_libshmem_is_inside(void) { return inside; }

void adr_libshmem_fail(const char *routine, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fflush(stdout); /* what the program has written comes first */
  if (adr_libshmem.pe < 0) {
    fprintf(stderr, "shmem: %s: %s\n", routine, text);
  } else {
    fprintf(stderr, "shmem: PE %d: %s: %s\n", adr_libshmem.pe, routine, text);
  }
  /* The others are told, and end too. No other thread comes in any more. */
  if (adr_libshmem.job != NULL) {
    if (!adr_libshmem_is_inside()) { adr_libshmem_enter(); }
    adr_job_fail(adr_libshmem.job, text);
  }
  _exit(1);
}

int adr_libshmem_check(const char *routine, int result) {
  if (result < 0) {
    const char *text = adr_job_error(adr_libshmem.job);
    /* A PE that has called shmem_global_exit has left its reason, and ends all with its code. */
    const char *exit_call = result == ADR_ERROR_RANK_FAILED ? strstr(text, ADR_LIBSHMEM_GLOBAL_EXIT) : NULL;
    if (exit_call != NULL) {
      fflush(NULL);
      _exit(atoi(exit_call + strlen(ADR_LIBSHMEM_GLOBAL_EXIT)));
    }
    adr_libshmem_fail(routine, "%s", text);
  }
  return result;
}

void adr_libshmem_need(const char *routine) {
  if (adr_libshmem.shmem != NULL) { return; }
  if (adr_libshmem.ended) { adr_libshmem_fail(routine, "called after shmem_finalize; call it before"); }
  adr_libshmem_fail(routine, "called before shmem_init; call shmem_init or shmem_init_thread first");
}

void adr_libshmem_await(const char *routine, adr_shmem_met met, adr_shmem_what what, const void *words) {
  if (met(words)) { return; }
  adr_libshmem_enter();
  adr_libshmem_check(routine, adr_shmem_await(adr_libshmem.shmem, met, what, words));
  adr_libshmem_leave();
}

int64_t adr_libshmem_offset(const char *routine, const void *address, size_t bytes) {
  const struct adr_libshmem_map *map = &adr_libshmem_map_1;
  char *place = adr_libshmem_at(routine, address, bytes, adr_libshmem.pe);
  return place - (map->base + (size_t)adr_libshmem.pe * map->stride);
}

/* The map's data are those of all PEs' program; other data are of this PE's program, and others may have them too. */
void *adr_libshmem_place(const char *routine, const void *address, size_t bytes, int pe) {
  const struct adr_libshmem_map *map = &adr_libshmem_map_1;
  adr_libshmem_need(routine);
  if (pe < 0 || pe >= adr_libshmem.pes) {
    adr_libshmem_fail(routine, "there is no PE %d (address %p); allowed are 0 to %d", pe, address,
                      adr_libshmem.pes - 1);
  }
  if (bytes == 0) { return (void *)(uintptr_t)address; } /* nothing is accessed */
  char *part = map->base + (size_t)pe * map->stride;
  size_t delta = (uintptr_t)address - adr_libshmem.data;
  if (delta < adr_libshmem.data_bytes && bytes <= adr_libshmem.data_bytes - delta) {
    if (adr_shmem_same_program(adr_libshmem.shmem, pe) == 1) {
      return part + adr_shmem_data_start(adr_libshmem.shmem) + delta;
    }
    adr_libshmem_fail(routine,
                      "address %p (%zu bytes) lies in this program's data, and PE %d runs another program, which does "
                      "not have them; use memory of shmem_malloc",
                      address, bytes, pe);
  }
  size_t offset = (uintptr_t)address - map->heap;
  if (offset < map->heap_bytes) {
    adr_libshmem_fail(routine, "%zu bytes at address %p reach beyond the symmetric heap, of which %zu are left there",
                      bytes, address, map->heap_bytes - offset);
  }
  const char *what = adr_data_segment_what(address);
  if (adr_libshmem.data_bytes > 0) {
    adr_libshmem_fail(routine,
                      "address %p (%zu bytes, for PE %d) is not symmetric: it is %s; use memory of shmem_malloc or a "
                      "global or static variable of the program itself",
                      address, bytes, pe, what);
  }
  adr_libshmem_fail(routine,
                    "address %p (%zu bytes, for PE %d) is not symmetric: it is %s; use memory of shmem_malloc "
                    "(variables of this program are not symmetric: %s)",
                    address, bytes, pe, what, adr_libshmem.why_no_data);
}

void adr_libshmem_unaligned(const char *routine, const void *address, size_t bytes, int pe) {
  adr_libshmem_at(routine, address, bytes, pe);
  adr_libshmem_fail(routine,
                    "address %p (for PE %d) is no multiple of %zu: an element of %zu bytes is to lie at one, since it "
                    "is accessed at once; nothing was accessed",
                    address, pe, bytes, bytes);
}

int adr_libshmem_context_pe(const char *routine, shmem_ctx_t context, int pe) {
  if (context == SHMEM_CTX_DEFAULT) { return pe; }
  adr_libshmem_need(routine);
  if (context == SHMEM_CTX_INVALID) { adr_libshmem_fail(routine, "the context is SHMEM_CTX_INVALID (PE %d)", pe); }
  if (pe < 0 || pe >= context->pes) {
    adr_libshmem_fail(routine, "there is no PE %d in the team of the context; allowed are 0 to %d", pe,
                      context->pes - 1);
  }
  return context->start + pe * context->stride;
}
