/* An input, read from its front: every bytes mean something, and behind its end there are zeros. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct fuzz_input {
  const uint8_t *bytes;
  size_t left;
};

static inline uint64_t fuzz_take(struct fuzz_input *in, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; i++) {
    if (in->left == 0) { break; }
    value |= (uint64_t)*in->bytes++ << 8 * i;
    in->left--;
  }
  return value;
}

static inline uint8_t fuzz_u8(struct fuzz_input *in) { return (uint8_t)fuzz_take(in, 1); }
static inline uint16_t fuzz_u16(struct fuzz_input *in) { return (uint16_t)fuzz_take(in, 2); }
static inline uint64_t fuzz_u64(struct fuzz_input *in) { return fuzz_take(in, 8); }

/* 0 to `below` - 1, which is at most 256. */
static inline uint32_t fuzz_below(struct fuzz_input *in, uint32_t below) { return fuzz_u8(in) % below; }
