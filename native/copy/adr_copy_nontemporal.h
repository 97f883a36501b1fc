/* Copies by wide loads and nontemporal stores: the destination goes past the caches, so that what a program has in
 * them stays there. Who reads it next fetches it from memory. */
#ifndef ADR_COPY_NONTEMPORAL_H
#define ADR_COPY_NONTEMPORAL_H

#include <stdint.h>

#if defined(__x86_64__)
void adr_copy_avx512_nt(uint8_t *to, const uint8_t *from, int64_t bytes);
void adr_copy_avx2_nt(uint8_t *to, const uint8_t *from, int64_t bytes);
void adr_copy_sse2_nt(uint8_t *to, const uint8_t *from, int64_t bytes);
#elif defined(__aarch64__)
void adr_copy_neon_nt(uint8_t *to, const uint8_t *from, int64_t bytes);
#endif

#endif
