/* Collectives in a slot, with threads as ranks on plain memory: results against naive ones, for all ways, with buffers
 * and without; what goes wrong is told, and nobody hangs. */
#include "adrastea/coll.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "coll/adr_coll_choice.h"
#include "coll/adr_combine.h"
#include "coll/adr_fold_room.h"
#include "coll_ranks.h"

enum { MOST_BYTES = 300000, ROUNDS = 120, LEAST_HALVED = 131072, MOST_HALVED = 1500000, HALVED = 32 };

static void fill(uint8_t *bytes, int64_t count, uint64_t round, uint64_t rank) {
  for (int64_t i = 0; i < count; i++) { bytes[i] = (uint8_t)mix(round << 40 ^ rank << 32 ^ (uint64_t)i); }
}

static int64_t bytes_of(uint64_t draw, int64_t most) {
  switch (draw % 4) {
  case 0:
    return (int64_t)(draw >> 8 & 7) * 8;
  case 1:
    return (int64_t)(draw >> 8 & 511) * 8;
  case 2:
    return (int64_t)(draw >> 8 & 8191) * 8 % most;
  default:
    return (int64_t)(draw >> 8 & 0xffffff) % most / 8 * 8;
  }
}

/* Behind the last rank whose operand is combined at this one. */
static uint32_t until(const struct call *call, uint32_t self) {
  return call->kind == ADR_COLL_SCAN ? self + 1 : call->kind == ADR_COLL_EXSCAN ? self : place.ranks;
}

/* Bytes that a rank should have. */
static int64_t results_of(const struct call *call, uint32_t self) {
  switch (call->kind) {
  case ADR_COLL_BCAST:
    return call->root == (int32_t)self ? 0 : call->bytes;
  case ADR_COLL_ALLGATHER:
    return call->bytes * place.ranks;
  case ADR_COLL_REDUCE:
    return call->root == (int32_t)self ? call->bytes : 0;
  case ADR_COLL_EXSCAN:
    return self == 0 ? 0 : call->bytes;
  case ADR_COLL_REDUCE_SCATTER:
    return call->part[self];
  default:
    return call->bytes;
  }
}

/* What a rank should have. */
static void expect(const struct call *call, uint32_t self, uint64_t round, uint8_t *expected, uint8_t *operand) {
  const int64_t bytes = call->bytes;
  switch (call->kind) {
  case ADR_COLL_BCAST:
    fill(expected, bytes, round, (uint64_t)call->root);
    break;
  case ADR_COLL_ALLGATHER:
    for (uint32_t rank = 0; rank < place.ranks; rank++) { fill(expected + rank * bytes, bytes, round, rank); }
    break;
  case ADR_COLL_BARRIER:
    break;
  default:
    fill(expected, bytes, round, 0);
    for (uint32_t rank = 1; rank < until(call, self); rank++) {
      fill(operand, bytes, round, rank);
      if (call->op == ADR_USER_OPERATOR) {
        combine(expected, operand, bytes);
      } else {
        adr_combine(call->op, call->element, expected, expected, operand, bytes);
      }
    }
    if (call->kind == ADR_COLL_REDUCE_SCATTER) {
      int64_t at = 0;
      for (uint32_t rank = 0; rank < self; rank++) { at += call->part[rank]; }
      memmove(expected, expected + at, (size_t)call->part[self]);
    }
    break;
  }
}

/* Cuts the bytes into parts: of the same length, or any, of which some are empty. */
static void cut(struct call *call, int64_t unit, uint64_t draw) {
  const int64_t each = call->bytes / place.ranks;
  call->root = (int32_t)(draw & 1);
  int64_t left = call->bytes;
  for (uint32_t rank = 0; rank < place.ranks; rank++) {
    const int64_t most = (int64_t)(mix(draw + rank) & 3) * each / 2 / unit * unit;
    const int64_t length = call->root == 0 ? each : rank == place.ranks - 1 ? left : most < left ? most : left;
    call->part[rank] = length;
    left -= length;
  }
}

static void *take_random_collectives(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  const int64_t most = place.ranks <= 4 ? MOST_BYTES : MOST_BYTES / 10;
  uint8_t *in = zeros(MOST_BYTES);
  uint8_t *out = zeros((size_t)MOST_BYTES * MOST_RANKS / 5);
  uint8_t *expected = zeros((size_t)MOST_BYTES * MOST_RANKS / 5);
  uint8_t *operand = zeros(MOST_BYTES);
  for (uint64_t round = 0; round < ROUNDS; round++) {
    const uint64_t draw = mix(round * 77 + place.ranks);
    struct call now = {.kind = 1 + (int32_t)(draw % 8), .in = in, .out = out};
    now.bytes = now.kind == ADR_COLL_BARRIER ? 0 : bytes_of(draw >> 8, most);
    now.by_hand = (mix(draw + self) & 3) == 0;
    now.by = (int32_t)(draw >> 52 & 3) == 3 ? 0 : (int32_t)(mix(draw * 3 + self) & 1) + 1;
    now.out_by = now.by;
    if (now.kind == ADR_COLL_BCAST || now.kind == ADR_COLL_REDUCE) {
      now.root = (int32_t)(draw >> 40) % (int32_t)place.ranks;
    }
    if (now.root < 0) { now.root = 0; }
    if (now.kind == ADR_COLL_ALLREDUCE) {
      now.op = (draw >> 33 & 3) == 0 ? ADR_USER_OPERATOR : ADR_SUM;
      now.element = now.op == ADR_SUM ? ADR_DOUBLE : ADR_BYTES;
      now.root = now.op == ADR_SUM ? 0 : 2 << (draw >> 35 & 3) >> 1;
    }
    if (now.kind >= ADR_COLL_REDUCE) {
      const int32_t unit = 8 << (draw >> 36 & 3) * 3; /* 8 to 4096 bytes */
      now.op = (draw >> 33 & 3) == 0 ? ADR_USER_OPERATOR : ADR_SUM;
      now.element = now.op == ADR_SUM ? ADR_DOUBLE : unit << 8;
      const int64_t step = (now.op == ADR_SUM ? 8 : unit) * (now.kind == ADR_COLL_REDUCE_SCATTER ? place.ranks : 1);
      now.bytes = now.bytes / step * step;
      if (now.kind == ADR_COLL_REDUCE_SCATTER) { cut(&now, now.op == ADR_SUM ? 8 : unit, mix(draw * 5)); }
    }
    const bool in_place =
        (now.kind == ADR_COLL_ALLREDUCE || now.kind >= ADR_COLL_REDUCE) && !now.by_hand && (draw >> 50 & 1) != 0;
    fill(in, now.bytes, round, self);
    if (in_place) {
      memcpy(out, in, (size_t)now.bytes);
      now.in = out;
    }
    CHECK_EQUAL(0, call(coll, &now));
    expect(&now, self, round, expected, operand);
    CHECK(memcmp(out, expected, (size_t)results_of(&now, self)) == 0);
  }
  adr_coll_close(coll);
  free(in);
  free(out);
  free(expected);
  free(operand);
  return NULL;
}

static void should_give_all_ranks_the_results_of_naive_collectives(void) {
  for (uint32_t ranks = 1; ranks <= 6; ranks++) { with_ranks(ranks, 0, 0, take_random_collectives); }
  with_ranks(MOST_RANKS, 0, 0, take_random_collectives); /* so many that the lowest reads for all */
  with_ranks(3, ADR_SLOT_CHECKED, 0, take_random_collectives);
  CHECK(adr_load_relaxed_u32(&mapped) > 0);
  CHECK(adr_load_relaxed_u32(&copied) > 0);
  CHECK(adr_load_relaxed_u32(&written) > 0);
}

/* Allreduces of two members that take memory at addresses alone: each combines a half, and writes it to the other. */
static void *allreduce_by_halves(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  uint8_t *in = zeros(MOST_HALVED);
  uint8_t *out = zeros(MOST_HALVED);
  uint8_t *expected = zeros(MOST_HALVED);
  uint8_t *operand = zeros(MOST_HALVED);
  for (uint64_t round = 0; round < HALVED; round++) {
    const bool by_user = (round & 1) != 0;
    const bool in_place = (round & 8) != 0;
    const struct call now = {.kind = ADR_COLL_ALLREDUCE,
                             .root = by_user ? 8 : 0,
                             .element = by_user ? ADR_BYTES : ADR_DOUBLE,
                             .op = by_user ? ADR_USER_OPERATOR : ADR_SUM,
                             .bytes = LEAST_HALVED + (int64_t)(mix(round) % (MOST_HALVED - LEAST_HALVED)) / 8 * 8,
                             .in = in_place ? out : in,
                             .out = out,
                             .by_hand = (round >> (1 + self) & 1) != 0,
                             .by = ADR_COLL_BY_ADDRESS,
                             .out_by = ADR_COLL_BY_ADDRESS};
    fill(in_place ? out : in, now.bytes, round, self);
    expect(&now, self, round, expected, operand);
    CHECK_EQUAL(0, call(coll, &now));
    CHECK(memcmp(out, expected, (size_t)now.bytes) == 0);
  }
  adr_coll_close(coll);
  free(in);
  free(out);
  free(expected);
  free(operand);
  return NULL;
}

static void should_write_halves_of_an_allreduce_of_two(void) {
  const uint32_t before = adr_load_relaxed_u32(&written);
  with_ranks(2, 0, 0, allreduce_by_halves);
  CHECK(adr_load_relaxed_u32(&written) - before >= 2 * HALVED);
}

static void *allreduce_large_data(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  const int64_t bytes = (int64_t)place.ranks * 40000;
  uint8_t *in = zeros((size_t)bytes);
  uint8_t *out = zeros((size_t)bytes);
  uint8_t *expected = zeros((size_t)bytes);
  uint8_t *operand = zeros((size_t)bytes);
  const struct call now = {.kind = ADR_COLL_ALLREDUCE,
                           .element = ADR_DOUBLE,
                           .op = ADR_SUM,
                           .bytes = bytes,
                           .in = in,
                           .out = out,
                           .by = ADR_COLL_BY_OFFSET,
                           .out_by = ADR_COLL_BY_OFFSET};
  fill(in, bytes, 0, self);
  CHECK_EQUAL(0, call(coll, &now));
  expect(&now, self, 0, expected, operand);
  CHECK(memcmp(out, expected, (size_t)bytes) == 0);
  adr_coll_close(coll);
  free(in);
  free(out);
  free(expected);
  free(operand);
  return NULL;
}

/* All threads of a JVM wait for the end of a call; `call` looks at each. */
static void should_move_as_little_in_a_call_with_many_ranks(void) { with_ranks(16, 0, 0, allreduce_large_data); }

static void should_count_on_where_a_sequence_has_no_bits_left(void) {
  with_ranks(3, 0, (UINT64_C(1) << 32) - 50, take_random_collectives);
  with_ranks(2, 0, (UINT64_C(7) << 28) - 50, take_random_collectives); /* members that need not post do */
}

/* What goes wrong */

static const struct call barrier = {.kind = ADR_COLL_BARRIER};

static void *call_different_collectives(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  const double one = 1;
  double sum = 0;
  struct call mine = {.kind = ADR_COLL_ALLREDUCE,
                      .element = ADR_DOUBLE,
                      .op = ADR_SUM,
                      .bytes = 8,
                      .in = (const uint8_t *)&one,
                      .out = (uint8_t *)&sum};
  CHECK_EQUAL(0, call(coll, &mine));
  if (self == place.ranks - 1) { mine.op = ADR_PROD; }
  CHECK_EQUAL(ADR_COLL_MISMATCH, call(coll, &mine));
  const int32_t which = adr_coll_begun(coll);
  const int64_t *words = adr_coll_words(coll, which);
  CHECK_EQUAL(self == place.ranks - 1 ? 0 : (int64_t)place.ranks - 1, adr_coll_other(coll, which));
  CHECK_EQUAL(ADR_COLL_ALLREDUCE, words[ADR_COLL_HEAD] >> 24 & 0xff);
  CHECK_EQUAL(8 << 16 | ADR_DOUBLE << 8 | (self == place.ranks - 1 ? ADR_SUM : ADR_PROD), words[ADR_COLL_WHAT]);
  CHECK_EQUAL(ADR_COLL_MISMATCH, adr_coll_step(coll, which, &one, 0, &sum, 0, 1)); /* it does not end */
  return leave_together(coll);
}

static void *call_other_roots(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  uint8_t bytes[8] = {0};
  /* Each takes the next one for the root, so nobody posts. */
  const int32_t root = (int32_t)((self + 1) % place.ranks);
  const struct call mine = {.kind = ADR_COLL_BCAST, .root = root, .bytes = 8, .in = bytes, .out = bytes};
  CHECK_EQUAL(ADR_COLL_MISMATCH, call(coll, &mine));
  return leave_together(coll);
}

static void *take_itself_for_the_root(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  uint8_t bytes[8] = {0};
  const struct call mine = {.kind = ADR_COLL_BCAST, .root = (int32_t)self, .bytes = 8, .in = bytes, .out = bytes};
  CHECK_EQUAL(0, call(coll, &mine)); /* nobody's line is looked at */
  CHECK_EQUAL(ADR_COLL_MISMATCH, call(coll, &barrier));
  return leave_together(coll);
}

static void *call_other_lengths(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  static uint8_t bytes[MOST_RANKS][20000 * MOST_RANKS];
  const struct call mine = {.kind = ADR_COLL_ALLGATHER,
                            .bytes = self == 1 ? 20000 : 10000,
                            .in = bytes[self],
                            .out = bytes[self],
                            .by_hand = true};
  CHECK_EQUAL(ADR_COLL_MISMATCH, call(coll, &mine));
  return leave_together(coll);
}

static void should_tell_of_ranks_that_call_something_else(void) {
  with_ranks(2, 0, 0, call_different_collectives);
  with_ranks(4, 0, 0, call_different_collectives);
  with_ranks(2, 0, 0, call_other_roots);
  with_ranks(3, 0, 0, call_other_roots);
  with_ranks(2, 0, 0, take_itself_for_the_root);
  with_ranks(4, 0, 0, take_itself_for_the_root);
  with_ranks(3, 0, 0, call_other_lengths);
}

/* What member 1 does: how it stops, and what it and the others are told. */
static const struct way {
  int32_t (*stop)(adr_coll *coll);
  int32_t status;
  int32_t state;
} ways[] = {
    {adr_coll_break_off, ADR_COLL_BROKEN, ADR_MEMBER_BROKEN},
    {adr_coll_close_state, ADR_COLL_CLOSED, ADR_MEMBER_CLOSED},
    {adr_coll_revoke, ADR_COLL_REVOKED, ADR_MEMBER_OPEN},
};
static const struct way *way;

static void *meet_one_who_stops(void *number) {
  const uint32_t self = (uint32_t)(uintptr_t)number;
  adr_coll *coll = opened(self);
  CHECK_EQUAL(0, call(coll, &barrier));
  if (self == 1) { CHECK_EQUAL(0, way->stop(coll)); }
  CHECK_EQUAL(way->status, call(coll, &barrier));
  CHECK_EQUAL(way->state, adr_coll_state(coll, 1));
  CHECK(way->status == ADR_COLL_REVOKED || adr_coll_other(coll, adr_coll_begun(coll)) == 1);
  CHECK_EQUAL(-EINVAL, adr_coll_state(coll, 3));
  return leave_together(coll);
}

static void should_tell_of_a_member_that_breaks_off_closes_or_revokes(void) {
  for (way = ways; way < ways + sizeof ways / sizeof *ways; way++) { with_ranks(3, 0, 0, meet_one_who_stops); }
}

static void should_close_when_the_last_one_has(void) {
  set_up(2, 0, 0);
  adr_coll *first = opened(0);
  adr_coll *second = opened(1);
  CHECK_EQUAL(0, adr_coll_close_state(first));
  CHECK_EQUAL(1, adr_coll_close_state(second));
  adr_coll_close(first);
  adr_coll_close(second);
  adr_coll_close(NULL);
  tear_down();
}

static int32_t begin(adr_coll *coll, int32_t kind, int32_t root, int64_t bytes, int32_t element, int32_t op) {
  return adr_coll_begin(coll, kind, root, bytes, element, op, NULL, 0, NULL, 0, 1);
}

static void should_have_four_under_way_at_most(void) {
  set_up(2, 0, 0);
  adr_coll *colls[] = {opened(0), opened(1)};
  for (int32_t count = 0; count < ADR_COLL_UNDER_WAY; count++) {
    CHECK_EQUAL(-EAGAIN, begin(colls[0], ADR_COLL_BARRIER, 0, 0, 0, 0));
    CHECK_EQUAL((count + 1) % ADR_COLL_UNDER_WAY, adr_coll_begun(colls[0]));
  }
  CHECK_EQUAL(-EBUSY, begin(colls[0], ADR_COLL_BARRIER, 0, 0, 0, 0));
  CHECK_EQUAL(0, begin(colls[1], ADR_COLL_BARRIER, 0, 0, 0, 0));
  CHECK_EQUAL(0, begin(colls[1], ADR_COLL_BARRIER, 0, 0, 0, 0));
  CHECK_EQUAL(0, adr_coll_step(colls[0], 2, NULL, 0, NULL, 0, 1)); /* before the first one */
  CHECK_EQUAL(-EINVAL, adr_coll_step(colls[0], 2, NULL, 0, NULL, 0, 1));
  CHECK_EQUAL(-EBUSY, begin(colls[0], ADR_COLL_BARRIER, 0, 0, 0, 0));
  CHECK_EQUAL(0, adr_coll_step(colls[0], 1, NULL, 0, NULL, 0, 1));
  CHECK_EQUAL(-EAGAIN, begin(colls[0], ADR_COLL_BARRIER, 0, 0, 0, 0));
  CHECK_EQUAL(-EINVAL, adr_coll_step(colls[0], 4, NULL, 0, NULL, 0, 1));
  CHECK_EQUAL(-EINVAL, adr_coll_step(colls[0], -1, NULL, 0, NULL, 0, 1));
  for (int32_t count = 2; count < 5; count++) { CHECK_EQUAL(0, begin(colls[1], ADR_COLL_BARRIER, 0, 0, 0, 0)); }
  for (int32_t which = 4; which >= 3; which--) {
    CHECK_EQUAL(0, adr_coll_step(colls[0], which % ADR_COLL_UNDER_WAY, NULL, 0, NULL, 0, 1));
  }
  CHECK_EQUAL(0, adr_coll_step(colls[0], 1, NULL, 0, NULL, 0, 1));
  adr_coll_close(colls[0]);
  adr_coll_close(colls[1]);
  tear_down();
}

static void should_refuse_what_is_out_of_range(void) {
  set_up(2, 0, 0);
  adr_coll *coll = opened(0);
  CHECK_EQUAL(-22, begin(coll, 0, 0, 0, 0, 0));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_ALLGATHER + 1, 0, 0, 0, 0));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_BCAST, 2, 8, 0, 0));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_BCAST, -1, 8, 0, 0));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_BCAST, 0, -8, 0, 0));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_ALLREDUCE, 0, 8, ADR_DOUBLE, ADR_BAND));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_ALLREDUCE, 0, 12, ADR_DOUBLE, ADR_SUM));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_ALLREDUCE, 0, 12, ADR_BYTES, ADR_USER_OPERATOR));
  CHECK_EQUAL(-22, begin(coll, ADR_COLL_ALLREDUCE, 1 << 20, 0, ADR_BYTES, ADR_USER_OPERATOR));
  CHECK_EQUAL(-22, adr_coll_publish_stages(coll, 0));
  CHECK_EQUAL(-22, adr_coll_stages(coll, place.stages, 2 * STAGE - 1));
  CHECK_EQUAL(-EAGAIN, begin(coll, ADR_COLL_BARRIER, 0, 0, 0, 0)); /* it is of use all the same */
  adr_coll_close(coll);
  struct adr_slot *slot = (struct adr_slot *)(void *)place.slot;
  const int64_t bytes = (int64_t)adr_slot_bytes(2);
  CHECK_EQUAL(-71, adr_coll_open(place.base, 2, slot, bytes, 2, &coll));
  CHECK_EQUAL(-71, adr_coll_open(place.base, 2, slot, bytes, -1, &coll));
  CHECK_EQUAL(-71, adr_coll_open(place.base, 2, slot, bytes - 1, 0, &coll));
  CHECK_EQUAL(-71, adr_coll_open(place.base, 1, slot, bytes, 0, &coll));
  ((uint32_t *)(void *)(place.slot + ADR_SLOT_BYTES))[1] = 2; /* no rank of the job */
  CHECK_EQUAL(-71, adr_coll_open(place.base, 2, slot, bytes, 0, &coll));
  CHECK(coll == NULL);
  slot->ranks = 0;
  CHECK_EQUAL(-71, adr_coll_open(place.base, 2, slot, bytes, 0, &coll));
  tear_down();
}

/* Parts of a reduce_scatter whose rounds cannot be counted in 31 bits, by numbers alone; io.adrastea.coll.FoldRoomTest
 * has the same. */
static void should_refuse_parts_that_take_too_many_rounds(void) {
  enum { RANKS = 64, MANY = 1024 };
  static int64_t lengths[MANY];
  CHECK_EQUAL(0, adr_fold_rounds(RANKS, 8, lengths));
  lengths[5] = INT64_C(1) << 39;
  CHECK_EQUAL(INT64_C(1) << 31, adr_fold_rounds(RANKS, 8, lengths));
  CHECK_EQUAL(INT64_C(1108378658), adr_fold_rounds(33, 8, lengths));
  lengths[6] = INT64_C(1) << 38;
  lengths[64] = 257;
  CHECK_EQUAL(INT64_C(1) << 31, adr_fold_rounds(RANKS, 8, lengths));
  CHECK_EQUAL((INT64_C(1) << 31) + 2, adr_fold_rounds(MANY, 8, lengths));
  for (uint32_t ranks = 1; ranks <= MANY; ranks++) {
    for (uint32_t part = 0; part < ranks; part++) { lengths[part] = ADR_COLL_MOST_BYTES / ranks / 8 * 8; }
    CHECK(adr_fold_takes(ranks, 8, lengths));
  }
  set_up_slot(RANKS, 0, 0);
  adr_coll *coll = opened(1);
  int64_t *parts = adr_coll_parts(coll);
  CHECK(parts != NULL);
  memset(parts, 0, ADR_COLL_PART_ROWS * RANKS * sizeof *parts);
  const int64_t most = INT64_C(256) * ADR_FOLD_MOST_ROUNDS;
  parts[ADR_COLL_GIVE_BYTES * RANKS + 7] = INT64_C(1) << 39;
  CHECK_EQUAL(-EINVAL, begin(coll, ADR_COLL_REDUCE_SCATTER, 1, INT64_C(1) << 39, ADR_INT64, ADR_SUM));
  parts[ADR_COLL_GIVE_BYTES * RANKS + 7] = most + 8;
  CHECK_EQUAL(-EINVAL, begin(coll, ADR_COLL_REDUCE_SCATTER, 1, most + 8, ADR_INT64, ADR_SUM));
  parts[ADR_COLL_GIVE_BYTES * RANKS + 7] = most;
  parts[ADR_COLL_GIVE_BYTES * RANKS + 8] = 8;
  CHECK_EQUAL(ADR_COLL_EXPOSE, begin(coll, ADR_COLL_REDUCE_SCATTER, 1, most + 8, ADR_INT64, ADR_SUM));
  adr_coll_close(coll);
  tear_down_slot();
}

/* Words that no member writes, in the line of one that is waited for. */
static void should_refuse_lines_that_no_member_writes(void) {
  for (int word = 0; word < 2; word++) {
    set_up(2, 0, 0);
    adr_coll *coll = opened(0);
    struct adr_slot_member *members = (void *)(place.slot + adr_slot_members_offset(2));
    const struct call mine = {.kind = ADR_COLL_BCAST, .root = 1, .bytes = 100, .by_hand = true};
    CHECK_EQUAL(0, adr_coll_stages(coll, place.stages, 2 * STAGE));
    adr_atomic_u64 *hit = word == 0 ? &members[1].lines[1].head : &members[1].lines[1].progress;
    adr_store_relaxed_u64(hit, UINT64_C(0x12345678) << 32 | 1 << 24);
    CHECK_EQUAL(-71, call(coll, &mine));
    CHECK_EQUAL(1, adr_coll_other(coll, adr_coll_begun(coll)));
    adr_coll_close(coll);
    tear_down();
  }
}

int main(void) {
  alarm(120); /* what hangs fails */
  RUN(should_give_all_ranks_the_results_of_naive_collectives);
  RUN(should_write_halves_of_an_allreduce_of_two);
  RUN(should_move_as_little_in_a_call_with_many_ranks);
  RUN(should_count_on_where_a_sequence_has_no_bits_left);
  RUN(should_tell_of_ranks_that_call_something_else);
  RUN(should_tell_of_a_member_that_breaks_off_closes_or_revokes);
  RUN(should_close_when_the_last_one_has);
  RUN(should_have_four_under_way_at_most);
  RUN(should_refuse_what_is_out_of_range);
  RUN(should_refuse_parts_that_take_too_many_rounds);
  RUN(should_refuse_lines_that_no_member_writes);
  return 0;
}
