/* Collectives of all kinds in a slot, up to four under way at each member. One thread takes the steps of all members,
 * in an order of chance that a seed repeats: some are far ahead of others, and end theirs in any order. What they bring
 * is compared with naive results. Then members break off, call something else, or write nonsense into their part of the
 * slot and their stages: nobody waits forever for one that has gone, and nobody reads or writes where it should not. */
#include "adrastea/coll.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "coll/adr_coll_choice.h"
#include "coll/adr_combine.h"
#include "coll_slot.h"

enum { MOST_RANKS = 6, PLANS = 60, SHARED_BYTES = 64 << 20, PATIENCE = 20000 };

/* What goes wrong. */
enum trouble { NOTHING, ONE_BREAKS_OFF, ONE_CALLS_SOMETHING_ELSE, ONE_WRITES_NONSENSE };

/* One collective, as all members call it. */
struct plan {
  int32_t kind;
  int32_t root;
  int32_t element;
  int32_t op;
  int64_t bytes; /* of each; of a reduce_scatter of all parts */
  bool by_parts;
  bool in_place;
  int64_t lengths[MOST_RANKS][MOST_RANKS]; /* of an exchange: from one to another */
};

/* What a member has of one that is under way. */
struct taking {
  const struct plan *plan;
  struct plan other; /* where this member calls something else */
  uint32_t number;
  int32_t status;
  bool by_hand;
  bool is_shared;
  bool by_address; /* the others reach its memory by the system */
  int64_t given;   /* bytes of the input */
  int64_t taken;
  int64_t own; /* bytes of the call */
  uint8_t *in;
  uint8_t *out; /* NULL: there is none */
  bool out_apart;
};

struct rank {
  adr_coll *coll;
  uint32_t next; /* plan that it begins next */
  bool gone;     /* it has broken off, or takes no steps any more */
  bool leaves;   /* it has broken off, and its program has not its memory again */
  bool closed;
  int32_t writes; /* the one for which it is about to write the memory of another member; below zero: none */
  struct taking takings[ADR_COLL_UNDER_WAY];
};

static struct {
  struct rank members[MOST_RANKS];
  struct plan plans[PLANS];
  enum trouble trouble;
  uint32_t culprit;
  uint8_t *shared; /* where all shared memory of the members lies */
  int64_t shared_used;
  uint64_t seed;
  bool by_system; /* members reach the memory of others */
  uint64_t late;  /* times that a member broke off while its memory was about to be written */
} trial;

/* Chance */

static uint64_t state;

static uint64_t draw(void) {
  state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = state;
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static int64_t below(int64_t bound) { return bound == 0 ? 0 : (int64_t)(draw() % (uint64_t)bound); }

static bool one_of(int64_t count) { return below(count) == 0; }

/* Plans */

static int64_t length(int64_t most) {
  switch (below(6)) {
  case 0:
    return 0;
  case 1:
    return below(9);
  case 2:
    return below(60);
  case 3:
    return below(3000);
  default:
    return below(most);
  }
}

static bool is_exchange(int32_t kind) { return kind >= ADR_COLL_GATHER; }

static bool is_rooted(int32_t kind) {
  return kind == ADR_COLL_BCAST || kind == ADR_COLL_REDUCE || kind == ADR_COLL_GATHER || kind == ADR_COLL_SCATTER;
}

static bool folds(int32_t kind) {
  return kind == ADR_COLL_ALLREDUCE || (kind >= ADR_COLL_REDUCE && kind <= ADR_COLL_REDUCE_SCATTER);
}

/* Whether each gives to the other of two groups, of which the root tells how many members the first has. */
static bool is_across(const struct plan *plan) {
  return plan->kind == ADR_COLL_ALLGATHERV && plan->element >= ADR_COLL_FOR_GROUPS;
}

static void plan_exchange(struct plan *plan, int64_t most) {
  const bool alltoall = plan->kind == ADR_COLL_ALLTOALL;
  plan->by_parts = plan->kind == ADR_COLL_ALLGATHERV || one_of(2);
  plan->in_place = one_of(4);
  plan->element = alltoall && plan->by_parts && one_of(2) ? ADR_COLL_FOR_NEIGHBOR_ALLTOALL : 0;
  if (plan->kind == ADR_COLL_ALLGATHERV && place.ranks > 1 && one_of(2)) {
    plan->element = ADR_COLL_FOR_GROUPS + ADR_COLL_ALLGATHER;
    plan->root = 1 + (int32_t)below(place.ranks - 1);
    plan->in_place = false;
  }
  for (uint32_t from = 0; from < place.ranks; from++) {
    for (uint32_t to = 0; to < place.ranks; to++) {
      int64_t bytes = plan->by_parts ? length(most) : plan->bytes;
      if (plan->element == ADR_COLL_FOR_NEIGHBOR_ALLTOALL && !one_of(3)) { bytes = 0; }
      if ((plan->kind == ADR_COLL_ALLGATHERV || plan->kind == ADR_COLL_GATHER) && to > 0) {
        bytes = plan->lengths[from][0];
      }
      if (alltoall && plan->in_place && to < from) { bytes = plan->lengths[to][from]; }
      plan->lengths[from][to] = bytes;
    }
  }
}

static void plan_fold(struct plan *plan) {
  const int32_t units[] = {8, 24, 8, 512, 4096, 8192};
  const int32_t unit = units[below(6)];
  const bool by_user = one_of(3);
  plan->op = by_user ? ADR_USER_OPERATOR : ADR_SUM;
  plan->element = by_user ? ADR_BYTES : ADR_DOUBLE;
  plan->in_place = one_of(3);
  if (by_user && plan->kind == ADR_COLL_ALLREDUCE) {
    plan->root = unit;
  } else if (by_user) {
    plan->element = unit << 8;
  }
  const int64_t step = (by_user ? unit : 8) * (plan->kind == ADR_COLL_REDUCE_SCATTER ? (int64_t)place.ranks : 1);
  plan->bytes = plan->bytes / step * step;
}

static void make_plans(int64_t most) {
  for (uint32_t number = 0; number < PLANS; number++) {
    struct plan *plan = &trial.plans[number];
    *plan = (struct plan){.kind = (int32_t)(1 + below(ADR_COLL_ALLGATHERV))};
    plan->bytes = plan->kind == ADR_COLL_BARRIER                     ? 0
                  : trial.by_system && place.ranks <= 3 && one_of(3) ? ADR_COLL_DIRECT_BY_SYSTEM + below(9000)
                                                                     : length(most);
    if (is_rooted(plan->kind)) { plan->root = (int32_t)below(place.ranks); }
    if (is_exchange(plan->kind)) { plan_exchange(plan, most); }
    if (folds(plan->kind)) { plan_fold(plan); }
  }
  trial.plans[PLANS - 1] = (struct plan){.kind = ADR_COLL_BARRIER};
}

/* Data */

static uint8_t byte_of(uint32_t number, uint32_t from, uint32_t to, int64_t at) {
  const uint64_t seed = (number * 31 + from) * 31 + to;
  return (uint8_t)((seed * 2654435761 >> 7) + (uint64_t)at * 11 + (uint64_t)(at >> 8));
}

static void fill(uint8_t *memory, uint32_t number, uint32_t from, uint32_t to, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at++) { memory[at] = byte_of(number, from, to, at); }
}

static bool gives_to(const struct plan *plan, uint32_t from, uint32_t to) {
  return plan->kind == ADR_COLL_GATHER    ? to == (uint32_t)plan->root
         : plan->kind == ADR_COLL_SCATTER ? from == (uint32_t)plan->root
         : is_across(plan)                ? (from < (uint32_t)plan->root) != (to < (uint32_t)plan->root)
                                          : true;
}

static bool has_several_blocks(const struct plan *plan) {
  return plan->kind == ADR_COLL_SCATTER || plan->kind == ADR_COLL_ALLTOALL;
}

/* What a block's bytes depend on. */
static uint32_t reader_in(const struct plan *plan, uint32_t to) { return has_several_blocks(plan) ? to : 0; }

static uint8_t *memory_of(bool is_shared, int64_t bytes) {
  const int64_t room = (bytes + 64) / 64 * 64;
  if (is_shared && trial.shared_used + room <= SHARED_BYTES) {
    uint8_t *memory = trial.shared + trial.shared_used;
    trial.shared_used += room;
    return memory;
  }
  uint8_t *memory = malloc(bytes == 0 ? 1 : (size_t)bytes);
  CHECK(memory != NULL);
  return memory;
}

static bool is_in_shared(const void *memory) {
  return (const uint8_t *)memory >= trial.shared && (const uint8_t *)memory < trial.shared + SHARED_BYTES;
}

static void discard(uint8_t *memory) {
  if (!is_in_shared(memory)) { free(memory); }
}

static void forget(struct taking *taking) {
  if (taking->plan == NULL) { return; }
  if (taking->out_apart) { discard(taking->out); }
  discard(taking->in);
  *taking = (struct taking){0};
}

/* Exchanges: the tables of parts, and where a block lies in the output. */
static int64_t describe_blocks(const struct plan *plan, uint32_t self, int64_t *parts, struct taking *taking) {
  const uint32_t ranks = place.ranks;
  int64_t gives = 0, takes = 0;
  memset(parts, 0, sizeof *parts * ADR_COLL_PART_ROWS * ranks);
  for (uint32_t other = 0; other < ranks; other++) {
    const bool several = has_several_blocks(plan);
    const uint32_t to = several ? other : plan->kind == ADR_COLL_GATHER ? (uint32_t)plan->root : self;
    if ((gives_to(plan, self, to) || is_across(plan)) && (several || other == self)) {
      parts[ADR_COLL_GIVE_BYTES * ranks + other] = plan->lengths[self][to];
      parts[ADR_COLL_GIVE_AT * ranks + other] = gives;
      gives += plan->lengths[self][to];
    }
    if (gives_to(plan, other, self)) {
      parts[ADR_COLL_TAKE_BYTES * ranks + other] = plan->lengths[other][self];
      parts[ADR_COLL_TAKE_AT * ranks + other] = takes;
      takes += plan->lengths[other][self];
    }
  }
  if (plan->kind == ADR_COLL_GATHER && self == (uint32_t)plan->root) { gives = plan->lengths[self][self]; }
  taking->given = gives;
  taking->taken = takes;
  return plan->by_parts                                                   ? gives
         : plan->kind == ADR_COLL_SCATTER && self != (uint32_t)plan->root ? plan->lengths[plan->root][self]
                                                                          : plan->bytes;
}

static void fill_blocks(const struct plan *plan, uint32_t number, uint32_t self, const int64_t *parts, uint8_t *in) {
  for (uint32_t other = 0; other < place.ranks; other++) {
    const int64_t bytes = parts[ADR_COLL_GIVE_BYTES * place.ranks + other];
    fill(in + parts[ADR_COLL_GIVE_AT * place.ranks + other], number, self, reader_in(plan, other), bytes);
  }
}

static void begin_exchange(struct rank *rank, uint32_t self, struct taking *taking, int32_t *flags) {
  const struct plan *plan = taking->plan;
  int64_t *parts = adr_coll_parts(rank->coll);
  CHECK(parts != NULL);
  taking->own = describe_blocks(plan, self, parts, taking);
  const bool root = self == (uint32_t)plan->root;
  const bool rooted = plan->kind == ADR_COLL_GATHER || plan->kind == ADR_COLL_SCATTER;
  const bool in_place = plan->in_place && (!rooted || root);
  taking->in = memory_of(taking->is_shared, taking->given > taking->taken ? taking->given : taking->taken);
  fill_blocks(plan, taking->number, self, parts, taking->in);
  if (plan->by_parts && (!rooted || root)) {
    *flags = ADR_COLL_BY_PARTS;
  } else if (plan->by_parts) {
    taking->own = plan->kind == ADR_COLL_GATHER ? plan->lengths[self][plan->root] : plan->lengths[plan->root][self];
  }
  if (in_place && plan->kind == ADR_COLL_ALLTOALL) {
    *flags |= ADR_COLL_STAYS;
    taking->out = taking->in;
  } else {
    taking->out_apart = true;
    taking->out = memory_of(taking->is_shared, taking->taken);
    if (in_place && plan->kind != ADR_COLL_SCATTER) { /* this member's block is in the output */
      *flags |= ADR_COLL_STAYS;
      fill(taking->out + parts[ADR_COLL_TAKE_AT * place.ranks + self], taking->number, self, 0,
           plan->lengths[self][self]);
    }
  }
}

static void begin_other(uint32_t self, struct taking *taking) {
  const struct plan *plan = taking->plan;
  const bool root = self == (uint32_t)plan->root;
  taking->own = taking->given = taking->taken = plan->bytes;
  switch (plan->kind) {
  case ADR_COLL_BCAST:
    taking->given = root ? plan->bytes : 0;
    taking->taken = root ? 0 : plan->bytes;
    break;
  case ADR_COLL_ALLGATHER:
    taking->taken = plan->bytes * place.ranks;
    break;
  case ADR_COLL_REDUCE:
    taking->taken = root ? plan->bytes : 0;
    break;
  case ADR_COLL_EXSCAN:
    taking->taken = self > 0 ? plan->bytes : 0;
    break;
  case ADR_COLL_REDUCE_SCATTER:
    taking->taken = plan->bytes / place.ranks;
    break;
  default:
    break;
  }
  taking->in = memory_of(taking->is_shared, taking->given);
  fill(taking->in, taking->number, self, 0, taking->given);
  taking->out_apart = !plan->in_place;
  taking->out = plan->in_place ? taking->in : memory_of(taking->is_shared, taking->taken);
}

/* Comparing */

static void expect(const struct taking *taking, uint32_t self, uint8_t *expected) {
  const struct plan *plan = taking->plan;
  const uint32_t number = taking->number;
  int64_t at = 0;
  if (is_exchange(plan->kind) || plan->kind == ADR_COLL_ALLGATHER) {
    for (uint32_t from = 0; from < place.ranks; from++) {
      const int64_t bytes = !gives_to(plan, from, self)        ? 0
                            : plan->kind == ADR_COLL_ALLGATHER ? plan->bytes
                                                               : plan->lengths[from][self];
      fill(expected + at, number, from, reader_in(plan, self), bytes);
      at += bytes;
    }
  } else if (plan->kind == ADR_COLL_BCAST) {
    fill(expected, number, (uint32_t)plan->root, 0, taking->taken);
  } else if (taking->taken > 0) {
    const uint32_t until = plan->kind == ADR_COLL_SCAN ? self + 1 : plan->kind == ADR_COLL_EXSCAN ? self : place.ranks;
    const int64_t from = plan->kind == ADR_COLL_REDUCE_SCATTER ? self * taking->taken : 0;
    uint8_t *operand = malloc((size_t)plan->bytes);
    uint8_t *sum = malloc((size_t)plan->bytes);
    CHECK(operand != NULL && sum != NULL);
    fill(sum, number, 0, 0, plan->bytes);
    for (uint32_t other = 1; other < until; other++) {
      fill(operand, number, other, 0, plan->bytes);
      if (plan->op == ADR_USER_OPERATOR) {
        combine(sum, operand, plan->bytes);
      } else {
        adr_combine(ADR_SUM, ADR_DOUBLE, sum, sum, operand, plan->bytes);
      }
    }
    memcpy(expected, sum + from, (size_t)taking->taken);
    free(operand);
    free(sum);
  }
}

static void compare(const struct taking *taking, uint32_t self) {
  const bool wrong = trial.trouble == ONE_CALLS_SOMETHING_ELSE || trial.trouble == ONE_WRITES_NONSENSE;
  if (wrong || taking->plan->kind == ADR_COLL_BARRIER || taking->taken == 0) { return; }
  uint8_t *expected = malloc((size_t)taking->taken);
  CHECK(expected != NULL);
  expect(taking, self, expected);
  if (memcmp(expected, taking->out, (size_t)taking->taken) != 0) {
    int64_t at = 0;
    while (expected[at] == taking->out[at]) { at++; }
    fprintf(stderr,
            "collective %u of kind %d, %" PRId64 " bytes, at member %u of %u: byte %" PRId64 " of %" PRId64 "\n",
            taking->number, taking->plan->kind, taking->own, self, place.ranks, at, taking->taken);
    exit(1);
  }
  free(expected);
}

/* Steps */

static void tell_who_waits(void) {
  for (uint32_t self = 0; self < place.ranks; self++) {
    const struct rank *rank = &trial.members[self];
    for (int32_t which = 0; which < ADR_COLL_UNDER_WAY; which++) {
      const struct taking *taking = &rank->takings[which];
      if (taking->plan == NULL) { continue; }
      fprintf(stderr, "member %u%s: collective %u of kind %d, status %d, move %d, waits for %d\n", self,
              rank->gone ? " (gone)" : "", taking->number, taking->plan->kind, taking->status,
              rank->coll->collectives[which].move, adr_coll_other(rank->coll, which));
    }
  }
}

/* Where a member is told to write. */
static uint8_t *target_of(const struct rank *rank, int32_t which) {
  return trial.shared + adr_coll_words(rank->coll, which)[ADR_COLL_TARGET];
}

/* The bytes that are to be written. */
static const uint8_t *source_of(const struct taking *taking, const int64_t *words) {
  const int64_t position = words[ADR_COLL_POSITION];
  const int64_t bytes = words[ADR_COLL_BYTES];
  const bool is_output = words[ADR_COLL_PLACE] == ADR_COLL_IN_OUTPUT;
  CHECK(lies_within(position, bytes, is_output ? taking->taken : taking->given));
  return (is_output ? taking->out : taking->in) + position;
}

/* Copies what a member was about to write: to an output of another one, whose program does not have it again. */
static void finish_write(struct rank *rank) {
  const int32_t which = rank->writes;
  const struct taking *taking = &rank->takings[which];
  const int64_t *words = adr_coll_words(rank->coll, which);
  const struct rank *reader = &trial.members[adr_coll_other(rank->coll, which)];
  const struct taking *theirs = &reader->takings[which];
  uint8_t *target = target_of(rank, which);
  if (trial.trouble != ONE_WRITES_NONSENSE) {
    CHECK(!reader->gone || reader->leaves);
    CHECK(theirs->plan != NULL && theirs->number == taking->number);
    CHECK(lies_within(target - theirs->out, words[ADR_COLL_BYTES], theirs->taken));
  }
  memmove(target, source_of(taking, words), (size_t)words[ADR_COLL_BYTES]);
  CHECK_EQUAL(0, adr_coll_end_write(rank->coll));
  rank->writes = -1;
}

static bool is_written(const struct rank *rank) {
  bool is = false;
  for (uint32_t other = 0; other < place.ranks; other++) {
    is |= adr_coll_is_written_by(rank->coll, (int32_t)other) == 1;
  }
  return is;
}

static void break_off(struct rank *rank) {
  if (rank->writes >= 0) { finish_write(rank); }
  CHECK_EQUAL(0, adr_coll_break_off(rank->coll));
  rank->gone = true;
  rank->leaves = true;
  trial.late += is_written(rank);
}

/* Once nobody writes the memory of a member that cannot go on, its program may write over it, and close. */
static void leave(struct rank *rank) {
  if (is_written(rank)) { return; }
  rank->leaves = false;
  for (int32_t which = 0; which < ADR_COLL_UNDER_WAY; which++) {
    struct taking *taking = &rank->takings[which];
    if (taking->plan == NULL) { continue; }
    memset(taking->in, 0xdd, (size_t)taking->given);
    if (taking->out_apart) { memset(taking->out, 0xdd, (size_t)taking->taken); }
  }
  if (!one_of(4)) { CHECK(adr_coll_close_state(rank->coll) >= 0); }
}

static void settle(struct rank *rank, uint32_t self, int32_t which, int32_t status) {
  struct taking *taking = &rank->takings[which];
  taking->status = status;
  if (status == 0) {
    compare(taking, self);
    forget(taking);
  } else if (status < 0 && status != -EAGAIN) {
    if (trial.trouble == NOTHING
        || (trial.trouble == ONE_BREAKS_OFF && status != ADR_COLL_BROKEN && status != ADR_COLL_CLOSED)) {
      fprintf(stderr, "seed %" PRIu64 ", %u members: status %d at member %u\n", trial.seed, place.ranks, status, self);
      tell_who_waits();
      exit(1);
    }
    break_off(rank);
  }
}

/* What member `culprit` calls in place of a plan. */
static const struct plan *call_of(struct taking *taking, uint32_t self) {
  const struct plan *plan = &trial.plans[taking->number];
  if (trial.trouble != ONE_CALLS_SOMETHING_ELSE || self != trial.culprit || !one_of(8)) { return plan; }
  taking->other = *plan;
  struct plan *other = &taking->other;
  const uint32_t peer = (uint32_t)below(place.ranks);
  switch (below(3)) {
  case 0:
    if (is_rooted(plan->kind)) { other->root = (int32_t)below(place.ranks); }
    break;
  case 1:
    if (is_exchange(plan->kind) && plan->by_parts && peer != self) {
      other->lengths[self][peer] = one_of(3) ? 0 : length(100000);
      if (plan->kind != ADR_COLL_ALLTOALL && plan->kind != ADR_COLL_SCATTER) {
        for (uint32_t to = 0; to < place.ranks; to++) { other->lengths[self][to] = other->lengths[self][peer]; }
      }
    }
    break;
  default:
    if (plan->kind != ADR_COLL_BARRIER && !is_exchange(plan->kind)) {
      other->bytes += 8 * place.ranks * (plan->op == ADR_USER_OPERATOR ? 8192 * 3 : 1);
    }
    break;
  }
  return other;
}

static void begin(struct rank *rank, uint32_t self) {
  const int32_t which = (int32_t)((adr_slot_done(&rank->coll->slot, self), (uint64_t)rank->coll->sequence + 1) & 3);
  struct taking *taking = &rank->takings[which];
  if (taking->plan != NULL) { return; }
  taking->number = rank->next++;
  taking->plan = call_of(taking, self);
  taking->is_shared = trial.by_system ? !one_of(4) : one_of(2);
  taking->by_address = trial.by_system && !one_of(3);
  taking->by_hand = one_of(3);
  int32_t op = taking->plan->op;
  if (is_exchange(taking->plan->kind)) {
    begin_exchange(rank, self, taking, &op);
  } else {
    begin_other(self, taking);
  }
  const struct plan *plan = taking->plan;
  const int32_t status =
      adr_coll_begin(rank->coll, plan->kind, plan->root, taking->own, plan->element, op,
                     taking->by_hand ? NULL : taking->in, 0, taking->by_hand ? NULL : taking->out, 0, 1);
  CHECK_EQUAL(which, adr_coll_begun(rank->coll));
  CHECK(status != -EINVAL);
  settle(rank, self, which, status);
}

static int32_t expose(struct rank *rank, int32_t which) {
  const struct taking *taking = &rank->takings[which];
  const int32_t by = taking->by_address ? ADR_COLL_BY_ADDRESS : ADR_COLL_BY_OFFSET; /* both are an offset here */
  const int32_t in_by = is_in_shared(taking->in) ? by : 0;
  const int32_t out_by = is_in_shared(taking->out) ? by : 0;
  return adr_coll_expose(rank->coll, which, in_by, taking->in - trial.shared, out_by, taking->out - trial.shared,
                         trial.by_system ? ADR_COLL_SHARED | ADR_COLL_CMA : ADR_COLL_SHARED, 0);
}

/* Whether there is memory of a member that is to be read or written; else it has told what cannot be. */
static bool is_reached(const int64_t *words, int word) {
  return (words[ADR_COLL_BY] & (ADR_COLL_BY_OFFSET | (trial.by_system ? ADR_COLL_BY_ADDRESS : 0))) != 0
         && lies_within(words[word], words[ADR_COLL_BYTES], SHARED_BYTES);
}

/* Does what a status asks for, but for writing; false: another member has told what cannot be. */
static bool serve(struct rank *rank, int32_t which) {
  struct taking *taking = &rank->takings[which];
  const int64_t *words = adr_coll_words(rank->coll, which);
  const int64_t bytes = words[ADR_COLL_BYTES];
  switch (taking->status) {
  case -EAGAIN:
    CHECK(adr_coll_other(rank->coll, which) >= 0);
    break;
  case ADR_COLL_MOVED:
    break;
  case ADR_COLL_NEEDS_STAGES:
    if (rank == trial.members) { CHECK_EQUAL(0, adr_coll_publish_stages(rank->coll, STAGES_AT)); }
    CHECK_EQUAL(0, adr_coll_stages(rank->coll, place.stages, (int64_t)place.ranks * STAGE));
    break;
  case ADR_COLL_FILL:
    CHECK(lies_within(words[ADR_COLL_POSITION], bytes, taking->given));
    memcpy(place_of(words, ADR_COLL_TARGET), taking->in + words[ADR_COLL_POSITION], (size_t)bytes);
    break;
  case ADR_COLL_DRAIN:
    CHECK(lies_within(words[ADR_COLL_POSITION], bytes, taking->taken));
    memcpy(taking->out + words[ADR_COLL_POSITION], place_of(words, ADR_COLL_SOURCE), (size_t)bytes);
    break;
  case ADR_COLL_COMBINE:
    combine(place_of(words, ADR_COLL_TARGET), place_of(words, ADR_COLL_SOURCE), bytes);
    break;
  case ADR_COLL_KEEP:
    CHECK(lies_within(words[ADR_COLL_SOURCE], bytes, taking->given));
    CHECK(lies_within(words[ADR_COLL_POSITION], bytes, taking->taken));
    memmove(taking->out + words[ADR_COLL_POSITION], taking->in + words[ADR_COLL_SOURCE], (size_t)bytes);
    break;
  case ADR_COLL_EXPOSE:
    CHECK_EQUAL(0, expose(rank, which));
    break;
  case ADR_COLL_REACH:
    if (!lies_within(words[ADR_COLL_SOURCE], bytes, SHARED_BYTES)) { return false; }
    CHECK_EQUAL(0, adr_coll_reach(rank->coll, which, 0, trial.shared, SHARED_BYTES));
    break;
  case ADR_COLL_READ:
    if (!is_reached(words, ADR_COLL_SOURCE)) { return false; }
    CHECK(words[ADR_COLL_PLACE] != ADR_COLL_IN_OUTPUT || lies_within(words[ADR_COLL_POSITION], bytes, taking->taken));
    memmove(words[ADR_COLL_PLACE] == ADR_COLL_IN_OUTPUT ? taking->out + words[ADR_COLL_POSITION]
                                                        : place_of(words, ADR_COLL_TARGET),
            trial.shared + words[ADR_COLL_SOURCE], (size_t)bytes);
    break;
  default:
    CHECK_EQUAL(0, taking->status);
  }
  return true;
}

static void give_up_on_nonsense(struct rank *rank) {
  CHECK_EQUAL(ONE_WRITES_NONSENSE, trial.trouble);
  break_off(rank);
}

/* Says whose memory is about to be written; the copy comes with a later step. */
static void begin_write(struct rank *rank, uint32_t self, int32_t which) {
  const int64_t *words = adr_coll_words(rank->coll, which);
  struct rank *reader = &trial.members[adr_coll_other(rank->coll, which)];
  if (!is_reached(words, ADR_COLL_TARGET)) {
    give_up_on_nonsense(rank);
    return;
  }
  (void)source_of(&rank->takings[which], words);
  if (trial.trouble == ONE_BREAKS_OFF && !reader->gone && one_of(4)) {
    break_off(reader);
    leave(reader);
  }
  const int32_t status = adr_coll_begin_write(rank->coll, which);
  if (status < 0) {
    settle(rank, self, which, status);
    return;
  }
  rank->writes = which;
  if (trial.trouble == ONE_BREAKS_OFF && !reader->gone && one_of(3)) { break_off(reader); }
}

static void step(struct rank *rank, uint32_t self, int32_t drawn) {
  const int32_t which = rank->writes < 0 ? drawn : rank->writes;
  struct taking *taking = &rank->takings[which];
  if (taking->plan == NULL) { return; }
  if (rank->writes >= 0) {
    if (!one_of(8)) { return; }
    finish_write(rank);
  } else if (taking->status == ADR_COLL_WRITE) {
    begin_write(rank, self, which);
    return;
  } else if (!serve(rank, which)) {
    give_up_on_nonsense(rank);
    return;
  }
  const int32_t status = adr_coll_step(rank->coll, which, taking->by_hand ? NULL : taking->in, 0,
                                       taking->by_hand ? NULL : taking->out, 0, 1);
  settle(rank, self, which, status);
}

/* Words of chance, or such as are likely to be believed, in the part of one member, and in its stages. */
static void write_nonsense(uint32_t self) {
  struct adr_slot_member *members = (void *)(place.slot + adr_slot_members_offset(place.ranks));
  uint64_t *part = (uint64_t *)(void *)&members[self];
  uint64_t *stage = (uint64_t *)(void *)(place.stages + (int64_t)self * STAGE);
  const uint64_t words[] = {draw(),
                            draw() & 0xff,
                            INT64_MAX,
                            UINT64_MAX,
                            1 + draw() % 16,
                            0,
                            draw() % SHARED_BYTES,
                            (uint64_t)below(1 << 20) << 16};
  for (int64_t count = below(4); count >= 0; count--) {
    const uint64_t word = words[below(8)];
    if (one_of(2)) {
      part[below(sizeof *members / sizeof *part)] = word;
    } else if (one_of(2)) {
      stage[below(2 * (int64_t)place.ranks)] = word;
    } else { /* progress that is believed */
      struct adr_slot_line *line = &members[self].lines[below(ADR_SLOT_LINES)];
      const uint64_t sequence = (uint64_t)trial.members[below(place.ranks)].coll->sequence;
      adr_store_relaxed_u64(&line->progress, sequence << 32 | (word & 0x7fffffff));
    }
  }
}

/* Runs */

static void set_up(uint32_t ranks, uint32_t choices, uint64_t sequence, enum trouble trouble, uint64_t seed) {
  state = seed * 1000 + ranks;
  trial.seed = seed;
  trial.trouble = trouble;
  trial.culprit = (uint32_t)below(ranks);
  trial.by_system = one_of(2);
  set_up_slot(ranks, choices, sequence);
  set_up_stages();
  trial.shared_used = 0;
  for (uint32_t self = 0; self < ranks; self++) {
    trial.members[self] = (struct rank){.coll = opened(self), .writes = -1};
  }
  make_plans(one_of(8) ? 300000 : ranks <= 3 ? 90000 : 40000);
}

static void tear_down(void) {
  for (uint32_t self = 0; self < place.ranks; self++) {
    for (int32_t which = 0; which < ADR_COLL_UNDER_WAY; which++) { forget(&trial.members[self].takings[which]); }
    adr_coll_close(trial.members[self].coll);
  }
  tear_down_slot();
}

static bool is_through(const struct rank *rank) {
  if (rank->gone) { return !rank->leaves; }
  for (int32_t which = 0; which < ADR_COLL_UNDER_WAY; which++) {
    if (rank->takings[which].plan != NULL) { return false; }
  }
  return rank->next == PLANS;
}

static bool all_are_through(void) {
  for (uint32_t self = 0; self < place.ranks; self++) {
    if (!is_through(&trial.members[self])) { return false; }
  }
  return true;
}

static uint64_t moves_of_all(void) {
  uint64_t moves = 0;
  for (uint32_t self = 0; self < place.ranks; self++) {
    moves += trial.members[self].next;
    for (int32_t which = 0; which < ADR_COLL_UNDER_WAY; which++) {
      const struct adr_collective *coll = &trial.members[self].coll->collectives[which];
      moves += (uint64_t)coll->sequence * 7 + (uint64_t)coll->move * 1000003 + (uint64_t)coll->exchange.round * 31
               + (uint64_t)coll->exchange.phase * 131 + (uint64_t)coll->stages.round * 17
               + (uint64_t)coll->fold.round * 5 + trial.members[self].gone;
    }
  }
  return moves;
}

/* Takes steps until all are through, or nothing moves any more. */
static void take_all_steps(void) {
  const uint32_t slow = (uint32_t)below(place.ranks); /* steps seldom */
  const int64_t under_way = 1 + below(ADR_COLL_UNDER_WAY);
  const int64_t when = trial.trouble == ONE_BREAKS_OFF ? below(20000) : below(2000);
  uint64_t moves = 0;
  int64_t still = 0;
  for (int64_t i = 0; !all_are_through(); i++) {
    const uint32_t self = (uint32_t)below(place.ranks);
    struct rank *rank = &trial.members[self];
    if (trial.trouble == ONE_BREAKS_OFF && i == when) { break_off(&trial.members[trial.culprit]); }
    if (trial.trouble == ONE_WRITES_NONSENSE && i >= when && one_of(8)) { write_nonsense(trial.culprit); }
    if (self == slow && still == 0 && !one_of(8)) { continue; }
    if (rank->leaves) {
      leave(rank);
    } else if (!rank->gone && rank->writes < 0 && rank->next < PLANS && one_of(4)) {
      int64_t count = 0;
      for (int32_t which = 0; which < ADR_COLL_UNDER_WAY; which++) { count += rank->takings[which].plan != NULL; }
      if (count < under_way) { begin(rank, self); }
    } else if (!rank->gone) {
      step(rank, self, (int32_t)below(ADR_COLL_UNDER_WAY));
    }
    if (trial.trouble == NOTHING && is_through(rank) && !rank->closed && one_of(2)) { /* others may be behind */
      CHECK(adr_coll_close_state(rank->coll) >= 0);
      rank->closed = true;
    }
    const uint64_t now = moves_of_all();
    still = now == moves ? still + 1 : 0;
    moves = now;
    if (still > PATIENCE) {
      if (trial.trouble == ONE_WRITES_NONSENSE) { return; } /* any member may be waited for */
      fprintf(stderr, "seed %" PRIu64 ", %u members: nothing moves\n", trial.seed, place.ranks);
      tell_who_waits();
      exit(1);
    }
  }
}

static void run(uint32_t ranks, uint32_t choices, uint64_t sequence, enum trouble trouble, uint64_t seed) {
  set_up(ranks, choices, sequence, trouble, seed);
  take_all_steps();
  tear_down();
}

static uint64_t runs = 8; /* of each kind */

static void should_give_what_naive_collectives_give(void) {
  for (uint64_t seed = 1; seed <= runs; seed++) {
    for (uint32_t ranks = 1; ranks <= MOST_RANKS; ranks++) { run(ranks, 0, 0, NOTHING, seed); }
    run(3, ADR_SLOT_CHECKED, 0, NOTHING, seed);
    run(3, 0, (UINT64_C(1) << 32) - 20, NOTHING, seed);
    run(2, 0, (UINT64_C(7) << 28) - 20, NOTHING, seed);
  }
}

static void should_let_nobody_wait_for_one_that_has_broken_off_nor_write_its_memory(void) {
  for (uint64_t seed = 1; seed <= 2 * runs; seed++) {
    for (uint32_t ranks = 2; ranks <= 4; ranks++) { run(ranks, 0, 0, ONE_BREAKS_OFF, seed); }
  }
  CHECK(trial.late > 0);
}

static void should_let_nobody_wait_for_one_that_calls_something_else(void) {
  for (uint64_t seed = 1; seed <= 2 * runs; seed++) {
    for (uint32_t ranks = 2; ranks <= 4; ranks++) { run(ranks, 0, 0, ONE_CALLS_SOMETHING_ELSE, seed); }
    run(3, ADR_SLOT_CHECKED, 0, ONE_CALLS_SOMETHING_ELSE, seed);
  }
}

static void should_stay_in_its_memory_whatever_one_writes(void) {
  for (uint64_t seed = 1; seed <= 2 * runs; seed++) {
    for (uint32_t ranks = 2; ranks <= 4; ranks++) { run(ranks, 0, 0, ONE_WRITES_NONSENSE, seed); }
  }
}

/* coll_under_way_test [RUNS] */
int main(int count, char **arguments) {
  if (count > 1) { runs = strtoull(arguments[1], NULL, 10); }
  alarm(count > 1 ? 3600 : 60); /* what hangs fails */
  trial.shared = zeros(SHARED_BYTES);
  RUN(should_give_what_naive_collectives_give);
  RUN(should_let_nobody_wait_for_one_that_has_broken_off_nor_write_its_memory);
  RUN(should_let_nobody_wait_for_one_that_calls_something_else);
  RUN(should_stay_in_its_memory_whatever_one_writes);
  free(trial.shared);
  return 0;
}
