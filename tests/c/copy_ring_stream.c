/* copy_ring_stream RING CHUNK MEGABYTES [SEED]: a thread puts a stream of bytes into a small ring, another takes it out
 * and checks every byte; sizes of the calls are random. The accesses to the bytes are plain, so that a sanitizer sees
 * counts that do not order them. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "copy_ring_pair.h"

struct end {
  int64_t ring, chunk;
  uint64_t total, random;
};

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = (*state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/* Mostly small, sometimes more than one call moves. */
static uint64_t random_length(struct end *end, uint64_t left) {
  uint64_t random = next_random(&end->random);
  uint64_t length = (random >> 8) % (random % 4 == 0 ? 2 * ADR_RING_MOST : 3000);
  return length < left ? length : left;
}

static void *write_all(void *argument) {
  static uint8_t from[2 * ADR_RING_MOST];
  struct end *end = argument;
  for (uint64_t filled = 0; filled < end->total;) {
    uint64_t length = random_length(end, end->total - filled);
    stream_fill(from, filled, length);
    int32_t put = adr_ring_put(&pair.ring, end->ring, end->chunk, (int64_t)filled, from, 0, (int64_t)length);
    CHECK(put >= 0);
    if (put == 0) { sched_yield(); }
    filled += (uint32_t)put;
  }
  return NULL;
}

static void read_all(struct end *end) {
  static uint8_t to[2 * ADR_RING_MOST];
  for (uint64_t drained = 0; drained < end->total;) {
    uint64_t length = random_length(end, end->total - drained);
    int32_t taken = adr_ring_take(&pair.ring, end->ring, end->chunk, (int64_t)drained, to, 0, (int64_t)length);
    CHECK(taken >= 0);
    if (taken == 0) { sched_yield(); }
    stream_check(to, drained, (uint32_t)taken);
    drained += (uint32_t)taken;
  }
}

int main(int count, char **words) {
  CHECK(count == 4 || count == 5);
  int64_t ring = atoi(words[1]);
  uint64_t fresh = (uint64_t)time(NULL) * 1000003u + (uint64_t)getpid();
  uint64_t seed = count == 5 ? strtoull(words[4], NULL, 0) : fresh;
  CHECK(ring > 0 && ring <= PAIR_MOST);
  struct end writer = {ring, atoi(words[2]), (uint64_t)atoi(words[3]) << 20, seed};
  struct end reader = {ring, atoi(words[2]), writer.total, seed + 1};
  printf("ring %s chunk %s seed 0x%" PRIx64 "\n", words[1], words[2], seed);
  fflush(stdout);
  pair_begin(0);
  pthread_t thread;
  CHECK_EQUAL(0, pthread_create(&thread, NULL, write_all, &writer));
  read_all(&reader);
  CHECK_EQUAL(0, pthread_join(thread, NULL));
  CHECK_EQUAL(writer.total, adr_load_relaxed_u64(&pair.ring.filled));
  CHECK_EQUAL(writer.total, adr_load_relaxed_u64(&pair.ring.drained));
  pair_check_guards((uint64_t)ring);
  printf("ok\n");
  return 0;
}
