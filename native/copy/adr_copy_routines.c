#include "copy/adr_copy_routines.h"

#include <stddef.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "base/adr_base.h"

/* The shape that all wide copies share: the head up to the first whole line of the destination, then four lines at a
 * time with loads that need no alignment and stores that have it, then the rest.
 *
 * Whole lines of the destination are what counts. A regular store that crosses a line costs two, an unaligned load
 * much less; and only a line that nontemporal stores fill completely leaves the CPU in one piece, without being read
 * first. */
enum {
  ADR_COPY_AT_ONCE = 4, /* lines on their way at the same time */
  ADR_COPY_STRIDE = ADR_COPY_AT_ONCE * ADR_LINE,
  ADR_COPY_SHORT = 8 * ADR_LINE, /* below, the library's copy is as good */
};

/* Bytes before the first whole line. */
static inline int64_t adr_copy_head(const uint8_t *to) { return (int64_t)(-(uintptr_t)to & (ADR_LINE - 1)); }

/* Moves four lines that lie `apart` bytes from each other, `at` bytes behind `to` and `from`. All loads come before
 * the stores. */
#define ADR_COPY_FOUR(vector, load, put, to, from, at, apart) \
  do { \
    enum { EACH = ADR_LINE / sizeof(vector), ALL = ADR_COPY_AT_ONCE * EACH }; \
    vector lines[ALL]; \
    _Pragma("GCC unroll 32") for (int64_t i = 0; i < ALL; i++) { \
      lines[i] = load((from) + (at) + i / EACH * (apart) + i % EACH * (int64_t)sizeof(vector)); \
    } \
    _Pragma("GCC unroll 32") for (int64_t i = 0; i < ALL; i++) { \
      put((to) + (at) + i / EACH * (apart) + i % EACH * (int64_t)sizeof(vector), lines[i]); \
    } \
  } while (0)

/* Defines `name`, compiled for `isa`, whose bytes `load` and `put` move by the `vector`. `ask` is called before each
 * four lines, and with the bytes that are left. Expects no more than `bytes` >= 0. */
#define ADR_COPY_LOOP(name, isa, vector, load, put, ask) \
  isa static void name(uint8_t *to, const uint8_t *from, int64_t bytes) { \
    int64_t at = bytes < ADR_COPY_SHORT ? bytes : adr_copy_head(to); \
    memcpy(to, from, (size_t)at); \
    for (; bytes - at >= ADR_COPY_STRIDE; at += ADR_COPY_STRIDE) { \
      ask(to + at, bytes - at); \
      ADR_COPY_FOUR(vector, load, put, to, from, at, ADR_LINE); \
    } \
    memcpy(to + at, from + at, (size_t)(bytes - at)); \
  }

static inline void ask_for_nothing(const uint8_t *to, int64_t left) { (void)to, (void)left; }

/* Bytes between a line that is written and the one that is asked for. From 192 to 1,024 it makes no difference. */
enum { ADR_COPY_AHEAD = 512 };

/* Asks for the four lines that are written next but one. A store asks for its line too, but stores leave in order, and
 * so wait for one line after the other. */
static inline void ask_for_lines(const uint8_t *to, int64_t left) {
  if (left < ADR_COPY_AHEAD + ADR_COPY_STRIDE) { return; } /* what lies behind is somebody else's */
  for (int line = 0; line < ADR_COPY_AT_ONCE; line++) { adr_prefetch_write(to + ADR_COPY_AHEAD + line * ADR_LINE); }
}

/* One that takes the lines as they come, and one that asks for those that another CPU has before they are written. */
#define ADR_COPY_BY_LINES(name, isa, vector, load, put) \
  ADR_COPY_LOOP(name, isa, vector, load, put, ask_for_nothing) \
  ADR_COPY_LOOP(name##_ahead, isa, vector, load, put, ask_for_lines)

/* Copies by wide loads and regular stores: what they write is in this CPU's cache afterwards. */
#if defined(__x86_64__)
#define LOAD_512(from) _mm512_loadu_si512((const void *)(from))
#define PUT_512(to, value) _mm512_store_si512((void *)(to), value)
ADR_COPY_BY_LINES(adr_copy_avx512, __attribute__((target("avx512f"))), __m512i, LOAD_512, PUT_512)

#define LOAD_256(from) _mm256_loadu_si256((const __m256i *)(const void *)(from))
#define PUT_256(to, value) _mm256_store_si256((__m256i *)(void *)(to), value)
ADR_COPY_BY_LINES(adr_copy_avx2, __attribute__((target("avx2"))), __m256i, LOAD_256, PUT_256)

#define LOAD_128(from) _mm_loadu_si128((const __m128i *)(const void *)(from))
#define PUT_128(to, value) _mm_store_si128((__m128i *)(void *)(to), value)
ADR_COPY_BY_LINES(adr_copy_sse2, __attribute__((target("sse2"))), __m128i, LOAD_128, PUT_128)
#elif defined(__aarch64__)
ADR_COPY_BY_LINES(adr_copy_neon, , uint8x16_t, vld1q_u8, vst1q_u8)
#endif

/* The word passes a register of its own, or else the compiler makes a call of memcpy out of the loop. */
static inline uint64_t load_word(const uint8_t *from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  __asm__("" : "+r"(word));
  return word;
}
#define PUT_WORD(to, value) memcpy(to, &(value), sizeof(value))
ADR_COPY_BY_LINES(adr_copy_plain, , uint64_t, load_word, PUT_WORD)

/* Copies by wide loads and nontemporal stores: the destination goes past the caches, so that what a program has in them
 * stays there. A CPU that reads it next fetches it from memory. */
enum { PAGE = 4096, PAGES_BYTES = ADR_COPY_AT_ONCE * PAGE };

/* As ADR_COPY_BY_LINES, but while there are four pages, a line of each in turn: memory answers faster when it is
 * asked in several places at once, and prefetchers, which stop at the end of a page, follow all four. `end` makes the
 * stores visible in order. */
#define ADR_COPY_BY_PAGES(name, isa, vector, load, put, end) \
  isa static void name(uint8_t *to, const uint8_t *from, int64_t bytes) { \
    int64_t at = bytes < ADR_COPY_SHORT ? bytes : adr_copy_head(to); \
    memcpy(to, from, (size_t)at); \
    for (; bytes - at >= PAGES_BYTES; at += PAGES_BYTES) { \
      for (int64_t line = at; line < at + PAGE; line += ADR_LINE) { \
        ADR_COPY_FOUR(vector, load, put, to, from, line, PAGE); \
      } \
    } \
    for (; bytes - at >= ADR_COPY_STRIDE; at += ADR_COPY_STRIDE) { \
      ADR_COPY_FOUR(vector, load, put, to, from, at, ADR_LINE); \
    } \
    memcpy(to + at, from + at, (size_t)(bytes - at)); \
    end; \
  }

#if defined(__x86_64__)

/* x86 keeps nontemporal stores in write-combining buffers and orders them with nothing, not even with a later
 * store-release, which is a plain move there: without this fence a peer could see the word that says "it is there"
 * before the bytes. */
#define FENCE _mm_sfence()

#define STREAM_512(to, value) _mm512_stream_si512((__m512i *)(void *)(to), value)
ADR_COPY_BY_PAGES(adr_copy_avx512_nt, __attribute__((target("avx512f"))), __m512i, LOAD_512, STREAM_512, FENCE)

#define STREAM_256(to, value) _mm256_stream_si256((__m256i *)(void *)(to), value)
ADR_COPY_BY_PAGES(adr_copy_avx2_nt, __attribute__((target("avx2"))), __m256i, LOAD_256, STREAM_256, FENCE)

#define STREAM_128(to, value) _mm_stream_si128((__m128i *)(void *)(to), value)
ADR_COPY_BY_PAGES(adr_copy_sse2_nt, __attribute__((target("sse2"))), __m128i, LOAD_128, STREAM_128, FENCE)
#elif defined(__aarch64__)

/* Two vectors at once. STNP is a hint that the line will not be read here; on AArch64 it is ordered like any other
 * store, so the store-release of whoever publishes the bytes comes after them, and no fence is needed. (LDNP would be
 * weaker than a load: not used.) */
struct vectors {
  uint8x16_t low;
  uint8x16_t high;
};

static inline struct vectors load_pair(const uint8_t *from) {
  return (struct vectors){vld1q_u8(from), vld1q_u8(from + 16)};
}

static inline void stream_pair(uint8_t *to, struct vectors pair) {
  __asm__ __volatile__("stnp %q1, %q2, [%0]" ::"r"(to), "w"(pair.low), "w"(pair.high) : "memory");
}

ADR_COPY_BY_PAGES(adr_copy_neon_nt, , struct vectors, load_pair, stream_pair, ((void)0))
#endif

/* The library's own, chosen by it from the CPU as well: the best for short copies, where a call is most of the time. */
static void library(uint8_t *to, const uint8_t *from, int64_t bytes) { memcpy(to, from, (size_t)bytes); }

static bool always(void) { return true; }

#if defined(__x86_64__)

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

static const struct adr_copy_routine ahead[] = {
#if defined(__x86_64__)
    {"avx512-ahead", adr_copy_avx512_ahead, has_avx512, false},
    {"avx2-ahead", adr_copy_avx2_ahead, has_avx2, false},
    {"sse2-ahead", adr_copy_sse2_ahead, always, false},
#elif defined(__aarch64__)
    {"neon-ahead", adr_copy_neon_ahead, always, false},
#endif
    {"plain-ahead", adr_copy_plain_ahead, always, false},
};

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

/* The C library takes the string copy from 2 KiB on wherever the CPU says that it is fast. On AMD's CPUs from Zen 3 on
 * it is slower than vectors, and many times slower when a source that begins with a line goes to a destination that
 * does not, which is a cell or a chunk of a ring on its way to a Java array (glibc bug 30994; not before glibc 2.40
 * does its memcpy avoid it). Intel's moves whole lines without reading them first, which saves more than alignment
 * costs. */
const struct adr_copy_routine *adr_copy_routine_piece(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_is("amd")) { return adr_copy_routine_wide(false); }
#endif
  return &routines[0];
}

const struct adr_copy_routine *adr_copy_routine_ahead(void) {
  const struct adr_copy_routine *routine = ahead;
  while (!routine->usable()) { routine++; }
  return routine;
}
