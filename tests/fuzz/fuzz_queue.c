/* One queue, its enqueuers, its dequeuer, and its repair after deaths, over cells, links and intents that others spoil.
 */
#include "fuzz_job.h"
#include "queue/adr_queue_repair.h"

/* A value that names a cell, or nothing that anybody may use. */
static void require_cell(const struct fuzz_job *job, int64_t element) {
  fuzz_require(element <= 0 || adr_view_holds(&job->view, (uint64_t)element), "a cell outside the segment");
  fuzz_require(element >= 0 || element == ADR_CORRUPT || element == ADR_LINK_PENDING,
               "a status that the call does not have");
}

/* Leaves intents as an enqueuer that died in the middle of it would have left them. */
static void intend(struct fuzz_job *job, struct fuzz_input *in, uint64_t queue, uint32_t rank) {
  uint32_t owner = fuzz_below(in, FUZZ_RANKS);
  uint64_t cell = adr_cell_offset(&job->header, owner, fuzz_below(in, FUZZ_CELLS));
  uint64_t generation = adr_load_relaxed_u64(&adr_view_cell(&job->view, cell)->generation);
  adr_intent_declare(adr_intent_of(&job->view, rank), queue, cell, generation + fuzz_below(in, 4) / 3);
  if (fuzz_below(in, 2) != 0) { adr_store_relaxed_u64(&adr_mpsc_at(&job->view, queue)->tail, cell); }
}

static void repair(struct fuzz_job *job, struct fuzz_input *in, uint64_t queue, uint32_t rank) {
  struct adr_gone gone = {.bits = {fuzz_below(in, 1u << FUZZ_RANKS) & ~(UINT64_C(1) << rank)}};
  int status = adr_queue_repair(&job->view, queue, rank, FUZZ_RANKS, FUZZ_RANKS * FUZZ_CELLS, &gone);
  fuzz_require(status == 0 || status == ADR_AGAIN || status == ADR_CORRUPT, "a status that the call does not have");
}

static void step(struct fuzz_job *job, struct fuzz_input *in) {
  uint32_t rank = fuzz_below(in, FUZZ_RANKS);
  uint64_t queue =
      fuzz_below(in, 2) == 0 ? adr_receive_queue_offset(&job->header, rank) : adr_free_queue_offset(&job->header, rank);
  int64_t element;
  switch (fuzz_below(in, 8)) {
  case 0:
    require_cell(job, adr_mpsc_dequeue(&job->view, queue));
    break;
  case 1:
    element = adr_mpsc_peek(&job->view, queue);
    require_cell(job, element);
    if (element > 0) { require_cell(job, adr_mpsc_advance(&job->view, queue, (uint64_t)element)); }
    break;
  case 2:
    element = (int64_t)adr_cell_offset(&job->header, rank, fuzz_below(in, FUZZ_CELLS));
    require_cell(job, adr_mpsc_enqueue(&job->view, queue, adr_intent_of(&job->view, rank), (uint64_t)element));
    break;
  case 3:
    intend(job, in, queue, fuzz_below(in, FUZZ_RANKS));
    break;
  case 4:
    repair(job, in, queue, rank);
    break;
  default:
    fuzz_spoil(job, in);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz_input in = {bytes, size};
  struct fuzz_job *job = fuzz_job(0);
  for (int steps = 0; in.left > 0 && steps < FUZZ_STEPS; steps++) { step(job, &in); }
  return 0;
}
