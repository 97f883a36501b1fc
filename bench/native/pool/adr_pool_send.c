#include "pool/adr_pool_send.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 128, NOTES = 512 }; /* [MVAPICH 2006, 3.1]: 128 cells, a receive buffer of 32 KiB */

/* A control message. Writer: the sender. */
struct note {
  adr_atomic_u64 sequence; /* written last; 1 is the first */
  uint64_t total;          /* bytes of the whole message */
  uint32_t count;          /* packets; all but a message's last one are full */
  uint16_t cell[POOL_MAX_PACKETS];
  uint8_t reserved[12];
};
_Static_assert(sizeof(struct note) == ADR_LINE, "a control message is a line");

/* The payload follows. Writers: the sender; once the cell was named, the receiver. */
struct cell {
  adr_atomic_u64 busy;
  uint8_t reserved[ADR_LINE - 8];
};

struct pool_areas {
  uint32_t cell_bytes;
  uint32_t stride;
  struct note *notes[2]; /* notes[s]: receive buffer of what side s sends */
  uint8_t *cells[2];     /* cells[s]: pool of side s */
};

struct pool {
  struct pool_areas *areas;
  uint32_t packets;
  bool oldest_first;
  uint16_t spare[CELLS]; /* free cells, in the order in which they came back */
  uint64_t spare_first;  /* counted from the start */
  uint64_t spare_count;
  uint16_t queue[CELLS]; /* the send queue: cells under way, in their order */
  uint64_t first;        /* of the send queue, counted from the start */
  uint64_t behind_last;
  uint64_t noted;    /* control messages sent */
  uint64_t received; /* and received */
};

static inline struct cell *cell_at(const struct pool_areas *areas, int side, uint32_t index) {
  return (struct cell *)(void *)(areas->cells[side] + (uint64_t)index * areas->stride);
}

static inline uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* SYNC pool-mark: acquire, pairs with the receiver's mark. What we write to the cell next, or to the line of a control
 * message that named it, comes after the receiver's reads of both. */
static void sweep(struct pool *pool, int side) {
  while (pool->first != pool->behind_last) {
    uint16_t index = pool->queue[pool->first % CELLS];
    if (adr_load_acquire_u64(&cell_at(pool->areas, side, index)->busy) != 0) { return; }
    pool->spare[(pool->spare_first + pool->spare_count++) % CELLS] = index;
    pool->first++;
  }
}

/* The next line of the receive buffer. It is free: each line but the last CELLS named a cell that we have seen marked
 * free, since no more cells than that are under way, and the mark came after the line was read. */
static inline struct note *next_note(const struct pool *pool, int side) {
  return &pool->areas->notes[side][pool->noted % NOTES];
}

/* SYNC pool-note: release; orders the cells' contents and marks, and the rest of the line, before the number. */
static void publish(struct pool *pool, struct note *note) { adr_store_release_u64(&note->sequence, ++pool->noted); }

static uint16_t take(struct pool *pool, const struct floor_pair *pair) {
  uint32_t waited = 0;
  while (ADR_UNLIKELY(pool->spare_count == 0)) {
    sweep(pool, pair->side);
    if (pool->spare_count == 0) { pool_pause(pair, &waited); }
  }
  pool->spare_count--;
  uint64_t place = pool->oldest_first ? pool->spare_first++ : pool->spare_first + pool->spare_count;
  return pool->spare[place % CELLS];
}

static void load(struct pool *pool, int side, uint16_t index, const uint8_t *from, uint64_t bytes) {
  struct cell *cell = cell_at(pool->areas, side, index);
  memcpy(cell + 1, from, bytes);
  adr_store_relaxed_u64(&cell->busy, 1); /* ours until it is named */
  pool->queue[pool->behind_last++ % CELLS] = index;
}

static void send(void *state, const struct floor_pair *pair, uint8_t *message, uint64_t bytes) {
  struct pool *pool = state;
  uint64_t cell_bytes = pool->areas->cell_bytes;
  uint64_t sent = 0;
  sweep(pool, pair->side);
  while (sent < bytes) {
    struct note *note = next_note(pool, pair->side);
    uint32_t count = 0;
    do {
      uint16_t index = take(pool, pair);
      uint64_t length = least(bytes - sent, cell_bytes);
      load(pool, pair->side, index, message + sent, length);
      note->cell[count++] = index;
      sent += length;
      /* None free: the receiver must hear of these before it can free any. */
    } while (count < pool->packets && sent < bytes && pool->spare_count > 0);
    note->total = bytes;
    note->count = count;
    publish(pool, note);
  }
}

/* SYNC pool-note: acquire, pairs with the sender's publish. */
static const struct note *await(struct pool *pool, const struct floor_pair *pair, uint64_t bytes) {
  const struct note *note = &pool->areas->notes[1 - pair->side][pool->received % NOTES];
  uint32_t waited = 0;
  pool->received++;
  while (adr_load_acquire_u64(&note->sequence) != pool->received) { pool_pause(pair, &waited); }
  if (ADR_UNLIKELY(note->total != bytes || note->count < 1 || note->count > POOL_MAX_PACKETS)) {
    pool_fail("a packet of another message", (int64_t)note->total);
  }
  return note;
}

static void receive(void *state, const struct floor_pair *pair, uint8_t *message, uint64_t bytes) {
  struct pool *pool = state;
  uint64_t received = 0;
  while (received < bytes) {
    const struct note *note = await(pool, pair, bytes);
    uint32_t count = note->count; /* with the last mark the line may be written anew */
    for (uint32_t i = 0; i < count; i++) {
      struct cell *cell = cell_at(pool->areas, 1 - pair->side, note->cell[i]);
      uint64_t length = least(bytes - received, pool->areas->cell_bytes);
      memcpy(message + received, cell + 1, length);
      adr_store_release_u64(&cell->busy, 0); /* SYNC pool-mark: release; our reads of cell and line come first */
      received += length;
    }
  }
}

/* An odd number of blocks, as in a segment: headers of successive cells fall into different cache sets. */
static uint32_t stride_of(uint32_t cell_bytes) {
  return (uint32_t)adr_align_up(sizeof(struct cell) + cell_bytes, ADR_BLOCK) | ADR_BLOCK;
}

struct pool_areas *pool_send_areas(uint32_t cell_bytes) {
  struct pool_areas *areas = calloc(1, sizeof *areas);
  if (areas == NULL) { pool_fail("no memory", sizeof *areas); }
  areas->cell_bytes = cell_bytes;
  areas->stride = stride_of(cell_bytes);
  for (int side = 0; side < 2; side++) {
    areas->notes[side] = pool_share(NOTES * sizeof(struct note));
    areas->cells[side] = pool_share((uint64_t)CELLS * areas->stride);
  }
  return areas;
}

struct pool_way pool_send_way(const char *name, struct pool_areas *areas, uint32_t packets, bool oldest_first) {
  struct pool *pool = calloc(1, sizeof *pool);
  if (pool == NULL) { pool_fail("no memory", sizeof *pool); }
  pool->areas = areas;
  pool->packets = packets;
  pool->oldest_first = oldest_first;
  for (uint32_t i = 0; i < CELLS; i++) { pool->spare[pool->spare_count++] = (uint16_t)i; }
  return (struct pool_way){name, pool, POOL_MAX_BYTES, send, receive};
}
