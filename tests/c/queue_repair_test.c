/* Repair of a queue whose enqueuers have died, from states made by hand: each is what is left when they stop between
 * two steps. */
#include "job.h"
#include "queue/adr_queue_repair.h"
#include "segment/adr_geometry.h"

enum { RANKS = 4, CELLS = 8, DEQUEUER = 0, DEAD = 1, DEAD_TOO = 2, LIVING = 3 };

static struct job job;
static uint64_t queue;
static struct adr_gone gone;

/* A cell that no queue holds. */
static uint64_t cell(uint32_t rank, uint32_t index) { return adr_cell_offset(job_header(&job), rank, index); }

static struct adr_mpsc_queue *words(void) { return adr_mpsc_at(&job.view, queue); }

static struct adr_rank_entry *entry(uint32_t rank) { return adr_intent_of(&job.view, rank); }

static void enqueue(uint32_t rank, uint64_t element) {
  CHECK_EQUAL(0, adr_mpsc_enqueue(&job.view, queue, entry(rank), element));
}

/* The steps of an enqueue, apart. */
static void declare(uint32_t rank, uint64_t element) {
  struct adr_cell *it = adr_view_cell(&job.view, element);
  adr_store_relaxed_u64(&it->next, 0);
  adr_intent_declare(entry(rank), queue, element, adr_load_relaxed_u64(&it->generation));
}

static uint64_t declare_and_swap(uint32_t rank, uint64_t element) {
  declare(rank, element);
  return adr_swap_acq_rel_u64(&words()->tail, element);
}

static void link_behind(uint64_t previous, uint64_t element) {
  adr_store_release_u64(previous == 0 ? &words()->head : &adr_view_cell(&job.view, previous)->next, element);
}

static int repair(void) { return adr_queue_repair(&job.view, queue, DEQUEUER, RANKS, RANKS * CELLS, &gone); }

static int64_t dequeue(void) { return adr_mpsc_dequeue(&job.view, queue); }

/* These cells come out, in this order, and no others. */
static void check_gives(int count, const uint64_t *cells) {
  for (int i = 0; i < count; i++) { CHECK_EQUAL(cells[i], dequeue()); }
  CHECK_EQUAL(0, dequeue());
  CHECK_EQUAL(0, adr_load_relaxed_u64(&words()->tail));
}

#define CHECK_GIVES(...) check_gives(sizeof((uint64_t[]){__VA_ARGS__}) / 8, (uint64_t[]){__VA_ARGS__})

/* Repairs; no intent of the dead is left, and a second time finds nothing to do. */
static void check_repairs(void) {
  CHECK_EQUAL(0, repair());
  for (uint32_t rank = 0; rank < RANKS; rank++) { CHECK(!adr_intent_stands(entry(rank), queue)); }
  CHECK_EQUAL(0, repair());
}

/* The queue works as before. */
static void check_works(void) {
  enqueue(LIVING, cell(LIVING, 6));
  enqueue(LIVING, cell(LIVING, 7));
  CHECK_GIVES(cell(LIVING, 6), cell(LIVING, 7));
}

static void leaves_a_sound_queue_alone(void) {
  enqueue(LIVING, cell(3, 0));
  enqueue(DEAD, cell(1, 0));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(1, 0));
}

static void death_after_the_swap_on_an_empty_queue(void) {
  CHECK_EQUAL(0, declare_and_swap(DEAD, cell(1, 0)));
  enqueue(LIVING, cell(3, 0));
  CHECK_EQUAL(0, dequeue()); /* it looks empty */
  check_repairs();
  CHECK_GIVES(cell(1, 0), cell(3, 0));
}

static void death_after_the_swap_behind_others(void) {
  enqueue(LIVING, cell(3, 0));
  CHECK_EQUAL(cell(3, 0), declare_and_swap(DEAD, cell(1, 0)));
  enqueue(LIVING, cell(3, 1));
  CHECK_EQUAL(ADR_LINK_PENDING, dequeue());
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(1, 0), cell(3, 1));
}

static void death_after_the_swap_as_the_last(void) {
  enqueue(LIVING, cell(3, 0));
  declare_and_swap(DEAD, cell(1, 0));
  check_repairs();
  enqueue(LIVING, cell(3, 1));
  CHECK_GIVES(cell(3, 0), cell(1, 0), cell(3, 1));
}

static void death_before_the_swap_on_an_empty_queue(void) {
  declare(DEAD, cell(1, 0));
  check_repairs();
  CHECK_GIVES(cell(1, 0));
}

static void death_before_the_swap_with_others_in_the_queue(void) {
  enqueue(LIVING, cell(3, 0));
  declare(DEAD, cell(1, 0));
  enqueue(LIVING, cell(3, 1));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(3, 1), cell(1, 0));
}

/* Linked, but the intent stands: the cell must not go in twice. */
static void death_after_the_link(void) {
  enqueue(LIVING, cell(3, 0));
  link_behind(declare_and_swap(DEAD, cell(1, 0)), cell(1, 0));
  enqueue(LIVING, cell(3, 1));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(1, 0), cell(3, 1));
}

static void death_after_the_link_on_an_empty_queue(void) {
  link_behind(declare_and_swap(DEAD, cell(1, 0)), cell(1, 0));
  check_repairs();
  CHECK_GIVES(cell(1, 0));
}

static void death_after_the_link_of_a_cell_that_has_left(void) {
  link_behind(declare_and_swap(DEAD, cell(1, 0)), cell(1, 0));
  enqueue(LIVING, cell(3, 0));
  CHECK_EQUAL(cell(1, 0), dequeue());
  check_repairs();
  CHECK_GIVES(cell(3, 0));
}

/* The cell has left and was sent to the same queue again since. */
static void death_after_the_link_of_a_cell_that_came_again(void) {
  link_behind(declare_and_swap(DEAD, cell(3, 0)), cell(3, 0));
  CHECK_EQUAL(cell(3, 0), dequeue());
  enqueue(LIVING, cell(3, 0));
  check_repairs();
  CHECK_GIVES(cell(3, 0));
}

static void two_dead_one_before_and_one_after_its_swap(void) {
  enqueue(LIVING, cell(3, 0));
  declare(DEAD, cell(1, 0));
  declare_and_swap(DEAD_TOO, cell(2, 0));
  enqueue(LIVING, cell(3, 1));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(1, 0), cell(2, 0), cell(3, 1));
}

static void two_dead_before_and_after_the_swap_on_an_empty_queue(void) {
  declare(DEAD_TOO, cell(2, 0));
  declare_and_swap(DEAD, cell(1, 0));
  check_repairs();
  CHECK_GIVES(cell(2, 0), cell(1, 0));
}

static void two_dead_in_a_row(void) {
  enqueue(LIVING, cell(3, 0));
  declare_and_swap(DEAD, cell(1, 0));
  declare_and_swap(DEAD_TOO, cell(2, 0));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(1, 0), cell(2, 0));
}

static void two_dead_in_a_row_on_an_empty_queue(void) {
  declare_and_swap(DEAD_TOO, cell(2, 0));
  declare_and_swap(DEAD, cell(1, 0));
  check_repairs();
  CHECK_GIVES(cell(2, 0), cell(1, 0));
}

static void two_dead_with_living_cells_between_and_behind(void) {
  enqueue(LIVING, cell(3, 0));
  declare_and_swap(DEAD_TOO, cell(2, 0));
  enqueue(LIVING, cell(3, 1));
  enqueue(LIVING, cell(3, 2));
  declare_and_swap(DEAD, cell(1, 0));
  enqueue(LIVING, cell(3, 3));
  CHECK_EQUAL(ADR_LINK_PENDING, dequeue());
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(2, 0), cell(3, 1), cell(3, 2), cell(1, 0), cell(3, 3));
}

/* One died before its link, the other, behind it in the same run, after its link. */
static void two_dead_in_one_run(void) {
  enqueue(LIVING, cell(3, 0));
  declare_and_swap(DEAD_TOO, cell(2, 0));
  link_behind(declare_and_swap(DEAD, cell(1, 0)), cell(1, 0));
  enqueue(LIVING, cell(3, 1));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(2, 0), cell(1, 0), cell(3, 1));
}

static void a_living_rank_between_swap_and_link_is_waited_for(void) {
  enqueue(LIVING, cell(3, 0));
  declare_and_swap(DEAD, cell(1, 0));
  uint64_t previous = declare_and_swap(LIVING, cell(3, 1));
  CHECK_EQUAL(ADR_AGAIN, repair());
  CHECK_EQUAL(ADR_AGAIN, repair());
  CHECK(adr_intent_stands(entry(DEAD), queue));
  link_behind(previous, cell(3, 1));
  adr_intent_clear(entry(LIVING));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(1, 0), cell(3, 1));
}

/* The living one found the queue empty: its link is the head. */
static void a_living_rank_before_its_head_is_waited_for(void) {
  declare_and_swap(LIVING, cell(3, 0));
  declare_and_swap(DEAD, cell(1, 0));
  CHECK_EQUAL(ADR_AGAIN, repair());
  link_behind(0, cell(3, 0));
  adr_intent_clear(entry(LIVING));
  check_repairs();
  CHECK_GIVES(cell(3, 0), cell(1, 0));
}

static void a_living_rank_in_another_queue_is_not_waited_for(void) {
  uint64_t other = adr_receive_queue_offset(job_header(&job), LIVING);
  declare_and_swap(DEAD, cell(1, 0));
  adr_intent_declare(entry(LIVING), other, cell(3, 0), 0);
  CHECK_EQUAL(0, repair());
  CHECK_GIVES(cell(1, 0));
}

static void an_intent_on_another_queue_is_left_to_its_dequeuer(void) {
  uint64_t other = adr_receive_queue_offset(job_header(&job), LIVING);
  adr_intent_declare(entry(DEAD), other, cell(1, 0), 0);
  CHECK_EQUAL(0, repair());
  CHECK(adr_intent_stands(entry(DEAD), other));
  CHECK_EQUAL(0, dequeue());
}

/* The dequeuer has looked at the first cell, or taken others out, before. */
static void a_cell_that_was_peeked_at_stays_the_first(void) {
  enqueue(LIVING, cell(3, 0));
  enqueue(LIVING, cell(3, 1));
  CHECK_EQUAL(cell(3, 0), dequeue());
  CHECK_EQUAL(cell(3, 1), adr_mpsc_peek(&job.view, queue));
  declare_and_swap(DEAD, cell(1, 0));
  CHECK_EQUAL(ADR_LINK_PENDING, adr_mpsc_advance(&job.view, queue, cell(3, 1)));
  check_repairs();
  CHECK_GIVES(cell(3, 1), cell(1, 0));
}

static void refuses_an_intent_that_names_no_cell(void) {
  const uint64_t bad[] = {64, job.segment.shape.segment_bytes, UINT64_MAX - 63, cell(1, 0) + 8};
  for (int i = 0; i < 4; i++) {
    adr_intent_declare(entry(DEAD), queue, bad[i], 0);
    CHECK_EQUAL(ADR_CORRUPT, repair());
  }
}

static void refuses_a_circle(void) {
  enqueue(LIVING, cell(3, 0));
  enqueue(LIVING, cell(3, 1));
  declare_and_swap(DEAD, cell(1, 0));
  link_behind(cell(3, 1), cell(3, 0));
  CHECK_EQUAL(ADR_CORRUPT, repair());
}

static void refuses_a_link_that_names_no_cell(void) {
  enqueue(LIVING, cell(3, 0));
  declare_and_swap(DEAD, cell(1, 0));
  link_behind(cell(3, 0), job.segment.shape.segment_bytes);
  CHECK_EQUAL(ADR_CORRUPT, repair());
}

static void refuses_a_tail_that_no_run_reaches(void) {
  enqueue(LIVING, cell(3, 0));
  declare(DEAD, cell(1, 0));
  adr_store_relaxed_u64(&words()->tail, cell(3, 5));
  CHECK_EQUAL(ADR_CORRUPT, repair());
}

static void refuses_two_intents_for_one_cell(void) {
  declare(DEAD, cell(1, 0));
  declare(DEAD_TOO, cell(1, 0));
  CHECK_EQUAL(ADR_CORRUPT, repair());
}

static void with_job(void (*test)(void)) {
  job = job_open(RANKS, CELLS, 64);
  queue = adr_receive_queue_offset(job_header(&job), DEQUEUER);
  for (uint32_t rank = 0; rank < RANKS; rank++) {
    while (adr_mpsc_dequeue(&job.view, adr_free_queue_offset(job_header(&job), rank)) > 0) {}
  }
  gone = (struct adr_gone){.bits = {1u << DEAD | 1u << DEAD_TOO}};
  test();
  job_close(&job);
}

#define RUN_ON_QUEUE(test) \
  do { \
    with_job(test); \
    printf("ok %s\n", #test); \
  } while (0)

#define REPAIRED(test) \
  static void test##_and_goes_on(void) { \
    test(); \
    check_works(); \
  }
#define ALL_REPAIRED(X) \
  X(leaves_a_sound_queue_alone) \
  X(death_after_the_swap_on_an_empty_queue) \
  X(death_after_the_swap_behind_others) \
  X(death_after_the_swap_as_the_last) \
  X(death_before_the_swap_on_an_empty_queue) \
  X(death_before_the_swap_with_others_in_the_queue) \
  X(death_after_the_link) \
  X(death_after_the_link_on_an_empty_queue) \
  X(death_after_the_link_of_a_cell_that_has_left) \
  X(death_after_the_link_of_a_cell_that_came_again) \
  X(two_dead_one_before_and_one_after_its_swap) \
  X(two_dead_before_and_after_the_swap_on_an_empty_queue) \
  X(two_dead_in_a_row) \
  X(two_dead_in_a_row_on_an_empty_queue) \
  X(two_dead_with_living_cells_between_and_behind) \
  X(two_dead_in_one_run) \
  X(a_living_rank_between_swap_and_link_is_waited_for) \
  X(a_living_rank_before_its_head_is_waited_for) \
  X(a_cell_that_was_peeked_at_stays_the_first)
ALL_REPAIRED(REPAIRED)

#define RUN_REPAIRED(test) RUN_ON_QUEUE(test##_and_goes_on);

int main(void) {
  ALL_REPAIRED(RUN_REPAIRED)
  RUN_ON_QUEUE(a_living_rank_in_another_queue_is_not_waited_for);
  RUN_ON_QUEUE(an_intent_on_another_queue_is_left_to_its_dequeuer);
  RUN_ON_QUEUE(refuses_an_intent_that_names_no_cell);
  RUN_ON_QUEUE(refuses_a_circle);
  RUN_ON_QUEUE(refuses_a_link_that_names_no_cell);
  RUN_ON_QUEUE(refuses_a_tail_that_no_run_reaches);
  RUN_ON_QUEUE(refuses_two_intents_for_one_cell);
  return 0;
}
