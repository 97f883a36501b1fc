/* What queue_instructions.sh counts: each function below is called TIMES times in the state its name says.
 * Compiled twice, the second time without the bounds checks (ADR_UNCHECKED). */
#include "job.h"
#include "segment/adr_geometry.h"

#define COUNTED __attribute__((noinline, noclone))

enum { TIMES = 1000 }; /* as in queue_instructions.sh */

COUNTED int64_t count_nothing(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self, uint64_t cell) {
  __asm__ __volatile__("" ::"r"(view), "r"(queue), "r"(self), "r"(cell));
  return 0;
}

COUNTED int64_t count_enqueue_behind_others(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self,
                                            uint64_t cell) {
  return adr_mpsc_enqueue(view, queue, self, cell);
}

COUNTED int64_t count_enqueue_when_empty(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self,
                                         uint64_t cell) {
  __asm__ __volatile__(""); /* another body than above, so that the two stay apart */
  return adr_mpsc_enqueue(view, queue, self, cell);
}

COUNTED int64_t count_dequeue_before_others(const struct adr_view *view, uint64_t queue) {
  return adr_mpsc_dequeue(view, queue);
}

COUNTED int64_t count_dequeue_the_last(const struct adr_view *view, uint64_t queue) {
  __asm__ __volatile__("");
  return adr_mpsc_dequeue(view, queue);
}

/* Counts with two cells in the queue: one more behind, one out from the front. */
static void busy(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self, uint64_t cells[3]) {
  for (int i = 0; i < 2; i++) { CHECK_EQUAL(0, adr_mpsc_enqueue(view, queue, self, cells[i])); }
  for (int i = 0; i < TIMES; i++) {
    CHECK_EQUAL(0, count_nothing(view, queue, self, cells[0]));
    CHECK_EQUAL(0, count_enqueue_behind_others(view, queue, self, cells[(i + 2) % 3]));
    CHECK_EQUAL(cells[i % 3], count_dequeue_before_others(view, queue));
  }
  while (adr_mpsc_dequeue(view, queue) != 0) {}
}

static void empty(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self, uint64_t cell) {
  for (int i = 0; i < TIMES; i++) {
    CHECK_EQUAL(0, count_enqueue_when_empty(view, queue, self, cell));
    CHECK_EQUAL(cell, count_dequeue_the_last(view, queue));
  }
}

int main(void) {
  struct job job = job_open(1, 4, 64);
  uint64_t cells[3];
  for (int i = 0; i < 3; i++) {
    cells[i] = (uint64_t)adr_mpsc_dequeue(&job.view, adr_free_queue_offset(job_header(&job), 0));
  }
  uint64_t queue = adr_receive_queue_offset(job_header(&job), 0);
  busy(&job.view, queue, adr_intent_of(&job.view, 0), cells);
  empty(&job.view, queue, adr_intent_of(&job.view, 0), cells[0]);
  job_close(&job);
  return 0;
}
