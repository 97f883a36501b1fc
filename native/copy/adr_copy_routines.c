#include "copy/adr_copy_routines.h"

#include <stddef.h>
#include <string.h>

#include "copy/adr_copy_lines.h"
#include "copy/adr_copy_nontemporal.h"
#include "copy/adr_copy_wide.h"

/* The library's own, chosen by it from the CPU as well: the best for short copies, where a call is most of the time. */
static void library(uint8_t *to, const uint8_t *from, int64_t bytes) { memcpy(to, from, (size_t)bytes); }

static bool always(void) { return true; }

#if defined(__x86_64__)
#include <cpuid.h>

/* The string copy of the CPU; microcode that moves whole lines when the destination begins with one. */
static void rep_movsb(uint8_t *to, const uint8_t *from, int64_t bytes) {
  int64_t head = bytes < ADR_COPY_SHORT ? 0 : adr_copy_head(to);
  memcpy(to, from, (size_t)head);
  to += head;
  from += head;
  bytes -= head;
  __asm__ __volatile__("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

/* Every x86 has the instruction; only those that say so (ERMS) move more than a byte at a time. */
static bool has_fast_strings(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 9 & 1) != 0;
}

/* Asks the CPU and whether the system saves the registers. CPUs before Ice Lake, which lack VBMI2, run slower for a
 * while after each use of 512 bits: there 256 bits serve the program better. */
static bool has_avx512(void) { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi2"); }

static bool has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#endif

static const struct adr_copy_routine routines[] = {
    {"memcpy", library, always, false},
#if defined(__x86_64__)
    {"avx512", adr_copy_avx512, has_avx512, false},
    {"avx2", adr_copy_avx2, has_avx2, false},
    {"sse2", adr_copy_sse2, always, false},
    {"rep-movsb", rep_movsb, has_fast_strings, false},
    {"avx512-nt", adr_copy_avx512_nt, has_avx512, true},
    {"avx2-nt", adr_copy_avx2_nt, has_avx2, true},
    {"sse2-nt", adr_copy_sse2_nt, always, true},
#elif defined(__aarch64__)
    {"neon", adr_copy_neon, always, false},
    {"neon-nt", adr_copy_neon_nt, always, true},
#endif
    {"plain", adr_copy_plain, always, false},
};
enum { ROUTINES = sizeof routines / sizeof routines[0] };

const struct adr_copy_routine *adr_copy_routine_at(int32_t index) {
  return index >= 0 && index < ROUTINES ? &routines[index] : NULL;
}

const struct adr_copy_routine *adr_copy_routine_find(const char *name) {
  for (int32_t i = 0; i < ROUTINES; i++) {
    if (strcmp(routines[i].name, name) == 0 && routines[i].usable()) { return &routines[i]; }
  }
  return NULL;
}

const struct adr_copy_routine *adr_copy_routine_wide(bool nontemporal) {
  for (int32_t i = 1; i < ROUTINES; i++) {
    if (routines[i].nontemporal == nontemporal && routines[i].usable()) { return &routines[i]; }
  }
  return &routines[0];
}

/* A string copy knows its end, so it takes whole lines over without reading them first. Only Intel's: those of AMD
 * fall behind when source and destination lie unfavourably to each other. */
const struct adr_copy_routine *adr_copy_routine_long(void) {
#if defined(__x86_64__)
  const struct adr_copy_routine *strings = adr_copy_routine_find("rep-movsb");
  if (strings != NULL && __builtin_cpu_is("intel")) { return strings; }
#endif
  return adr_copy_routine_wide(false);
}
