/* One rank dies while it makes communicators, or closes them, at every stop point of native/contextid, each time that
 * it gets there. The other one takes numbers meanwhile and afterwards: none is given out twice, and none is lost once
 * the rank is known to be dead and the other has closed what it had with it. */
#include <errno.h>
#include <sys/mman.h>

#include "contextid/adr_slot_pool.h"
#include "job.h"
#include "lone_victim.h"
#include "ranktable/adr_rank_table.h"

enum { SURVIVOR, VICTIM, RANKS, CELLS = 4, PAYLOAD = 64, MADE = 3, NUMBERS = ADR_MAX_CONTEXTS - 1 };

/* What one tells the other of a communicator that it has made for both. */
struct told {
  int32_t id;
  uint64_t offset;
};

static struct {
  struct told of_survivor;
  uint32_t count; /* how many the victim has told of */
  struct told of_victim[MADE];
} * shared;

static struct job job;

static struct adr_shared *open_pool(struct adr_slot_pool *pool, uint32_t rank) {
  struct adr_shared *heap;
  CHECK_EQUAL(0, adr_shared_open(&heap, &job.segment, rank));
  adr_slot_pool_open(pool, &job.segment, heap, rank);
  return heap;
}

static int enter(struct adr_slot_pool *pool, const struct told *told, uint32_t owner,
                 struct adr_communicator_slot *slot) {
  return adr_slot_enter(pool, told->id, owner, told->offset, RANKS, 1, slot);
}

/* All that a rank does: it comes into the survivor's communicator and closes that, makes three for both, of which it
 * closes one and withdraws from one, and makes one of its own twice, so that a slot is used again. */
static void script(void) {
  static const uint32_t both[] = {VICTIM, SURVIVOR}, alone[] = {VICTIM};
  struct adr_slot_pool pool;
  struct adr_communicator_slot slots[MADE], other, own;
  open_pool(&pool, VICTIM);
  CHECK_EQUAL(0, enter(&pool, &shared->of_survivor, SURVIVOR, &other));
  for (uint32_t i = 0; i < MADE; i++) {
    CHECK_EQUAL(0, adr_slot_make(&pool, both, RANKS, &slots[i]));
    shared->of_victim[i] = (struct told){slots[i].id, slots[i].offset};
    shared->count = i + 1;
  }
  CHECK_EQUAL(0, adr_slot_close(&pool, &slots[1], 0));
  CHECK_EQUAL(0, adr_slot_withdraw(&pool, &slots[2]));
  CHECK_EQUAL(0, adr_slot_close(&pool, &other, 1));
  for (int i = 0; i < 2; i++) {
    CHECK_EQUAL(0, adr_slot_make(&pool, alone, 1, &own));
    CHECK_EQUAL(0, adr_slot_close(&pool, &own, 0));
  }
}

/* Takes all numbers that there are, none of them twice; returns how many. */
static uint32_t take_all(struct adr_slot_pool *pool, int32_t *ids) {
  static bool seen[ADR_MAX_CONTEXTS];
  uint32_t taken = 0;
  memset(seen, 0, sizeof seen);
  for (int32_t id = adr_context_id_take(&pool->table); id >= 0; id = adr_context_id_take(&pool->table)) {
    uint32_t number = (uint32_t)id / ADR_CONTEXT_ID_GENERATIONS;
    CHECK(number > 0 && number < ADR_MAX_CONTEXTS && !seen[number]);
    seen[number] = true;
    ids[taken++] = id;
  }
  return taken;
}

static bool run_case(int point, uint32_t visit) {
  static const uint32_t both[] = {SURVIVOR, VICTIM};
  static int32_t ids[ADR_MAX_CONTEXTS];
  struct adr_slot_pool pool;
  struct adr_communicator_slot own, others[2], late;
  memset(shared, 0, sizeof *shared);
  job = job_open(RANKS, CELLS, PAYLOAD);
  struct adr_shared *heap = open_pool(&pool, SURVIVOR);
  CHECK_EQUAL(0, adr_slot_make(&pool, both, RANKS, &own));
  shared->of_survivor = (struct told){own.id, own.offset};
  bool died = victim_dies(script, point, visit);
  int32_t id = adr_context_id_take(&pool.table); /* nobody waits for the dead, known as such or not */
  CHECK(id >= 0);
  adr_context_id_give_back(&pool.table, id);
  uint32_t in = shared->count < 2 ? shared->count : 2; /* the survivor comes in before the death is known */
  for (uint32_t i = 0; i < in; i++) { CHECK_EQUAL(0, enter(&pool, &shared->of_victim[i], VICTIM, &others[i])); }
  adr_rank_table_depart(job.segment.base, VICTIM, ADR_RANK_FAILED);
  uint32_t taken = take_all(&pool, ids);
  CHECK_EQUAL(NUMBERS - 1 - in, taken); /* none of those that the survivor has open, all others */
  if (shared->count == MADE) { CHECK_EQUAL(-ECANCELED, enter(&pool, &shared->of_victim[2], VICTIM, &late)); }
  for (uint32_t i = 0; i < in; i++) {
    CHECK_EQUAL(0, adr_slot_close(&pool, &others[i], 1));
    CHECK(!adr_context_id_is_taken(&pool.table, others[i].id));
  }
  CHECK_EQUAL(0, adr_slot_close(&pool, &own, 0));
  CHECK(!adr_context_id_is_taken(&pool.table, own.id));
  for (uint32_t i = 0; i < taken; i++) { adr_context_id_give_back(&pool.table, ids[i]); }
  CHECK_EQUAL(NUMBERS, take_all(&pool, ids)); /* none is lost */
  adr_slot_pool_close(&pool);
  adr_shared_close(heap);
  job_close(&job);
  return died;
}

int main(void) {
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(shared != MAP_FAILED);
  run_cases(run_case, ADR_STOP_CONTEXTS, ADR_STOP_COLLECTIVES);
  printf("ok contexts_survive_wherever_a_rank_dies: %d points\n", ADR_STOP_COLLECTIVES - ADR_STOP_CONTEXTS);
  return 0;
}
