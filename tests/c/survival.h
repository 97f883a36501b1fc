/* Ranks that die, or stop for a while, at the stop points of the C core (base/adr_stop.h), for the tests survival_*.
 *
 * Victims are processes; they do one phase of their script after the other, as told, and kill or stop themselves where
 * the plan says. The survivors are ranks of the test itself. Only one of all these runs at a time, so a case goes the
 * same way every time, and everything is bounded in steps: no clock decides. */
#pragma once

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel/adr_channel_state.h"
#include "job.h"
#include "ranktable/adr_rank_table.h"
#include "stop_name.h"

enum { SURVIVAL_RANKS = 5, SURVIVAL_PAYLOAD = 128, SURVIVAL_MOST = 3 * SURVIVAL_PAYLOAD };

/* Where a victim's way ends. */
struct plan {
  int point;      /* enum adr_stop_point; -1: nowhere */
  uint32_t visit; /* the first is 1 */
  int signal;     /* SIGKILL or SIGSTOP */
};

static const struct plan TO_THE_END = {.point = -1};

/* Why a victim does nothing now. */
enum reason { PHASE_OVER, STOPPED /* by its plan */, MEDDLE /* it wants the survivors to do something */, DEAD };

/* What victims leave behind: shared by all processes. */
struct traces {
  enum reason why[SURVIVAL_RANKS];
  uint32_t visits[SURVIVAL_RANKS][ADR_STOP_COUNT];
  uint32_t begun[SURVIVAL_RANKS][SURVIVAL_RANKS]; /* messages, by source and destination */
  uint32_t sent[SURVIVAL_RANKS][SURVIVAL_RANKS];
};

/* A rank: a survivor, or in a victim the victim itself. */
struct side {
  adr_channel *channel;
  uint32_t rank;
  bool in_burst;         /* what it sends need not show yet */
  uint64_t random_stops; /* for survival_stress: stop points until it dies */
  struct {
    uint32_t number; /* of the message under way */
    uint32_t bytes;  /* sent of it */
  } out[SURVIVAL_RANKS];
  struct {
    uint32_t number;
    uint32_t bytes;
    bool open;
  } in[SURVIVAL_RANKS];
  adr_inbound held[2];
  uint32_t retained_count;
};

static struct traces *traces;
static struct job job;
static _Thread_local struct plan my_plan; /* of a victim */
static _Thread_local struct side *victim; /* in its own process, or thread */
static _Thread_local bool is_victim;
static void (*at_stop)(enum adr_stop_point point); /* what a victim does at a point, beside dying */

void adr_stop(enum adr_stop_point point) {
  if (!is_victim) { return; }
  uint32_t visit = ++traces->visits[victim->rank][point];
  if (at_stop != NULL) { at_stop(point); }
  if ((int)point == my_plan.point && visit == my_plan.visit) {
    traces->why[victim->rank] = STOPPED;
    raise(my_plan.signal);
  }
}

/* Every message is known by its source, destination and number. */
static inline uint32_t length_of(uint32_t number) {
  static const uint32_t lengths[] = {8, 40, SURVIVAL_MOST, 0, 24, 8, 100, SURVIVAL_PAYLOAD};
  return lengths[number % 8];
}

static inline uint8_t byte_of(uint32_t source, uint32_t destination, uint32_t number, uint32_t at) {
  return (uint8_t)(1 + source * 31 + destination * 7 + number * 13 + at * (1 + number % 5));
}

static inline void fill(uint8_t *bytes, uint32_t source, uint32_t destination, uint32_t number, uint32_t length) {
  for (uint32_t at = 0; at < length; at++) { bytes[at] = byte_of(source, destination, number, at); }
}

static inline struct side side_open(uint32_t rank) {
  struct side side = {.rank = rank, .channel = adr_channel_open(job.segment.base, (int32_t)rank)};
  CHECK(side.channel != NULL);
  return side;
}

static inline void note_sent(struct side *me, uint32_t to, uint32_t number) {
  if (is_victim && !me->in_burst) { traces->sent[me->rank][to] = number; }
}

static inline void note_begun(struct side *me, uint32_t to) {
  if (is_victim) { traces->begun[me->rank][to] = me->out[to].number + 1; }
}

/* Sends one piece: 1, 0 (no room) or ADR_GONE. */
static inline int push(struct side *me, uint32_t to) {
  uint8_t bytes[SURVIVAL_MOST];
  uint32_t number = me->out[to].number, sent = me->out[to].bytes, length = length_of(number);
  fill(bytes, me->rank, to, number, length);
  note_begun(me, to);
  int32_t taken = adr_channel_try_send(me->channel, (int32_t)to, sent == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT, number,
                                       length, bytes, sent, length - sent);
  if (taken < 0) {
    CHECK(taken == ADR_AGAIN || taken == ADR_GONE);
    return taken == ADR_GONE ? taken : 0;
  }
  me->out[to].bytes += (uint32_t)taken;
  if (me->out[to].bytes == length) {
    me->out[to].bytes = 0;
    note_sent(me, to, ++me->out[to].number);
  }
  return 1;
}

/* Sends whole messages until `count` are sent in all, or there is no room. */
static inline void push_up_to(struct side *me, uint32_t to, uint32_t count) {
  while (me->out[to].number < count && push(me, to) == 1) {}
}

/* A wish for a fastbox: those of odd ranks are refused. */
static inline void serve_box(struct side *me, uint32_t source) {
  if (source % 2 == 1) {
    CHECK_EQUAL(0, adr_channel_refuse_box(me->channel, (int32_t)source));
  } else {
    job_open_box(&job, me->channel, me->rank, source);
  }
}

/* Checks a piece: that it is the next one of its source, and its bytes. */
static inline void check_piece(struct side *me, const adr_inbound *piece) {
  uint32_t from = (uint32_t)piece->source;
  CHECK(from < SURVIVAL_RANKS);
  uint32_t number = me->in[from].number;
  CHECK_EQUAL(me->in[from].open ? ADR_PIECE_NEXT : ADR_PIECE_FIRST, piece->kind);
  CHECK_EQUAL(number, piece->match);
  CHECK_EQUAL(length_of(number), piece->total_length);
  CHECK(me->in[from].bytes + piece->length <= length_of(number));
  const uint8_t *bytes = job.segment.base + piece->payload;
  for (uint32_t at = 0; at < piece->length; at++) {
    CHECK_EQUAL(byte_of(from, me->rank, number, me->in[from].bytes + at), bytes[at]);
  }
}

static inline void note_piece(struct side *me, const adr_inbound *piece) {
  uint32_t from = (uint32_t)piece->source;
  me->in[from].bytes += (uint32_t)piece->length;
  me->in[from].open = me->in[from].bytes < length_of(me->in[from].number);
  if (!me->in[from].open) {
    me->in[from].number++;
    me->in[from].bytes = 0;
  }
}

/* Gives back what is held, the last one first. */
static inline void give_all(struct side *me) {
  while (me->retained_count > 0) {
    const adr_inbound *held = &me->held[--me->retained_count];
    CHECK_EQUAL(0, adr_channel_release_retained(me->channel, (int32_t)held->source, held->place));
  }
}

/* Every third piece is held for a while. */
static inline void end_piece(struct side *me, const adr_inbound *piece) {
  if (piece->sequence % 3 == 1 && me->retained_count < 2 && adr_channel_retain(me->channel) == 0) {
    me->held[me->retained_count++] = *piece;
  } else {
    CHECK_EQUAL(0, adr_channel_release(me->channel));
  }
}

/* Takes in a piece, or serves a wish: 1; 0: there is nothing. */
static inline int pull(struct side *me, int32_t first) {
  adr_inbound piece;
  int32_t status = adr_channel_poll(me->channel, first, &piece);
  if (status == ADR_POLL_WANTED) {
    serve_box(me, (uint32_t)piece.source);
    return 1;
  }
  if (status == ADR_AGAIN) { return 0; }
  CHECK_EQUAL(ADR_POLL_PIECE, status);
  check_piece(me, &piece);
  note_piece(me, &piece);
  end_piece(me, &piece);
  if (me->retained_count == 2) { give_all(me); }
  return 1;
}

static inline void pull_all(struct side *me) {
  while (pull(me, -1) == 1) {}
  give_all(me);
  pull(me, -1); /* the cell taken last goes back */
}

/* -EAGAIN: a rank that lives is between its SWAP and its link just now. */
static inline void reclaim(struct side *me) {
  int32_t status = adr_channel_reclaim(me->channel);
  CHECK(status >= 0 || status == -EAGAIN);
}

/* A process that is to die. */
struct victim {
  pid_t pid;
  uint32_t rank;
};

typedef void phase_body(struct side *me);

/* Stops the victim until it is told to go on. */
static inline void pause_for(struct side *me, enum reason why) {
  traces->why[me->rank] = why;
  raise(SIGSTOP);
}

static inline _Noreturn void victim_live(uint32_t rank, struct plan plan, phase_body *const *phases, int count) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct side me = side_open(rank);
  is_victim = true;
  my_plan = plan;
  victim = &me;
  for (int phase = 0; phase < count; phase++) {
    pause_for(&me, PHASE_OVER);
    phases[phase](&me);
  }
  pause_for(&me, PHASE_OVER);
  my_plan = TO_THE_END;
  adr_channel_close(me.channel);
  adr_rank_table_depart(job.segment.base, rank, ADR_RANK_LEFT);
  _exit(0);
}

/* Where a victim stands now: PHASE_OVER, or the reason that it gave; DEAD. */
static inline enum reason victim_await(const struct victim *it) {
  int status;
  CHECK_EQUAL(it->pid, waitpid(it->pid, &status, WUNTRACED));
  if (WIFSTOPPED(status)) { return traces->why[it->rank]; }
  CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0); /* no check of its own failed */
  return DEAD;
}

/* Starts the process that is to be `rank`; it waits for its first order. */
static inline struct victim victim_start(uint32_t rank, struct plan plan, phase_body *const *phases, int count) {
  memset(traces->visits[rank], 0, sizeof traces->visits[rank]);
  memset(traces->begun[rank], 0, sizeof traces->begun[rank]);
  memset(traces->sent[rank], 0, sizeof traces->sent[rank]);
  fflush(stdout);
  struct victim it = {fork(), rank};
  CHECK(it.pid >= 0);
  if (it.pid == 0) { victim_live(rank, plan, phases, count); }
  CHECK_EQUAL(PHASE_OVER, victim_await(&it));
  return it;
}

/* Has it do its next phase, or go on where it stopped; after the last phase it leaves in order. */
static inline enum reason victim_go_on(const struct victim *it) {
  CHECK_EQUAL(0, kill(it->pid, SIGCONT));
  return victim_await(it);
}

/* Kills it where it stands. */
static inline void victim_kill(const struct victim *it) {
  CHECK_EQUAL(0, kill(it->pid, SIGKILL));
  CHECK_EQUAL(DEAD, victim_await(it));
}

/* What ranks do that find it dead: it does nothing any more. */
static inline void mark_dead(uint32_t rank) { adr_rank_table_depart(job.segment.base, rank, ADR_RANK_FAILED); }

/* All cells of a rank are at hand, and all are accounted for. */
static inline void check_pool_is_full(struct side *me) {
  struct adr_cell_pool *pool = &me->channel->pool;
  CHECK_EQUAL(0, adr_cell_pool_reclaim(&job.view, pool));
  CHECK_EQUAL(pool->cell_count, pool->spare_count);
  CHECK_EQUAL(pool->cell_count - pool->share * pool->rank_count, pool->common);
  for (uint32_t rank = 0; rank < pool->rank_count; rank++) { CHECK_EQUAL(0, pool->in_flight[rank]); }
  bool *seen = calloc(pool->cell_count, sizeof *seen);
  for (uint32_t at = 0; at < pool->cell_count; at++) {
    uint64_t index = (pool->spare[at] - pool->own_low) / job_header(&job)->cell_stride;
    CHECK(index < pool->cell_count && !seen[index]);
    seen[index] = true;
  }
  free(seen);
}

/* All that a dead rank had sent before its death came, and nothing twice; what it was about to send may have come. */
static inline void check_heard_of(const struct side *me, uint32_t dead) {
  CHECK(me->in[dead].number >= traces->sent[dead][me->rank]);
  CHECK(me->in[dead].number <= traces->begun[dead][me->rank]);
}

static inline void traces_open(void) {
  traces = mmap(NULL, sizeof *traces, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(traces != MAP_FAILED);
}
