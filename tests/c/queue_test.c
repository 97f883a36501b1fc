/* The queue of cells, one thread: what it gives out in which state. */
#include "job.h"
#include "segment/adr_geometry.h"

enum { CELLS = 8 };

static struct job job;
static uint64_t queue;

static uint64_t cell(uint32_t index) { return adr_cell_offset(job_header(&job), 0, index); }

static struct adr_rank_entry *self(void) { return adr_intent_of(&job.view, 0); }

static int64_t dequeue(void) { return adr_mpsc_dequeue(&job.view, queue); }

static void enqueue(uint32_t index) { CHECK_EQUAL(0, adr_mpsc_enqueue(&job.view, queue, self(), cell(index))); }

/* The receive queue of rank 0, empty; its cells are lent out of the free queue. */
static void with_empty_queue(void (*test)(void)) {
  job = job_open(1, CELLS, 64);
  queue = adr_receive_queue_offset(job_header(&job), 0);
  uint64_t free_queue = adr_free_queue_offset(job_header(&job), 0);
  for (int i = 0; i < CELLS; i++) { CHECK(adr_mpsc_dequeue(&job.view, free_queue) > 0); }
  test();
  job_close(&job);
}

static void check_empty_words(void) {
  struct adr_mpsc_queue *q = adr_mpsc_at(&job.view, queue);
  CHECK_EQUAL(0, adr_load_relaxed_u64(&q->head));
  CHECK_EQUAL(0, adr_load_relaxed_u64(&q->tail));
  CHECK_EQUAL(0, q->shadow_head);
}

static void gives_nothing_when_empty(void) {
  CHECK_EQUAL(0, dequeue());
  check_empty_words();
}

static void gives_the_only_cell_once(void) {
  enqueue(3);
  CHECK_EQUAL(cell(3), dequeue());
  CHECK_EQUAL(0, dequeue());
  check_empty_words();
}

static void gives_many_in_order_of_enqueue(void) {
  for (uint32_t i = 0; i < CELLS; i++) { enqueue((i * 3) % CELLS); }
  for (uint32_t i = 0; i < CELLS; i++) { CHECK_EQUAL(cell((i * 3) % CELLS), dequeue()); }
  CHECK_EQUAL(0, dequeue());
  check_empty_words();
}

static void stays_in_order_while_cells_go_round(void) {
  enqueue(0);
  enqueue(1);
  for (uint32_t i = 0; i < 1000; i++) {
    enqueue((i + 2) % CELLS);
    CHECK_EQUAL(cell(i % CELLS), dequeue());
  }
}

static void works_again_each_time_it_ran_empty(void) {
  for (uint32_t i = 0; i < 100; i++) {
    enqueue(i % CELLS);
    enqueue((i + 1) % CELLS);
    CHECK_EQUAL(cell(i % CELLS), dequeue());
    CHECK_EQUAL(cell((i + 1) % CELLS), dequeue());
    CHECK_EQUAL(0, dequeue());
  }
}

static void shows_the_first_cell_until_it_is_taken_out(void) {
  CHECK_EQUAL(0, adr_mpsc_peek(&job.view, queue));
  enqueue(5);
  for (int i = 0; i < 3; i++) { CHECK_EQUAL(cell(5), adr_mpsc_peek(&job.view, queue)); }
  enqueue(6); /* behind the cell that is shown */
  CHECK_EQUAL(0, adr_mpsc_advance(&job.view, queue, cell(5)));
  CHECK_EQUAL(cell(6), adr_mpsc_peek(&job.view, queue));
  CHECK_EQUAL(0, adr_mpsc_advance(&job.view, queue, cell(6)));
  CHECK_EQUAL(0, adr_mpsc_peek(&job.view, queue));
  check_empty_words();
}

static void says_link_pending_while_an_enqueuer_is_between_swap_and_link(void) {
  struct adr_mpsc_queue *q = adr_mpsc_at(&job.view, queue);
  enqueue(0);
  adr_store_relaxed_u64(&adr_view_cell(&job.view, cell(1))->next, 0);
  CHECK_EQUAL(cell(0), adr_swap_acq_rel_u64(&q->tail, cell(1)));
  CHECK_EQUAL(ADR_LINK_PENDING, dequeue());
  CHECK_EQUAL(ADR_LINK_PENDING, dequeue());
  adr_store_release_u64(&adr_view_cell(&job.view, cell(0))->next, cell(1));
  CHECK_EQUAL(cell(0), dequeue());
  CHECK_EQUAL(cell(1), dequeue());
  CHECK_EQUAL(0, dequeue());
}

static void looks_empty_while_the_first_enqueuer_is_between_swap_and_head(void) {
  struct adr_mpsc_queue *q = adr_mpsc_at(&job.view, queue);
  CHECK_EQUAL(0, adr_swap_acq_rel_u64(&q->tail, cell(0)));
  enqueue(1);
  CHECK_EQUAL(0, dequeue());
  adr_store_release_u64(&q->head, cell(0));
  CHECK_EQUAL(cell(0), dequeue());
  CHECK_EQUAL(cell(1), dequeue());
}

static const uint64_t *bad_offsets(void) {
  static uint64_t bad[5];
  bad[0] = 64;
  bad[1] = job.segment.shape.segment_bytes;
  bad[2] = UINT64_MAX - 63;
  bad[3] = cell(1) + 8;
  bad[4] = UINT64_MAX;
  return bad;
}

static void refuses_a_head_that_names_no_cell(void) {
  for (int i = 0; i < 5; i++) {
    adr_mpsc_at(&job.view, queue)->shadow_head = 0;
    adr_store_relaxed_u64(&adr_mpsc_at(&job.view, queue)->head, bad_offsets()[i]);
    CHECK_EQUAL(ADR_CORRUPT, dequeue());
  }
}

static void refuses_a_link_that_names_no_cell(void) {
  for (int i = 0; i < 5; i++) {
    enqueue(0);
    adr_store_relaxed_u64(&adr_view_cell(&job.view, cell(0))->next, bad_offsets()[i]);
    int64_t first = dequeue(); /* sound itself; a link with the sign bit reads as an error already here */
    CHECK(first == (int64_t)cell(0) || first < 0);
    CHECK(dequeue() < 0);
    memset(adr_mpsc_at(&job.view, queue), 0, sizeof(struct adr_mpsc_queue));
  }
}

static void refuses_to_enqueue_behind_a_tail_that_names_no_cell(void) {
  for (int i = 0; i < 5; i++) {
    adr_store_relaxed_u64(&adr_mpsc_at(&job.view, queue)->tail, bad_offsets()[i]);
    CHECK_EQUAL(ADR_CORRUPT, adr_mpsc_enqueue(&job.view, queue, self(), cell(0)));
  }
}

#define RUN_ON_QUEUE(test) \
  do { \
    with_empty_queue(test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  RUN_ON_QUEUE(gives_nothing_when_empty);
  RUN_ON_QUEUE(gives_the_only_cell_once);
  RUN_ON_QUEUE(gives_many_in_order_of_enqueue);
  RUN_ON_QUEUE(stays_in_order_while_cells_go_round);
  RUN_ON_QUEUE(works_again_each_time_it_ran_empty);
  RUN_ON_QUEUE(shows_the_first_cell_until_it_is_taken_out);
  RUN_ON_QUEUE(says_link_pending_while_an_enqueuer_is_between_swap_and_link);
  RUN_ON_QUEUE(looks_empty_while_the_first_enqueuer_is_between_swap_and_head);
  RUN_ON_QUEUE(refuses_a_head_that_names_no_cell);
  RUN_ON_QUEUE(refuses_a_link_that_names_no_cell);
  RUN_ON_QUEUE(refuses_to_enqueue_behind_a_tail_that_names_no_cell);
  return 0;
}
