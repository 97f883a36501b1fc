#include "floor/adr_floor_slot.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { RING_LINES = 16, INLINE_BYTES = 48, RECEIVED = FLOOR_COPY_MAX_BYTES / 2 };
_Static_assert(TOUCH_BUFFERS *FLOOR_SLOT_MAX_BYTES < RECEIVED, "private memory has room for what is sent");

struct slot {
  adr_atomic_u64 sequence;
  uint64_t match;
  uint8_t payload[INLINE_BYTES];
};
_Static_assert(sizeof(struct slot) == ADR_LINE, "a slot is a line");

/* One side's place in both rings. All messages of a run are of one length, so a header never lies where a
 * payload lay, and the sequence alone tells a new message. */
struct place {
  uint8_t *out;
  const uint8_t *in;
  uint64_t step; /* bytes of a message */
  uint64_t wrap; /* bytes of the ring in use: a multiple of `step` */
  uint64_t at;
  uint8_t *mine;   /* messages to send; those received lie RECEIVED behind them */
  uint64_t stride; /* between two of them */
  uint64_t turn;   /* where the one that is due lies */
  uint64_t turns;  /* where the last one ends */
  uint64_t sequence;
  uint32_t pauses;
  bool hints;
};

static struct place place_of(struct floor_pair *pair, const struct floor_order *order) {
  uint64_t lines = 1 + (order->bytes > INLINE_BYTES ? (order->bytes + ADR_LINE - 1) / ADR_LINE : 0);
  uint64_t messages = lines < RING_LINES / 2 ? RING_LINES / lines : 2;
  uint64_t wrap = messages * lines * ADR_LINE;
  uint64_t begin = wrap <= FLOOR_PAGE_BYTES ? order->page * FLOOR_PAGE_BYTES : 0;
  return (struct place){
      .out = pair->shared->ring[pair->side] + begin,
      .in = pair->shared->ring[1 - pair->side] + begin,
      .step = lines * ADR_LINE,
      .wrap = wrap,
      .mine = pair->mine,
      .stride = touch_stride(order->bytes),
      .turns = touch_stride(order->bytes) * TOUCH_BUFFERS,
      .sequence = 1,
      .pauses = order->pauses,
      .hints = order->hints != 0,
  };
}

/* Sent: the lines are pushed down to the cache that both CPUs share, and those of the next message are
 * fetched for writing while we wait. Both hints do nothing on CPUs that lack them. */
INLINE void hint(uint8_t *sent, uint8_t *next, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += ADR_LINE) {
#if defined(__x86_64__)
    __asm__ __volatile__("cldemote (%0)" ::"r"(sent + at) : "memory");
    __asm__ __volatile__("prefetchw (%0)" ::"r"(next + at) : "memory");
#else
    (void)sent;
    __builtin_prefetch(next + at, 1);
#endif
  }
}

INLINE void put(const struct place *place, const uint8_t *source, uint64_t bytes) {
  struct slot *slot = (struct slot *)(void *)(place->out + place->at);
  slot->match = place->sequence;
  memcpy(bytes <= INLINE_BYTES ? slot->payload : (uint8_t *)(slot + 1), source, bytes);
  /* SYNC floor-word: release; orders match and payload. */
  adr_store_release_u64(&slot->sequence, place->sequence);
  if (place->hints) {
    uint64_t next = place->at + place->step == place->wrap ? 0 : place->at + place->step;
    hint(place->out + place->at, place->out + next, bytes <= INLINE_BYTES ? ADR_LINE : place->step);
  }
}

INLINE void get(const struct floor_pair *pair, const struct place *place, uint8_t *destination, uint64_t bytes) {
  const struct slot *slot = (const struct slot *)(const void *)(place->in + place->at);
  floor_await(pair, &slot->sequence, place->sequence, place->pauses);
  if (ADR_UNLIKELY(slot->match != place->sequence)) { __builtin_trap(); }
  memcpy(destination, bytes <= INLINE_BYTES ? slot->payload : (const uint8_t *)(slot + 1), bytes);
}

INLINE void advance(struct place *place) {
  place->sequence++;
  place->at += place->step;
  if (place->at == place->wrap) { place->at = 0; }
  place->turn += place->stride;
  if (place->turn == place->turns) { place->turn = 0; }
}

INLINE void send(struct place *place, struct touch *touch, uint64_t bytes) {
  uint8_t *message = place->mine + place->turn;
  touch_write(touch, message, bytes);
  put(place, message, bytes);
}

INLINE void receive(const struct floor_pair *pair, struct place *place, struct touch *touch, uint64_t bytes) {
  uint8_t *message = place->mine + place->turn + RECEIVED;
  get(pair, place, message, bytes);
  touch_read(touch, message, bytes);
}

INLINE void answer(struct floor_pair *pair, const struct floor_order *order, uint64_t bytes) {
  struct place place = place_of(pair, order);
  struct touch touch;
  uint64_t total = order->batches * order->exchanges;
  touch_begin(&touch, bytes, order->touched != 0);
  for (uint64_t i = 0; i < total; i++) {
    receive(pair, &place, &touch, bytes);
    send(&place, &touch, bytes);
    advance(&place);
  }
  pair->touch = touch;
}

INLINE void ask(struct floor_pair *pair, const struct floor_order *order, uint64_t bytes) {
  struct place place = place_of(pair, order);
  struct touch touch;
  touch_begin(&touch, bytes, order->touched != 0);
  for (uint64_t batch = 0; batch < order->batches; batch++) {
    uint64_t start = floor_now();
    for (uint64_t i = 0; i < order->exchanges; i++) {
      send(&place, &touch, bytes);
      receive(pair, &place, &touch, bytes);
      advance(&place);
    }
    floor_note(pair, batch, floor_now() - start, 1);
  }
  pair->touch = touch;
}

INLINE void play(struct floor_pair *pair, const struct floor_order *order, uint64_t bytes) {
  if (pair->side == 0) {
    ask(pair, order, bytes);
  } else {
    answer(pair, order, bytes);
  }
}

/* Small sizes as constants, rounded up to words: then the copies are a few moves. */
static void play_inline(struct floor_pair *pair, const struct floor_order *order) {
  switch ((order->bytes + 7) / 8) {
  case 0:
    play(pair, order, 0);
    break;
  case 1:
    play(pair, order, 8);
    break;
  case 2:
    play(pair, order, 16);
    break;
  case 3:
    play(pair, order, 24);
    break;
  case 4:
    play(pair, order, 32);
    break;
  case 5:
    play(pair, order, 40);
    break;
  default:
    play(pair, order, 48);
    break;
  }
}

void floor_slot_run(struct floor_pair *pair, const struct floor_order *order) {
  struct place place = place_of(pair, order);
  memset(place.out, 0, place.wrap);
  memset(pair->mine, 1, place.turns); /* no page faults while time runs */
  memset(pair->mine + RECEIVED, 1, place.turns);
  floor_pair_meet(pair);
  if (order->bytes <= INLINE_BYTES) {
    play_inline(pair, order);
  } else {
    play(pair, order, order->bytes);
  }
}
