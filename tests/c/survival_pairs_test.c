/* Two victims that meet each other's wreck: both enqueue to a survivor and give cells back to it, and one sends to the
 * other. The first stops at a point, the second dies at a point, living ranks go on between; then the first dies too,
 * or lives on. Every pair of points of an enqueue, in each of the three queues. */
#include "survival.h"

enum { READER, WRITER, FIRST, SECOND, RANKS, CELLS = 16, EACH = 2 };

static struct side reader, writer;

static const int points[] = {
    ADR_STOP_enqueue_begin,     ADR_STOP_enqueue_next,   ADR_STOP_intent_queue,
    ADR_STOP_intent_generation, ADR_STOP_enqueue_intent, ADR_STOP_enqueue_swapped,
    ADR_STOP_enqueue_linked,    ADR_STOP_enqueue_head,   ADR_STOP_enqueue_cleared,
};
enum { POINTS = sizeof points / sizeof points[0] };
static uint32_t first_stopped[ADR_STOP_COUNT], second_died[ADR_STOP_COUNT];

/* Enqueues to the other victim, to the reader, to the free queues of both survivors. */
static void live(struct side *me) {
  push_up_to(me, FIRST + SECOND - me->rank, 1);
  push_up_to(me, READER, EACH);
  for (int i = 0; i < 2 * EACH; i++) { pull(me, -1); }
  push_up_to(me, WRITER, EACH);
  pull_all(me);
  push_up_to(me, READER, 2 * EACH);
}

static phase_body *const phases[] = {live};

static void survivors_send(uint32_t count) {
  for (uint32_t to = 0; to < RANKS; to++) {
    push_up_to(&reader, to, count);
    push_up_to(&writer, to, count);
  }
}

static void survivors_step(void) {
  reclaim(&reader);
  reclaim(&writer);
  pull_all(&reader);
  pull_all(&writer);
}

/* Whether the reader has its cells that the second has: it must not while the first, alive, may still write to one. */
static void check_nothing_is_swept_too_soon(const struct plan *first) {
  struct adr_rank_entry *entry = adr_rank_table_entry(job.segment.base, FIRST);
  bool inside = adr_load_relaxed_u64(&entry->intent_cell) != 0
                && adr_load_relaxed_u64(&entry->intent_queue) == adr_receive_queue_offset(job_header(&job), SECOND);
  if (inside) { CHECK(reader.channel->out[SECOND].burial == ADR_BURIAL_POISONED); }
  if (first->point == ADR_STOP_enqueue_swapped && first->visit == 1) { CHECK(inside); }
}

static void check_gone(struct side *me, uint32_t rank) {
  CHECK_EQUAL(ADR_BURIAL_DONE, me->channel->out[rank].burial);
  CHECK_EQUAL(ADR_GONE, push(me, rank));
  CHECK_EQUAL(ADR_GONE, adr_channel_claim(me->channel, (int32_t)rank, ADR_PIECE_FIRST, 0, 8, 8));
}

static void check_end(void) {
  for (int step = 0; step < 4; step++) {
    survivors_send(3 * EACH);
    survivors_step();
  }
  struct side *survivors[] = {&reader, &writer};
  for (int i = 0; i < 2; i++) {
    for (uint32_t from = 0; from < FIRST; from++) { CHECK_EQUAL(3 * EACH, survivors[i]->in[from].number); }
    for (uint32_t rank = FIRST; rank < RANKS; rank++) {
      check_heard_of(survivors[i], rank);
      check_gone(survivors[i], rank);
    }
    check_pool_is_full(survivors[i]);
  }
}

/* `reads`: the survivors take in what comes between the steps, so queues are empty more often. */
static void run_case(struct plan first_plan, struct plan second_plan, bool lives_on, bool reads) {
  job = job_open(RANKS, CELLS, SURVIVAL_PAYLOAD);
  reader = side_open(READER);
  writer = side_open(WRITER);
  survivors_send(EACH);
  struct victim first = victim_start(FIRST, first_plan, phases, 1);
  struct victim second = victim_start(SECOND, second_plan, phases, 1);
  enum reason where = victim_go_on(&first);
  if (reads) { survivors_step(); }
  survivors_send(2 * EACH);
  enum reason end = victim_go_on(&second);
  first_stopped[first_plan.point] += where == STOPPED;
  second_died[second_plan.point] += end == DEAD;
  if (end != DEAD) { victim_kill(&second); }
  if (reads) { survivors_step(); }
  survivors_send(3 * EACH);
  if (!lives_on) {
    victim_kill(&first);
    mark_dead(FIRST);
  }
  mark_dead(SECOND);
  for (int step = 0; step < 3; step++) { survivors_step(); }
  if (lives_on) {
    check_nothing_is_swept_too_soon(&first_plan);
    if (where == STOPPED) { CHECK_EQUAL(PHASE_OVER, victim_go_on(&first)); }
    CHECK_EQUAL(DEAD, victim_go_on(&first)); /* it leaves */
  }
  check_end();
  adr_channel_close(reader.channel);
  adr_channel_close(writer.channel);
  job_close(&job);
}

static void run_pairs(bool lives_on) {
  static const uint32_t visits[] = {1, 2, 5};
  for (int i = 0; i < POINTS * 3; i++) {
    for (int k = 0; k < POINTS * 3; k++) {
      struct plan first = {points[i / 3], visits[i % 3], SIGSTOP};
      struct plan second = {points[k / 3], visits[k % 3], SIGKILL};
      snprintf(case_name, sizeof case_name, "first at %s %u, second at %s %u, lives on %d", stop_name(first.point),
               first.visit, stop_name(second.point), second.visit, lives_on);
      run_case(first, second, lives_on, (i + k) % 2 == 0);
    }
  }
}

/* Otherwise this tests less than it says. */
static void check_all_were_visited(void) {
  for (int i = 0; i < POINTS; i++) {
    if (first_stopped[points[i]] == 0 || second_died[points[i]] == 0) {
      fprintf(stderr, "never at %s\n", stop_name(points[i]));
    }
    CHECK(first_stopped[points[i]] > 0 && second_died[points[i]] > 0);
  }
}

int main(void) {
  traces_open();
  atexit(name_the_case);
  run_pairs(false);
  printf("ok survivors_go_on_when_two_have_died\n");
  run_pairs(true);
  printf("ok survivors_go_on_when_one_has_died_and_one_stood_still\n");
  case_name[0] = '\0';
  check_all_were_visited();
  return 0;
}
