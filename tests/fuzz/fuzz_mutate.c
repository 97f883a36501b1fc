#include <string.h>

#include "fuzz_driver.h"

enum { MOST_AT_ONCE = 16, MOST_AT_FIRST = 256 };

uint64_t fuzz_random_next(struct fuzz_random *random) {
  uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

uint64_t fuzz_random_below(struct fuzz_random *random, uint64_t below) { return fuzz_random_next(random) % below; }

/* Makes room for `added` bytes at `at`, as far as there is some. Returns the new size. */
static size_t open_gap(uint8_t *bytes, size_t size, size_t most, size_t at, size_t *added) {
  if (*added > most - size) { *added = most - size; }
  memmove(bytes + at + *added, bytes + at, size - at);
  return size + *added;
}

static size_t insert_random(struct fuzz_random *random, uint8_t *bytes, size_t size, size_t most) {
  size_t added = 1 + fuzz_random_below(random, size == 0 ? MOST_AT_FIRST : MOST_AT_ONCE);
  size_t at = fuzz_random_below(random, size + 1);
  size = open_gap(bytes, size, most, at, &added);
  for (size_t i = 0; i < added; i++) { bytes[at + i] = (uint8_t)fuzz_random_next(random); }
  return size;
}

static size_t insert_part(struct fuzz_random *random, uint8_t *bytes, size_t size, size_t most, const uint8_t *other,
                          size_t other_size) {
  size_t from = fuzz_random_below(random, other_size + 1);
  size_t added = fuzz_random_below(random, other_size - from + 1);
  size_t at = fuzz_random_below(random, size + 1);
  size = open_gap(bytes, size, most, at, &added);
  memcpy(bytes + at, other + from, added);
  return size;
}

static size_t remove_part(struct fuzz_random *random, uint8_t *bytes, size_t size) {
  size_t at = fuzz_random_below(random, size);
  size_t removed = 1 + fuzz_random_below(random, MOST_AT_ONCE);
  if (removed > size - at) { removed = size - at; }
  memmove(bytes + at, bytes + at + removed, size - at - removed);
  return size - removed;
}

size_t fuzz_mutate(struct fuzz_random *random, uint8_t *bytes, size_t size, size_t most, const uint8_t *other,
                   size_t other_size) {
  static const uint8_t edges[] = {0, 1, 2, 3, 4, 7, 8, 63, 64, 127, 128, 255};
  uint64_t what = size == 0 ? 0 : fuzz_random_below(random, 7);
  switch (what) {
  case 0:
    return insert_random(random, bytes, size, most);
  case 1:
    return insert_part(random, bytes, size, most, other, other_size);
  case 2:
    return remove_part(random, bytes, size);
  case 3:
    bytes[fuzz_random_below(random, size)] ^= (uint8_t)(1u << fuzz_random_below(random, 8));
    return size;
  case 4:
    bytes[fuzz_random_below(random, size)] = edges[fuzz_random_below(random, sizeof edges)];
    return size;
  case 5:
    bytes[fuzz_random_below(random, size)] += (uint8_t)(1 + fuzz_random_below(random, 8));
    return size;
  default:
    bytes[fuzz_random_below(random, size)] = (uint8_t)fuzz_random_next(random);
    return size;
  }
}
