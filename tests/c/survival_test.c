/* One rank dies, at every stop point of the core, the first time that it gets there, the second and the last. It is a
 * sender, a receiver and one that repairs and buries: two others have died before it, in the middle of enqueues to it.
 * The survivors go on. */
#include "adrastea/ring.h"
#include "survival.h"

/* The living A and B, the victim, and ranks that died before. */
enum { A, B, VICTIM, DEAD_ENQUEUER, DEAD_GIVER, CELLS = 40, MESSAGES = 16, STEPS = 8 };
enum { RING = 256, CHUNK = 64, STREAM = 3 * RING };
static const struct adr_box_settings BOXES = {.slots = 64, .limit = 300, .threshold = 2};

static struct side a, b;
static int variant;

/* Two copy rings, as large messages use them: from the victim to A, and back. */
struct streams {
  _Alignas(128) uint8_t out[sizeof(struct adr_copy_ring) + RING];
  _Alignas(128) uint8_t in[sizeof(struct adr_copy_ring) + RING];
};
static struct streams *streams;
static uint32_t put, taken; /* bytes, by the survivor */

static uint8_t stream_byte(uint32_t at) { return (uint8_t)(at * 7 + at / 256); }

static void stream_put(uint8_t *ring, uint32_t *at, uint32_t most) {
  uint8_t bytes[STREAM];
  for (uint32_t i = 0; i < STREAM; i++) { bytes[i] = stream_byte(i); }
  uint32_t left = STREAM - *at < most ? STREAM - *at : most;
  int32_t moved = adr_ring_put(ring, RING, CHUNK, *at, bytes, *at, left);
  CHECK(moved >= 0);
  *at += (uint32_t)moved;
}

static void stream_take(uint8_t *ring, uint32_t *at, uint32_t most) {
  uint8_t bytes[STREAM];
  int32_t moved = adr_ring_take(ring, RING, CHUNK, *at, bytes, 0, most);
  CHECK(moved >= 0);
  for (uint32_t i = 0; i < (uint32_t)moved; i++) { CHECK_EQUAL(stream_byte(*at + i), bytes[i]); }
  *at += (uint32_t)moved;
}

/* Ranks that died before do this: they arrive at the barrier, do something for the victim, and die over it. */
static void enqueue_and_die(struct side *me) {
  CHECK_EQUAL(0, adr_channel_barrier_arrive(me->channel));
  push_up_to(me, VICTIM, MESSAGES);
}

static void give_and_die(struct side *me) {
  CHECK_EQUAL(0, adr_channel_barrier_arrive(me->channel));
  pull_all(me);
}

static phase_body *const enqueuer_phases[] = {enqueue_and_die};
static phase_body *const giver_phases[] = {give_and_die};

/* What it claims is a message as any other. */
static void claim(struct side *me, uint32_t to, bool commit) {
  uint32_t number = me->out[to].number, length = length_of(number);
  int64_t room = adr_channel_claim(me->channel, (int32_t)to, ADR_PIECE_FIRST, number, length, length);
  if (room == ADR_AGAIN) { return; }
  CHECK(room > 0);
  fill(job.segment.base + room, me->rank, to, number, length);
  if (!commit) {
    CHECK_EQUAL(0, adr_channel_abort(me->channel, (int32_t)to));
    return;
  }
  note_begun(me, to);
  CHECK_EQUAL(0, adr_channel_commit(me->channel, (int32_t)to));
  note_sent(me, to, ++me->out[to].number);
}

/* Whether a message that is one piece comes next: the longer one before it is sent, if there is room. */
static bool push_to_a_short_one(struct side *me, uint32_t to) {
  uint32_t number = me->out[to].number;
  push_up_to(me, to, number + (me->out[to].bytes > 0 || length_of(number) > SURVIVAL_PAYLOAD));
  return me->out[to].bytes == 0 && length_of(me->out[to].number) <= SURVIVAL_PAYLOAD;
}

/* The victim's script. */
static void begin(struct side *me) {
  job_open_box(&job, me->channel, VICTIM, DEAD_ENQUEUER);
  push_up_to(me, A, 3);
  push_up_to(me, B, 4);
  claim(me, B, false);
  claim(me, B, true);
  push_up_to(me, DEAD_GIVER, 3);
  push_up_to(me, DEAD_ENQUEUER, 2);
}

static void send_in_every_way(struct side *me) {
  for (uint32_t to = A; to <= B; to++) {
    push_up_to(me, to, me->out[to].number + 5);
    if (push_to_a_short_one(me, to)) {
      claim(me, to, false);
      claim(me, to, true);
    }
    CHECK_EQUAL(0, adr_channel_begin_burst(me->channel, (int32_t)to));
    me->in_burst = true;
    push_up_to(me, to, me->out[to].number + 5);
    CHECK_EQUAL(0, adr_channel_end_burst(me->channel, (int32_t)to));
    me->in_burst = false;
    note_sent(me, to, me->out[to].number);
  }
}

static void receive_and_bury(struct side *me) {
  if (variant == 2) { pull_all(me); }
  for (int i = 0; i < 3; i++) {
    reclaim(me);
    pull_all(me);
  }
  send_in_every_way(me);
}

static void go_on(struct side *me) {
  uint32_t stream_in = 0, stream_out = 0;
  for (int i = 0; i < 2; i++) {
    stream_put(streams->out, &stream_out, STREAM);
    stream_take(streams->in, &stream_in, STREAM);
  }
  pull_all(me);
  reclaim(me);
  CHECK_EQUAL(0, adr_channel_barrier_arrive(me->channel));
  for (int looks = 0; looks < 1100; looks++) { pull(me, A); } /* until its fastboxes count as idle */
  send_in_every_way(me);
}

/* Round the fastboxes' rings; as one that was about to sleep. */
static void send_more(struct side *me) {
  adr_channel_announce_sleep(me->channel); /* its word, or that there is none here: nobody sleeps in earnest */
  pull_all(me);
  CHECK_EQUAL(0, adr_channel_end_sleep(me->channel));
  for (int i = 0; i < 4; i++) { send_in_every_way(me); }
}

static phase_body *const victim_phases[] = {begin, receive_and_bury, go_on, send_more, send_more};
enum { VICTIM_PHASES = sizeof victim_phases / sizeof victim_phases[0] };

/* Once, between the victim's taking a mark away and its second look, a message comes. */
static void meddle_at_stop(enum adr_stop_point point) {
  if (point == ADR_STOP_idle_unmarked && traces->visits[VICTIM][point] == 1) { pause_for(victim, MEDDLE); }
}

static void send_a_line(void) {
  CHECK(a.channel->out[VICTIM].box.ring != NULL);
  while (length_of(a.out[VICTIM].number) != 8) { CHECK_EQUAL(1, push(&a, VICTIM)); }
  CHECK_EQUAL(1, push(&a, VICTIM));
}

/* Two cells that come before their turn, as in a queue that was put together again. */
static void send_out_of_order(void) {
  uint64_t cells[3];
  struct adr_outflow *out = &b.channel->out[VICTIM];
  for (int i = 0; i < 3; i++) {
    while (length_of(b.out[VICTIM].number) > SURVIVAL_PAYLOAD) { CHECK_EQUAL(1, push(&b, VICTIM)); }
    uint32_t number = b.out[VICTIM].number++, length = length_of(number);
    cells[i] = (uint64_t)adr_cell_pool_take(&job.view, &b.channel->pool, VICTIM);
    struct adr_cell *cell = adr_view_cell(&job.view, cells[i]);
    cell->match = number;
    cell->total_length = cell->length = length;
    cell->source = B;
    cell->kind = ADR_KIND_FIRST;
    cell->sequence = out->sequence++;
    fill((uint8_t *)(cell + 1), B, VICTIM, number, length);
  }
  static const int order[] = {1, 2, 0};
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL(0, adr_mpsc_enqueue(&job.view, out->receive_queue, b.channel->self, cells[order[i]]));
  }
}

static void survivors_step(void) {
  reclaim(&a);
  reclaim(&b);
  pull_all(&a);
  pull_all(&b);
}

static void survivors_send(uint32_t count) {
  for (uint32_t to = 0; to < SURVIVAL_RANKS; to++) {
    push_up_to(&a, to, count);
    push_up_to(&b, to, count);
  }
}

/* Has the victim do its next phase, if it is alive. */
static void order(const struct victim *it, enum reason *state) {
  if (*state == DEAD) { return; }
  while ((*state = victim_go_on(it)) == MEDDLE) { send_a_line(); }
}

/* `surely`: it gets to that point; not when the victim died before it gave it something to do. */
static void die_before(uint32_t rank, phase_body *const *phases, int point, bool surely) {
  struct victim it = victim_start(rank, (struct plan){point, 1, SIGKILL}, phases, 1);
  enum reason end = victim_go_on(&it);
  CHECK(end == DEAD || !surely);
  if (end != DEAD) { victim_kill(&it); }
  mark_dead(rank);
}

/* What the two leave: before a SWAP, between SWAP and link, after a link. */
static const int wrecks[][2] = {
    {ADR_STOP_enqueue_swapped, ADR_STOP_enqueue_intent},
    {ADR_STOP_enqueue_intent, ADR_STOP_enqueue_swapped},
    {ADR_STOP_enqueue_head, ADR_STOP_enqueue_head},
};
enum { VARIANTS = sizeof wrecks / sizeof wrecks[0] };

static void play(const struct victim *it, enum reason *state) {
  order(it, state);
  die_before(DEAD_ENQUEUER, enqueuer_phases, wrecks[variant][0], *state != DEAD);
  die_before(DEAD_GIVER, giver_phases, wrecks[variant][1], *state != DEAD);
  survivors_send(3);
  pull_all(&a);
  pull_all(&b);
  survivors_send(6);
  if (*state != DEAD) { send_out_of_order(); }
  order(it, state);
  CHECK_EQUAL(0, adr_channel_barrier_arrive(a.channel));
  CHECK_EQUAL(0, adr_channel_barrier_arrive(b.channel));
  survivors_step();
  stream_put(streams->in, &put, STREAM);
  survivors_send(9);
  order(it, state);
  stream_take(streams->out, &taken, STREAM);
  for (int phase = 3; phase < VICTIM_PHASES; phase++) {
    survivors_step();
    for (int looks = 0; looks < 1100; looks++) { pull(&a, -1); } /* until its fastboxes count as idle */
    if (*state != DEAD) { send_a_line(); } /* whose mark the victim takes away, about to sleep, and finds by a scan */
    adr_channel_announce_sleep(b.channel); /* so the victim wakes it */
    order(it, state);
    CHECK_EQUAL(0, adr_channel_end_sleep(b.channel));
  }
}

static void check_stream(void) {
  for (int i = 0; i < STEPS; i++) {
    stream_take(streams->out, &taken, STREAM);
    stream_put(streams->in, &put, STREAM);
  }
  CHECK(taken <= STREAM && put <= STREAM);
}

static void check_survivor(struct side *me, const struct side *other) {
  CHECK_EQUAL(MESSAGES, me->in[me->rank].number);
  CHECK_EQUAL(MESSAGES, me->in[other->rank].number);
  CHECK_EQUAL(0, adr_channel_bury_step(me->channel));
  check_heard_of(me, VICTIM);
  for (uint32_t rank = VICTIM; rank < SURVIVAL_RANKS; rank++) {
    CHECK_EQUAL(ADR_GONE, push(me, rank));
    CHECK(me->channel->in[rank].box.ring == NULL);
  }
  /* The victim came last, so it was the victim's to turn the signal over. */
  bool turned = traces->visits[VICTIM][ADR_STOP_barrier_turned] != 0;
  CHECK_EQUAL(turned ? 0 : ADR_AGAIN, adr_channel_barrier_wait(me->channel, 1));
  check_pool_is_full(me);
}

static void check_end(void) {
  for (int step = 0; step < STEPS; step++) {
    survivors_send(MESSAGES);
    survivors_step();
  }
  check_stream();
  check_survivor(&a, &b);
  check_survivor(&b, &a);
}

/* Returns whether the victim died as planned. */
static bool run_case(struct plan plan) {
  job = job_open_boxes(SURVIVAL_RANKS, CELLS, SURVIVAL_PAYLOAD, BOXES);
  memset(streams, 0, sizeof *streams);
  put = taken = 0;
  a = side_open(A);
  b = side_open(B);
  at_stop = meddle_at_stop;
  struct victim it = victim_start(VICTIM, plan, victim_phases, VICTIM_PHASES);
  at_stop = NULL;
  enum reason state = PHASE_OVER;
  play(&it, &state);
  bool died = state == DEAD;
  if (!died) { victim_kill(&it); }
  mark_dead(VICTIM);
  check_end();
  adr_channel_close(a.channel);
  adr_channel_close(b.channel);
  job_close(&job);
  return died;
}

static void run_point(int point, uint32_t visits) {
  uint32_t which[] = {1, 2, visits};
  for (int i = 0; i < 3; i++) {
    if (which[i] > visits || (i == 2 && visits <= 2)) { continue; }
    snprintf(case_name, sizeof case_name, "variant %d, visit %u of %u of %s", variant, which[i], visits,
             stop_name(point));
    CHECK(run_case((struct plan){point, which[i], SIGKILL}));
  }
}

static uint32_t total[ADR_STOP_COUNT];

static void run_variant(void) {
  uint32_t visits[ADR_STOP_COUNT];
  snprintf(case_name, sizeof case_name, "variant %d, to the end", variant);
  CHECK(!run_case(TO_THE_END));
  memcpy(visits, traces->visits[VICTIM], sizeof visits);
  for (int point = 0; point < ADR_STOP_REGIONS; point++) {
    total[point] += visits[point];
    run_point(point, visits[point]);
  }
}

static void check_all_were_visited(void) {
  int missing = 0;
  for (int point = 0; point < ADR_STOP_REGIONS; point++) {
    if (total[point] == 0) { fprintf(stderr, "no case reaches the stop point %s\n", stop_name(point)); }
    missing += total[point] == 0;
  }
  CHECK_EQUAL(0, missing);
}

int main(void) {
  traces_open();
  streams = mmap(NULL, sizeof *streams, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(streams != MAP_FAILED);
  atexit(name_the_case);
  for (variant = 0; variant < VARIANTS; variant++) { run_variant(); }
  case_name[0] = '\0';
  check_all_were_visited();
  printf("ok survivors_go_on_wherever_a_rank_dies: %d points\n", ADR_STOP_REGIONS);
  return 0;
}
