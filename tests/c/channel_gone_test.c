/* Ranks that are gone, seen by a channel of another: what is refused, what comes home, what still arrives. One thread.
 */
#include <errno.h>

#include "channel/adr_channel_state.h"
#include "job.h"
#include "ranktable/adr_rank_table.h"

enum { ME, GONE, OTHER, RANKS, CELLS = 12, PAYLOAD = 128, TURN = 8 /* as ADR_QUEUE_TURN */ };
static const struct adr_box_settings BOXES = {.slots = 64, .limit = 64, .threshold = 100};

static struct job job;
static adr_channel *channels[RANKS];

static void open_box(uint32_t source, uint32_t destination) {
  job_open_box(&job, channels[destination], destination, source);
}

static int32_t send(uint32_t from, uint32_t to, const char *text) {
  int64_t length = (int64_t)strlen(text);
  return adr_channel_try_send(channels[from], (int32_t)to, ADR_PIECE_FIRST, 7, length, text, 0, length);
}

static void check_sends(uint32_t from, uint32_t to, const char *text) {
  CHECK_EQUAL(strlen(text), send(from, to, text));
}

static void check_gets_of(uint32_t rank, int32_t first, const char *text) {
  adr_inbound in;
  char found[PAYLOAD + 1] = {0};
  CHECK_EQUAL(ADR_POLL_PIECE, adr_channel_poll(channels[rank], first, &in));
  CHECK_EQUAL(strlen(text), in.length);
  CHECK_EQUAL(0, adr_channel_take(channels[rank], found, 0, in.length));
  CHECK(strcmp(found, text) == 0);
}

static void check_gets(uint32_t rank, const char *text) { check_gets_of(rank, -1, text); }

static void check_gets_nothing(uint32_t rank) {
  adr_inbound in;
  CHECK_EQUAL(-EAGAIN, adr_channel_poll(channels[rank], -1, &in));
}

static void mark(uint32_t rank, uint32_t state) { adr_rank_table_depart(job.segment.base, rank, state); }

static void die(void) { mark(GONE, ADR_RANK_FAILED); }

static int32_t reclaim(uint32_t rank) { return adr_channel_reclaim(channels[rank]); }

static struct adr_cell_pool *pool(uint32_t rank) { return &channels[rank]->pool; }

static void check_pool_is_full(uint32_t rank) {
  CHECK_EQUAL(0, adr_cell_pool_reclaim(&job.view, pool(rank)));
  CHECK_EQUAL(CELLS, pool(rank)->spare_count);
  for (uint32_t to = 0; to < RANKS; to++) { CHECK_EQUAL(0, pool(rank)->in_flight[to]); }
}

/* The cell that a rank sends with next. */
static uint64_t next_cell(uint32_t rank) { return pool(rank)->spare[pool(rank)->spare_first]; }

static void what_goes_there_is_refused(void) {
  check_sends(ME, GONE, "before");
  die();
  check_sends(ME, GONE, "not noticed yet");
  CHECK_EQUAL(0, reclaim(ME));
  CHECK_EQUAL(-ESRCH, send(ME, GONE, "after"));
  CHECK_EQUAL(-ESRCH, send(ME, GONE, ""));
  CHECK_EQUAL(-ESRCH, adr_channel_claim(channels[ME], GONE, ADR_PIECE_FIRST, 7, 8, 8));
  CHECK_EQUAL(-EINVAL, adr_channel_commit(channels[ME], GONE));
  check_sends(ME, OTHER, "to the living");
  check_gets(OTHER, "to the living");
}

static void a_fastbox_there_is_not_written_to_any_more(void) {
  open_box(ME, GONE);
  for (int i = 0; i < 3; i++) { check_sends(ME, GONE, "by box"); }
  uint64_t position = channels[ME]->out[GONE].box.position;
  CHECK(position > 0);
  die();
  CHECK_EQUAL(0, reclaim(ME));
  CHECK_EQUAL(-ESRCH, send(ME, GONE, "by box"));
  CHECK_EQUAL(position, channels[ME]->out[GONE].box.position);
}

static int64_t claim(int64_t length) {
  return adr_channel_claim(channels[ME], GONE, ADR_PIECE_FIRST, 7, length, length);
}

static void an_open_claim_can_be_given_up(void) {
  CHECK(claim(PAYLOAD) > 0);
  check_sends(ME, OTHER, "to the living");
  die();
  for (int i = 0; i < 3; i++) { CHECK_EQUAL(0, reclaim(ME)); }
  CHECK_EQUAL(1, pool(ME)->in_flight[GONE]);
  CHECK_EQUAL(-ESRCH, adr_channel_claim(channels[ME], GONE, ADR_PIECE_FIRST, 7, 8, 8));
  CHECK_EQUAL(0, adr_channel_abort(channels[ME], GONE));
  CHECK_EQUAL(-ESRCH, send(ME, GONE, "after"));
  check_gets(OTHER, "to the living");
  check_gets_nothing(OTHER);
  check_pool_is_full(ME);
}

static void an_open_claim_is_not_sent(void) {
  CHECK(claim(PAYLOAD) > 0);
  die();
  CHECK_EQUAL(0, reclaim(ME));
  CHECK_EQUAL(-ESRCH, adr_channel_commit(channels[ME], GONE));
  CHECK_EQUAL(-EINVAL, adr_channel_commit(channels[ME], GONE));
  CHECK_EQUAL(0, adr_load_relaxed_u64(&adr_mpsc_at(&job.view, channels[ME]->out[GONE].receive_queue)->tail));
  check_pool_is_full(ME);
}

static void an_open_claim_in_a_fastbox_is_not_sent(void) {
  open_box(ME, GONE);
  check_sends(ME, GONE, "by cell"); /* finds the box */
  CHECK(claim(8) > 0);
  CHECK_EQUAL(0, channels[ME]->out[GONE].claimed_cell);
  uint64_t position = channels[ME]->out[GONE].box.position;
  die();
  CHECK_EQUAL(0, reclaim(ME));
  CHECK_EQUAL(-ESRCH, adr_channel_commit(channels[ME], GONE));
  CHECK_EQUAL(position, channels[ME]->out[GONE].box.position);
  check_pool_is_full(ME);
}

/* Unread, at hand, held, and on their way back. */
static void cells_come_home_from_wherever_they_were(void) {
  adr_inbound in;
  for (int i = 0; i < 4; i++) { check_sends(ME, GONE, "a message by cell"); }
  check_gets(GONE, "a message by cell");
  CHECK_EQUAL(ADR_POLL_PIECE, adr_channel_poll(channels[GONE], -1, &in));
  CHECK_EQUAL(0, adr_channel_retain(channels[GONE]));
  CHECK_EQUAL(ADR_POLL_PIECE, adr_channel_poll(channels[GONE], -1, &in));
  die();
  CHECK_EQUAL(0, reclaim(ME));
  CHECK_EQUAL(0, adr_channel_bury_step(channels[ME]));
  check_pool_is_full(ME);
}

static void cells_of_a_rank_that_has_left_come_home_too(void) {
  check_sends(ME, GONE, "nobody reads this");
  mark(GONE, ADR_RANK_LEFT);
  CHECK_EQUAL(0, reclaim(ME));
  check_pool_is_full(ME);
}

static void cells_that_the_living_have_stay_with_them(void) {
  check_sends(ME, GONE, "to the dead");
  check_sends(ME, OTHER, "to the living");
  die();
  CHECK_EQUAL(0, reclaim(ME));
  CHECK_EQUAL(CELLS - 1, pool(ME)->spare_count);
  CHECK_EQUAL(1, pool(ME)->in_flight[OTHER]);
  check_gets(OTHER, "to the living");
  check_gets_nothing(OTHER);
  check_pool_is_full(ME);
}

/* An intent that names it is of an older generation then. */
static void a_cell_that_comes_home_is_of_another_generation(void) {
  uint64_t cell = next_cell(ME);
  check_sends(ME, GONE, "nobody reads this");
  uint64_t before = adr_load_relaxed_u64(&adr_view_cell(&job.view, cell)->generation);
  die();
  CHECK_EQUAL(0, reclaim(ME));
  CHECK_EQUAL(before + 1, adr_load_relaxed_u64(&adr_view_cell(&job.view, cell)->generation));
}

/* It would write the `next` of a cell that is in another queue by then. */
static void who_does_not_know_yet_finds_no_cell_of_ours_in_the_queue(void) {
  uint64_t cell = next_cell(ME);
  check_sends(ME, GONE, "nobody reads this");
  die();
  CHECK_EQUAL(0, reclaim(ME));
  while (next_cell(ME) != cell) {
    check_sends(ME, OTHER, "its turn comes");
    check_gets(OTHER, "its turn comes");
  }
  check_sends(ME, OTHER, "to the living");
  check_sends(OTHER, GONE, "not noticed yet");
  check_gets(OTHER, "to the living");
  check_gets_nothing(OTHER);
  check_pool_is_full(ME);
}

static void what_the_dead_had_sent_arrives(void) {
  check_sends(GONE, ME, "the first, by cell");
  open_box(GONE, ME);
  check_sends(GONE, ME, "the second");
  check_sends(GONE, ME, "the third, by box");
  CHECK(channels[GONE]->out[ME].box.position > 0);
  die();
  for (int i = 0; i < 3; i++) { CHECK_EQUAL(0, reclaim(ME)); }
  check_gets(ME, "the first, by cell");
  check_gets(ME, "the second");
  check_gets(ME, "the third, by box");
  check_gets_nothing(ME);
  CHECK_EQUAL(1, reclaim(ME)); /* now its fastbox is empty */
}

/* The cell behind the one taken last is not linked yet: whose turn it is by another way is not held up. */
static void a_pending_link_holds_up_the_queue_alone(void) {
  struct adr_mpsc_queue *q = adr_mpsc_at(&job.view, channels[ME]->receive_queue);
  open_box(OTHER, ME);
  check_sends(OTHER, ME, "the first");
  check_gets(ME, "the first");
  uint64_t last = adr_load_relaxed_u64(&q->tail);
  uint64_t pending = adr_cell_offset(job_header(&job), GONE, 0);
  adr_store_relaxed_u64(&adr_view_cell(&job.view, pending)->next, 0);
  CHECK_EQUAL(last, adr_swap_acq_rel_u64(&q->tail, pending));
  for (int i = 0; i < 2 * TURN; i++) {
    check_sends(OTHER, ME, "by box meanwhile");
    check_gets(ME, "by box meanwhile");
  }
  check_gets_nothing(ME);
  *adr_view_cell(&job.view, pending) =
      (struct adr_cell){.kind = ADR_KIND_FIRST, .source = GONE, .owner = GONE, .length = 0, .total_length = 0};
  adr_store_release_u64(&adr_view_cell(&job.view, last)->next, pending);
  check_gets(ME, "");
  check_gets_nothing(ME);
  check_pool_is_full(OTHER);
}

static void a_steady_stream_from_one_source_does_not_keep_the_queue_away(void) {
  open_box(OTHER, ME);
  check_sends(OTHER, ME, "finds the box");
  check_gets(ME, "finds the box");
  check_sends(GONE, ME, "from the queue");
  int looks = 0;
  for (bool found = false; !found; looks++) {
    adr_inbound in;
    CHECK(looks <= TURN);
    check_sends(OTHER, ME, "stream");
    CHECK_EQUAL(ADR_POLL_PIECE, adr_channel_poll(channels[ME], OTHER, &in));
    found = in.source == GONE;
    CHECK_EQUAL(0, adr_channel_release(channels[ME]));
  }
}

static void counts_each_rank_that_departs_once(void) {
  CHECK_EQUAL(0, adr_load_relaxed_u32(&job_header(&job)->departed));
  mark(GONE, ADR_RANK_LEFT);
  mark(GONE, ADR_RANK_FAILED);
  CHECK_EQUAL(1, adr_load_relaxed_u32(&job_header(&job)->departed));
  mark(OTHER, ADR_RANK_FAILED);
  CHECK_EQUAL(2, adr_load_relaxed_u32(&job_header(&job)->departed));
}

static void with_channels(void (*test)(void)) {
  job = job_open_boxes(RANKS, CELLS, PAYLOAD, BOXES);
  for (int32_t rank = 0; rank < RANKS; rank++) {
    channels[rank] = adr_channel_open(job.segment.base, rank);
    CHECK(channels[rank] != NULL);
    CHECK_EQUAL(0, adr_cell_pool_reclaim(&job.view, pool((uint32_t)rank))); /* all cells at hand */
  }
  test();
  for (int32_t rank = 0; rank < RANKS; rank++) { adr_channel_close(channels[rank]); }
  job_close(&job);
}

#define RUN_ON_CHANNELS(test) \
  do { \
    with_channels(test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  RUN_ON_CHANNELS(what_goes_there_is_refused);
  RUN_ON_CHANNELS(a_fastbox_there_is_not_written_to_any_more);
  RUN_ON_CHANNELS(an_open_claim_can_be_given_up);
  RUN_ON_CHANNELS(an_open_claim_is_not_sent);
  RUN_ON_CHANNELS(an_open_claim_in_a_fastbox_is_not_sent);
  RUN_ON_CHANNELS(cells_come_home_from_wherever_they_were);
  RUN_ON_CHANNELS(cells_of_a_rank_that_has_left_come_home_too);
  RUN_ON_CHANNELS(cells_that_the_living_have_stay_with_them);
  RUN_ON_CHANNELS(a_cell_that_comes_home_is_of_another_generation);
  RUN_ON_CHANNELS(who_does_not_know_yet_finds_no_cell_of_ours_in_the_queue);
  RUN_ON_CHANNELS(what_the_dead_had_sent_arrives);
  RUN_ON_CHANNELS(a_pending_link_holds_up_the_queue_alone);
  RUN_ON_CHANNELS(a_steady_stream_from_one_source_does_not_keep_the_queue_away);
  RUN_ON_CHANNELS(counts_each_rank_that_departs_once);
  return 0;
}
