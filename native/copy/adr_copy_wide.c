#include "copy/adr_copy_wide.h"

#include "copy/adr_copy_lines.h"

#if defined(__x86_64__)
#include <immintrin.h>

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
#include <arm_neon.h>

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
