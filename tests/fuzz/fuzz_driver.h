/* Random numbers and changed inputs for the driver. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* SplitMix64. */
struct fuzz_random {
  uint64_t state;
};

uint64_t fuzz_random_next(struct fuzz_random *random);

/* 0 to `below` - 1. */
uint64_t fuzz_random_below(struct fuzz_random *random, uint64_t below);

/* Changes an input in one place, or puts a part of another one into it. Returns its new size, at most `most`. */
size_t fuzz_mutate(struct fuzz_random *random, uint8_t *bytes, size_t size, size_t most, const uint8_t *other,
                   size_t other_size);
