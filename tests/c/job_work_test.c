/* A rank that is always at work, and never waits, sees to what the dead have left, too. */
#include "channel/adr_channel_state.h"
#include "job/adr_job_state.h"
#include "ranktable/adr_rank_table.h"
#include "ranks.h"

enum { WORKER, VICTIM, BEHIND, RANKS, BY_CELL = 6000 /* bytes, too many for a fastbox */, TAG = 9 };

static char outgoing[BY_CELL];

/* Dies in the middle of an enqueue, so that nobody finds what comes behind it. */
static void die_before_the_link(void) {
  CHECK_EQUAL(0, adr_barrier(job));
  adr_channel *channel = job->channel;
  struct adr_outflow *out = &channel->out[WORKER];
  int64_t element = adr_cell_pool_take(&channel->view, &channel->pool, WORKER);
  CHECK(element > 0);
  struct adr_cell *cell = adr_view_cell(&channel->view, (uint64_t)element);
  cell->source = VICTIM;
  cell->kind = ADR_PIECE_FIRST;
  cell->match = ADR_MATCH(0, 1);
  cell->length = 8;
  cell->total_length = 8;
  cell->sequence = out->sequence;
  adr_store_relaxed_u64(&cell->next, 0);
  adr_intent_declare(channel->self, out->receive_queue, (uint64_t)element, adr_load_relaxed_u64(&cell->generation));
  adr_swap_acq_rel_u64(&adr_mpsc_at(&channel->view, out->receive_queue)->tail, (uint64_t)element);
  raise(SIGKILL);
}

static void send_behind(void) {
  CHECK_EQUAL(0, adr_barrier(job));
  while (adr_job_failed_ranks(job, NULL, 0) == 0) { usleep(1000); }
  CHECK_EQUAL(0, adr_send(job, WORKER, ADR_MATCH(0, TAG), outgoing, BY_CELL));
}

/* Whether the next message, which is there, is the one from behind. */
static bool take(void) {
  adr_message piece;
  CHECK_EQUAL(1, adr_poll(job, &piece));
  bool found = piece.source == BEHIND;
  CHECK_EQUAL(0, adr_release(job));
  return found;
}

static bool send_and_take(void) {
  CHECK_EQUAL(5, adr_channel_try_send(job->channel, WORKER, ADR_PIECE_FIRST, ADR_MATCH(0, 1), 5, "again", 0,
                                      5)); /* it is the polls that count */
  return take();
}

/* Has something to receive in every call: what it sends itself, by fastbox, which the first one has found. */
static void work(void) {
  CHECK(!send_and_take());
  CHECK_EQUAL(0, adr_barrier(job));
  while (!send_and_take()) {}
}

static void who_always_finds_a_message_repairs_its_queue(void) {
  pid_t worker = start_rank(WORKER, RANKS, work);
  pid_t behind = start_rank(BEHIND, RANKS, send_behind);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(VICTIM, RANKS, die_before_the_link)));
  CHECK_EQUAL(0, end_of(behind));
  CHECK_EQUAL(0, end_of(worker));
}

static bool is_marked(void) {
  return adr_rank_table_state(adr_rank_table_entry(job->segment.base, VICTIM)) == ADR_RANK_FAILED;
}

static void die(void) {
  CHECK_EQUAL(0, adr_barrier(job));
  raise(SIGKILL);
}

static void send_until_it_is_noticed(void) {
  CHECK_EQUAL(0, adr_barrier(job));
  while (!is_marked()) {
    adr_outgoing message = {.destination = WORKER, .match = ADR_MATCH(0, 1), .buffer = outgoing, .bytes = 8};
    CHECK_EQUAL(1, adr_try_send(job, &message));
    CHECK_EQUAL(1, adr_channel_poll(job->channel, -1, &job->inbound)); /* not by adr_poll: it is the sends that count */
    CHECK_EQUAL(0, adr_channel_release(job->channel));
  }
}

static void who_always_can_send_notices_a_death(void) {
  pid_t worker = start_rank(WORKER, 2, send_until_it_is_noticed);
  CHECK_EQUAL(128 + SIGKILL, end_of(start_rank(VICTIM, 2, die)));
  CHECK_EQUAL(0, end_of(worker));
}

int main(void) {
  ranks_begin();
  RUN(who_always_finds_a_message_repairs_its_queue);
  RUN(who_always_can_send_notices_a_death);
  ranks_end();
  return 0;
}
