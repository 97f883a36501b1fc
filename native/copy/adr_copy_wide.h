/* Copies by wide loads and regular stores: what they write is in this CPU's cache afterwards. */
#ifndef ADR_COPY_WIDE_H
#define ADR_COPY_WIDE_H

#include <stdint.h>

#if defined(__x86_64__)
void adr_copy_avx512(uint8_t *to, const uint8_t *from, int64_t bytes);
void adr_copy_avx2(uint8_t *to, const uint8_t *from, int64_t bytes);
void adr_copy_sse2(uint8_t *to, const uint8_t *from, int64_t bytes);
#elif defined(__aarch64__)
void adr_copy_neon(uint8_t *to, const uint8_t *from, int64_t bytes);
#endif
void adr_copy_plain(uint8_t *to, const uint8_t *from, int64_t bytes); /* words of 8 bytes: every CPU */

#endif
