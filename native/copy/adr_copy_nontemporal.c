#include "copy/adr_copy_nontemporal.h"

#include "copy/adr_copy_lines.h"

enum { PAGE = 4096, PAGES_BYTES = ADR_COPY_AT_ONCE * PAGE };

/* As ADR_COPY_BY_LINES, but while there are four pages, a line of each in turn: memory answers faster when it is
 * asked in several places at once, and prefetchers, which stop at the end of a page, follow all four. `end` makes the
 * stores visible in order. */
#define ADR_COPY_BY_PAGES(name, isa, vector, load, put, end) \
  isa void name(uint8_t *to, const uint8_t *from, int64_t bytes) { \
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
#include <immintrin.h>

/* x86 keeps nontemporal stores in write-combining buffers and orders them with nothing, not even with a later
 * store-release, which is a plain move there: without this fence a peer could see the word that says "it is there"
 * before the bytes. */
#define FENCE _mm_sfence()

#define LOAD_512(from) _mm512_loadu_si512((const void *)(from))
#define STREAM_512(to, value) _mm512_stream_si512((__m512i *)(void *)(to), value)
ADR_COPY_BY_PAGES(adr_copy_avx512_nt, __attribute__((target("avx512f"))), __m512i, LOAD_512, STREAM_512, FENCE)

#define LOAD_256(from) _mm256_loadu_si256((const __m256i *)(const void *)(from))
#define STREAM_256(to, value) _mm256_stream_si256((__m256i *)(void *)(to), value)
ADR_COPY_BY_PAGES(adr_copy_avx2_nt, __attribute__((target("avx2"))), __m256i, LOAD_256, STREAM_256, FENCE)

#define LOAD_128(from) _mm_loadu_si128((const __m128i *)(const void *)(from))
#define STREAM_128(to, value) _mm_stream_si128((__m128i *)(void *)(to), value)
ADR_COPY_BY_PAGES(adr_copy_sse2_nt, __attribute__((target("sse2"))), __m128i, LOAD_128, STREAM_128, FENCE)
#elif defined(__aarch64__)
#include <arm_neon.h>

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
