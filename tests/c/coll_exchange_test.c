/* Exchanges in a slot, with threads as ranks on plain memory: gather, scatter, alltoall and allgather, of one length or
 * by parts, with lengths of 0 in all places; by lines, stages and straight from members' memory; what goes wrong. */
#include "adrastea/coll.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "coll/adr_coll_choice.h"
#include "coll/adr_exchange_room.h"
#include "coll_ranks.h"

enum { MOST_BYTES = 400000, ROUNDS = 150 };

static uint8_t byte_of(uint64_t round, uint64_t giver, uint64_t reader, int64_t at) {
  return (uint8_t)(mix(round << 24 ^ giver << 16 ^ reader << 8) + (uint64_t)at * 7);
}

/* What is the same at all ranks. */
struct exchange {
  int32_t kind;
  uint32_t root;
  bool by_parts;
  uint64_t round;
  uint64_t draw;
  int64_t most;
  int64_t all; /* bytes of every block; 0: they are drawn */
};

/* Bytes that one gives another. */
static int64_t length_of(const struct exchange *exchange, uint32_t giver, uint32_t reader) {
  uint64_t draw = exchange->draw;
  if (exchange->all > 0) { return exchange->all; }
  if (exchange->by_parts) {
    const bool several = exchange->kind == ADR_COLL_SCATTER || exchange->kind == ADR_COLL_ALLTOALL;
    draw = mix(draw ^ (uint64_t)giver * 77 ^ (several ? (uint64_t)reader << 20 : 0));
    if (draw % 5 == 0) { return 0; }
    if (draw % 5 == 1) { return 1; }
    draw = (draw >> 3 & ~UINT64_C(3)) | (exchange->draw & 3); /* mostly of a size */
  }
  switch (draw & 3) {
  case 0:
    return (int64_t)(draw >> 8 & 15);
  case 1:
    return (int64_t)(draw >> 8 & 255);
  case 2:
    return (int64_t)(draw >> 8 & 0xffff) % exchange->most;
  default:
    return (int64_t)(draw >> 8 & 0xfffffff) % exchange->most;
  }
}

static bool gives(const struct exchange *exchange, uint32_t giver, uint32_t reader) {
  return exchange->kind == ADR_COLL_GATHER    ? reader == exchange->root
         : exchange->kind == ADR_COLL_SCATTER ? giver == exchange->root
                                              : true;
}

/* Fills the input and the table of parts, and says what is expected. Returns the bytes to begin with. */
static int64_t prepare(const struct exchange *exchange, uint32_t self, uint8_t *in, uint8_t *expected, int64_t *parts,
                       bool in_place) {
  const uint32_t ranks = place.ranks;
  const bool several = exchange->kind == ADR_COLL_SCATTER || exchange->kind == ADR_COLL_ALLTOALL;
  const int64_t gap = exchange->by_parts && !in_place ? 3 : 0;
  int64_t at = 0, to = 0, total = 0;
  memset(parts, 0, ADR_COLL_PART_ROWS * ranks * sizeof *parts);
  for (uint32_t other = 0; other < ranks; other++) {
    const uint32_t reader = several ? other : exchange->kind == ADR_COLL_GATHER ? exchange->root : 0;
    if (gives(exchange, self, reader) && (several || other == self)) {
      const int64_t length = length_of(exchange, self, reader);
      for (int64_t i = 0; i < length; i++) { in[at + i] = byte_of(exchange->round, self, reader, i); }
      parts[ADR_COLL_GIVE_BYTES * ranks + other] = length;
      parts[ADR_COLL_GIVE_AT * ranks + other] = at;
      total += length;
      at += length + gap;
    }
    if (gives(exchange, other, self)) {
      const int64_t length = length_of(exchange, other, self);
      for (int64_t i = 0; i < length; i++) {
        expected[to + i] = byte_of(exchange->round, other, several || exchange->kind == ADR_COLL_GATHER ? self : 0, i);
      }
      parts[ADR_COLL_TAKE_BYTES * ranks + other] = length;
      parts[ADR_COLL_TAKE_AT * ranks + other] = to;
      to += length + gap;
      if (gap > 0) { memset(expected + to - gap, 0xee, (size_t)gap); }
    }
  }
  return exchange->by_parts ? total : length_of(exchange, 0, 0);
}

/* What a round calls, which is drawn alike at all ranks, and how a rank gives and takes its bytes. */
typedef void choose(struct exchange *exchange, struct call *now, uint32_t self);

static void take_exchanges(uint32_t self, uint64_t rounds, size_t room, choose *choose) {
  adr_coll *coll = opened(self);
  uint8_t *in = zeros(room);
  uint8_t *out = zeros(room);
  uint8_t *expected = zeros(room);
  for (uint64_t round = 0; round < rounds; round++) {
    struct exchange exchange = {.round = round};
    struct call now = {.in = in, .out = out};
    choose(&exchange, &now, self);
    const bool is_rooted = exchange.kind == ADR_COLL_GATHER || exchange.kind == ADR_COLL_SCATTER;
    now.kind = exchange.kind;
    now.root = (int32_t)exchange.root;
    memset(out, 0xee, room);
    memset(expected, 0xee, room);
    now.bytes = prepare(&exchange, self, in, expected, adr_coll_parts(coll), false);
    /* The root alone knows of parts in a gather and a scatter. */
    now.op = exchange.by_parts && (!is_rooted || self == exchange.root) ? ADR_COLL_BY_PARTS : 0;
    if (exchange.by_parts && exchange.kind == ADR_COLL_SCATTER && self != exchange.root) {
      now.bytes = length_of(&exchange, exchange.root, self);
      for (int64_t i = 0; i < now.bytes; i++) { expected[i] = byte_of(round, exchange.root, self, i); }
      memset(expected + now.bytes, 0xee, 16);
    }
    CHECK_EQUAL(0, call(coll, &now));
    CHECK(memcmp(out, expected, room) == 0);
  }
  adr_coll_close(coll);
  free(in);
  free(out);
  free(expected);
}

static int64_t most_of_random(void) { return place.ranks <= 4 ? 200000 : 15000; }

static void choose_any(struct exchange *exchange, struct call *now, uint32_t self) {
  static const int32_t kinds[] = {ADR_COLL_GATHER, ADR_COLL_SCATTER, ADR_COLL_ALLTOALL, ADR_COLL_ALLGATHERV};
  const uint64_t draw = mix(exchange->round * 77 + place.ranks);
  exchange->kind = kinds[draw % 4];
  exchange->root = exchange->kind == ADR_COLL_GATHER || exchange->kind == ADR_COLL_SCATTER
                       ? (uint32_t)(draw >> 40) % place.ranks
                       : 0;
  exchange->by_parts = exchange->kind == ADR_COLL_ALLGATHERV || (draw >> 32 & 1) != 0;
  exchange->most = most_of_random();
  exchange->draw = mix(draw);
  const uint64_t own = mix(draw + self);
  now->by_hand = (own & 3) == 0;
  now->by = (own & 4) != 0 ? ADR_COLL_BY_OFFSET : (own & 8) != 0 ? ADR_COLL_BY_ADDRESS : 0;
  now->may_not = exchange->round % 50 > 40;
}

static void *take_random_exchanges(void *number) {
  const size_t room = (size_t)(most_of_random() + 3) * place.ranks + 8;
  take_exchanges((uint32_t)(uintptr_t)number, ROUNDS, room, choose_any);
  return NULL;
}

/* Chooses an exchange of equal blocks, in memory of which most members tell. */
static void choose_large(struct exchange *exchange, struct call *now, uint32_t self) {
  const uint64_t draw = mix(exchange->round * 79 + place.ranks);
  exchange->kind = (draw & 1) != 0 ? ADR_COLL_GATHER : ADR_COLL_ALLTOALL;
  exchange->root = exchange->kind == ADR_COLL_GATHER ? (uint32_t)(draw >> 40) % place.ranks : 0;
  exchange->all = 131072 + (int64_t)(draw >> 8 & 0x1ffff) * (int64_t)(draw >> 1 & 1);
  const uint64_t own = mix(draw + self);
  now->by_hand = (own & 3) == 0;
  now->by = (own >> 2 & 7) == 0 ? 0 : (own >> 2 & 7) == 1 ? ADR_COLL_BY_OFFSET : ADR_COLL_BY_ADDRESS;
  now->out_by = (own >> 5 & 3) == 0 ? 0 : ADR_COLL_BY_ADDRESS;
  now->may_not = exchange->round > 20;
}

static void *take_large_exchanges(void *number) {
  take_exchanges((uint32_t)(uintptr_t)number, 24, (size_t)MOST_BYTES * place.ranks, choose_large);
  return NULL;
}

static void should_write_large_blocks_to_where_they_go(void) {
  for (uint32_t ranks = 2; ranks <= 4; ranks++) {
    const uint32_t before = adr_load_relaxed_u32(&written);
    with_ranks(ranks, 0, 0, take_large_exchanges);
    CHECK(adr_load_relaxed_u32(&written) > before);
  }
  with_ranks(2, ADR_SLOT_CHECKED, 0, take_large_exchanges);
}

static void should_bring_each_block_from_its_giver_to_its_reader(void) {
  for (uint32_t ranks = 1; ranks <= 6; ranks++) { with_ranks(ranks, 0, 0, take_random_exchanges); }
  with_ranks(MOST_RANKS, 0, 0, take_random_exchanges);
  with_ranks(3, ADR_SLOT_CHECKED, 0, take_random_exchanges);
  CHECK(adr_load_relaxed_u32(&mapped) > 0);
  CHECK(adr_load_relaxed_u32(&copied) > 0);
}

static void should_count_on_where_a_sequence_has_no_bits_left(void) {
  with_ranks(3, 0, (UINT64_C(1) << 32) - 50, take_random_exchanges);
  with_ranks(2, 0, (UINT64_C(7) << 28) - 50, take_random_exchanges); /* members that need not post do */
}

/* All give all the same number of bytes, from where the result goes. */
static void *exchange_in_place(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  for (int64_t bytes = 1; bytes <= 100000; bytes *= 7) {
    uint8_t *data = zeros((size_t)bytes * place.ranks);
    for (uint32_t other = 0; other < place.ranks; other++) {
      memset(data + other * bytes, (int)(self * 16 + other + 1), (size_t)bytes);
    }
    const struct call now = {.kind = ADR_COLL_ALLTOALL,
                             .op = ADR_COLL_STAYS,
                             .bytes = bytes,
                             .in = data,
                             .out = data,
                             .by_hand = self % 2 == 1};
    CHECK_EQUAL(0, call(coll, &now));
    for (uint32_t other = 0; other < place.ranks; other++) {
      for (int64_t i = 0; i < bytes; i++) { CHECK_EQUAL(other * 16 + self + 1, data[other * bytes + i]); }
    }
    free(data);
  }
  adr_coll_close(coll);
  return NULL;
}

static void should_exchange_in_place(void) {
  with_ranks(2, 0, 0, exchange_in_place);
  with_ranks(5, 0, 0, exchange_in_place);
}

/* Rank 1 gives rank 0 other bytes than it expects; each waits for what it is told. */
static int64_t given, expected;

static void *give_another_length(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  static uint8_t memory[2][2][MOST_BYTES];
  int64_t *parts = adr_coll_parts(coll);
  const int64_t gives = self == 0 ? 5 : given;
  const int64_t table[] = {self == 0 ? 3 : gives, self == 0 ? gives : 3,    0, 100000,
                           self == 0 ? 3 : 5,     self == 0 ? expected : 3, 0, 100000};
  memcpy(parts, table, sizeof table);
  const struct call now = {.kind = ADR_COLL_ALLTOALL,
                           .op = ADR_COLL_BY_PARTS,
                           .bytes = gives + 3,
                           .in = memory[self][0],
                           .out = memory[self][1]};
  const int32_t status = call(coll, &now);
  if (self == 0) {
    CHECK_EQUAL(ADR_COLL_MISMATCH, status);
    const int32_t which = adr_coll_begun(coll);
    CHECK_EQUAL(1, adr_coll_other(coll, which));
    CHECK_EQUAL(given, adr_coll_words(coll, which)[ADR_COLL_GIVEN]);
    CHECK_EQUAL(expected, adr_coll_words(coll, which)[ADR_COLL_EXPECTED]);
    adr_coll_break_off(coll);
  } else {
    CHECK(status == 0 || status == ADR_COLL_BROKEN);
  }
  return leave_together(coll);
}

static void should_tell_both_lengths_where_they_differ(void) {
  static const int64_t lengths[] = {0, 1, 30, 60, 5000, 100000};
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      given = lengths[i];
      expected = lengths[j];
      if (i != j) { with_ranks(2, 0, 0, give_another_length); }
    }
  }
}

static adr_atomic_u32 root_has_closed;

/* A scatter by parts whose root has memory that others read, and nothing for the last member. */
static void *scatter_and_close(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  static uint8_t in[100000], out[100000];
  adr_coll *coll = opened(self);
  struct call now = {.kind = ADR_COLL_SCATTER, .in = in, .out = out, .by = ADR_COLL_BY_OFFSET};
  if (self == 0) {
    adr_coll_parts(coll)[1] = now.bytes = sizeof in;
    now.op = ADR_COLL_BY_PARTS;
  } else if (self == 1) {
    now.bytes = sizeof out;
  } else {
    while (adr_load_acquire_u32(&root_has_closed) == 0) { sched_yield(); }
  }
  CHECK_EQUAL(0, call(coll, &now));
  if (self == 0) {
    CHECK(adr_coll_close_state(coll) >= 0);
    adr_store_release_u32(&root_has_closed, 1);
  }
  return leave_together(coll);
}

static void should_let_who_gives_nothing_to_a_member_close_before_that_one_comes(void) {
  with_ranks(3, 0, 0, scatter_and_close);
}

/* A gather whose members take different ones for the root. */
static void *gather_at_others(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  uint8_t in[8] = {0}, out[32];
  const struct call now = {.kind = ADR_COLL_GATHER, .root = (int32_t)self, .bytes = 8, .in = in, .out = out};
  CHECK_EQUAL(ADR_COLL_MISMATCH, call(coll, &now));
  return leave_together(coll);
}

static void *scatter_from_others(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  uint8_t in[32] = {0}, out[8];
  const int32_t root = (int32_t)((self + 1) % place.ranks); /* nobody gives */
  const struct call now = {.kind = ADR_COLL_SCATTER, .root = root, .bytes = 8, .in = in, .out = out};
  CHECK_EQUAL(ADR_COLL_MISMATCH, call(coll, &now));
  return leave_together(coll);
}

static void should_tell_of_other_roots(void) {
  with_ranks(2, 0, 0, gather_at_others);
  with_ranks(4, 0, 0, gather_at_others);
  with_ranks(2, 0, 0, scatter_from_others);
  with_ranks(4, 0, 0, scatter_from_others);
}

static void *refuse(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  const struct call flags = {.kind = ADR_COLL_GATHER, .op = 4, .bytes = 8};
  CHECK_EQUAL(-EINVAL, call(coll, &flags));
  const struct call untold = {.kind = ADR_COLL_ALLTOALL, .op = ADR_COLL_BY_PARTS, .bytes = 8};
  CHECK_EQUAL(-EINVAL, call(coll, &untold));
  int64_t *parts = adr_coll_parts(coll);
  CHECK(parts == adr_coll_parts(coll));
  parts[self] = 4; /* other bytes than in the call, and its own block is not what it takes */
  CHECK_EQUAL(-EINVAL, call(coll, &untold));
  parts[self] = 8;
  CHECK_EQUAL(-EINVAL, call(coll, &untold));
  parts[ADR_COLL_TAKE_BYTES * 2 + self] = 8;
  parts[1 - self] = -1;
  CHECK_EQUAL(-EINVAL, call(coll, &untold));
  const struct call leaf = {.kind = ADR_COLL_SCATTER, .root = 0, .op = ADR_COLL_BY_PARTS, .bytes = 8};
  parts[1 - self] = 0;
  if (self == 1) { CHECK_EQUAL(-EINVAL, call(coll, &leaf)); }
  const struct call unnamed = {
      .kind = ADR_COLL_ALLGATHERV, .element = ADR_COLL_FOR_GROUPS, .op = ADR_COLL_BY_PARTS, .bytes = 8};
  CHECK_EQUAL(-EINVAL, call(coll, &unnamed)); /* the first of two groups has a member at least */
  const struct call equal = {.kind = ADR_COLL_ALLGATHERV, .root = 1, .element = ADR_COLL_FOR_GROUPS, .bytes = 8};
  CHECK_EQUAL(-EINVAL, call(coll, &equal));
  struct call own = equal; /* takes its own block, which goes to the other group */
  own.op = ADR_COLL_BY_PARTS;
  CHECK_EQUAL(-EINVAL, call(coll, &own));
  const struct call kind = {.kind = ADR_COLL_ALLGATHERV + 1};
  CHECK_EQUAL(-EINVAL, call(coll, &kind));
  adr_coll_close(coll);
  return NULL;
}

static void should_refuse_parts_that_cannot_be(void) { with_ranks(2, 0, 0, refuse); }

/* A word for each block is there at least, and no more of them than fit. */
static void should_find_room_for_all_blocks(void) {
  for (int32_t kind = ADR_COLL_GATHER; kind <= ADR_COLL_ALLGATHERV; kind++) {
    for (uint32_t ranks = 1; ranks <= 1024; ranks++) {
      const struct adr_exchange_room room = adr_exchange_room_of(kind, ranks);
      const int64_t blocks = adr_coll_has_several_blocks(kind) ? (int64_t)ranks - 1 : 1;
      CHECK(room.stretch >= 8 && room.stretch % 8 == 0 && blocks * room.stretch <= room.buffer_bytes);
      CHECK(room.header + ADR_EXCHANGE_BUFFERS * room.buffer_bytes <= ADR_COLL_QUARTER);
    }
  }
}

/* Blocks whose rounds cannot be counted in 31 bits; io.adrastea.coll.ExchangeRoomTest has the same numbers. */
static void should_refuse_blocks_that_take_too_many_rounds(void) {
  CHECK_EQUAL(ADR_COLL_MOST_BYTES, adr_exchange_most_of_block(ADR_COLL_GATHER, 1024));
  CHECK_EQUAL(ADR_COLL_MOST_BYTES, adr_exchange_most_of_block(ADR_COLL_ALLTOALL, 2));
  CHECK_EQUAL(INT64_C(137438953280), adr_exchange_most_of_block(ADR_COLL_ALLTOALL, 200));
  CHECK_EQUAL(INT64_C(34359738320), adr_exchange_most_of_block(ADR_COLL_SCATTER, 1024));
  enum { RANKS = 1024 };
  set_up_slot(RANKS, 0, 0);
  adr_coll *coll = opened(1);
  const int64_t most = adr_exchange_most_of_block(ADR_COLL_ALLTOALL, RANKS);
  CHECK_EQUAL(-EINVAL, adr_coll_begin(coll, ADR_COLL_ALLTOALL, 0, most + 1, 0, 0, NULL, 0, NULL, 0, 1));
  CHECK_EQUAL(-EINVAL, adr_coll_begin(coll, ADR_COLL_SCATTER, 1, most + 1, 0, 0, NULL, 0, NULL, 0, 1));
  for (uint32_t row = ADR_COLL_GIVE_BYTES; row <= ADR_COLL_TAKE_BYTES; row += ADR_COLL_TAKE_BYTES) {
    int64_t *parts = adr_coll_parts(coll);
    memset(parts, 0, ADR_COLL_PART_ROWS * RANKS * sizeof *parts);
    parts[row * RANKS + 7] = most + 1;
    const int64_t given = row == ADR_COLL_GIVE_BYTES ? most + 1 : 0;
    CHECK_EQUAL(-EINVAL, adr_coll_begin(coll, ADR_COLL_ALLTOALL, 0, given, 0, ADR_COLL_BY_PARTS, NULL, 0, NULL, 0, 1));
  }
  CHECK_EQUAL(ADR_COLL_EXPOSE, adr_coll_begin(coll, ADR_COLL_ALLTOALL, 0, most, 0, 0, NULL, 0, NULL, 0, 1));
  adr_coll_close(coll);
  tear_down_slot();
}

int main(void) {
  alarm(60); /* what hangs fails */
  RUN(should_bring_each_block_from_its_giver_to_its_reader);
  RUN(should_write_large_blocks_to_where_they_go);
  RUN(should_count_on_where_a_sequence_has_no_bits_left);
  RUN(should_exchange_in_place);
  RUN(should_tell_both_lengths_where_they_differ);
  RUN(should_let_who_gives_nothing_to_a_member_close_before_that_one_comes);
  RUN(should_tell_of_other_roots);
  RUN(should_refuse_parts_that_cannot_be);
  RUN(should_find_room_for_all_blocks);
  RUN(should_refuse_blocks_that_take_too_many_rounds);
  return 0;
}
