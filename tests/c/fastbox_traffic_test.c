/* fastbox_traffic_test [SEED]: random traffic through one fastbox against a model: sizes, packing, bursts, aborts,
 * numbers that went by queue, messages held and given back in any order. */
#include <inttypes.h>
#include <time.h>

#include "fastbox_pair.h"

enum { MOST = 2016 };

struct message {
  uint64_t sequence, position;
  uint32_t length;
};
static uint64_t seed;

static uint32_t below(uint32_t bound) { /* splitmix64 */
  uint64_t z = (seed += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (uint32_t)((z ^ (z >> 31)) >> 33) % bound;
}

static struct message sent[RING], held[8];
static uint32_t first_sent, sent_count, retained_count;

static void write_some(uint64_t *sequence) {
  bool burst = below(2) == 0, packed = below(2) == 0;
  for (uint32_t i = below(12); i > 0; i--) {
    uint32_t length = below(below(8) == 0 ? MOST + 1 : 70);
    *sequence += below(4) == 0; /* by queue */
    if (below(6) == 0 && adr_outbox_find(&out, length, packed, &room)) {
      memset(room.message, 0xff, ADR_BOX_MESSAGE_BYTES + length);
      room.message->header = 0; /* the header is the box's own */
      adr_outbox_abort(&out, &room);
    } else if ((!packed && !burst && length <= ADR_BOX_HEAD && out.position % ADR_LINE == 0
                && put_line(*sequence, length))
               || put(*sequence, length, packed, burst)) {
      sent[(first_sent + sent_count++) % RING] = (struct message){*sequence, 0, length};
      ++*sequence;
    }
  }
  adr_outbox_show(&out);
}

static void give_one(void) {
  uint32_t which = below(retained_count);
  is_intact(held[which].position, held[which].sequence, held[which].length);
  CHECK_EQUAL(0, adr_inbox_release(&in, held[which].position));
  held[which] = held[--retained_count];
}

static void read_some(void) {
  for (uint32_t i = below(12); i > 0 && sent_count > 0; i--) {
    struct message next = sent[first_sent++ % RING];
    sent_count--;
    int64_t header = look(next.sequence, next.length);
    if (retained_count < 8 && below(4) == 0) {
      next.position = adr_inbox_retain(&in, (uint64_t)header);
      held[retained_count++] = next;
    } else {
      adr_inbox_end(&in, (uint64_t)header);
    }
  }
  while (retained_count > 0 && below(3) != 0) { give_one(); }
  if (below(3) == 0) { adr_inbox_tell(&in); }
}

static void carries_random_traffic(void) {
  uint64_t sequence = 0;
  printf("seed 0x%" PRIx64 "\n", seed);
  for (int round = 0; round < 20000; round++) {
    write_some(&sequence);
    read_some();
    if (sent_count == 0) { CHECK_EQUAL(0, adr_inbox_poll(&in, sequence)); }
    CHECK(out.position + ADR_BOX_WORD - entry.released <= RING || out.position == entry.released);
  }
  while (retained_count > 0) { give_one(); }
  CHECK(sequence > 20000);
}

int main(int count, char **arguments) {
  seed = count > 1 ? strtoull(arguments[1], NULL, 0) : (uint64_t)time(NULL);
  RUN_FRESH(carries_random_traffic);
  return 0;
}
