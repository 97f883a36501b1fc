/* Sleeping and waking, see wait/adr_doorbell.h; giving a CPU to others; and two ranks that wait for each other avoid to
 * share a CPU. The core `java` has no futex, and cannot send a thread elsewhere; of the rest PureSleep is the twin. */
#include <errno.h>
#include <sched.h>

#include "affinity/adr_affinity.h"
#include "channel/adr_channel_state.h"
#include "ranktable/adr_rank_table.h"
#include "wait/adr_doorbell.h"
#include "wait/adr_waiter.h"

static struct adr_rank_entry *entry_of(const adr_channel *channel, uint32_t rank) {
  return adr_rank_table_entry(channel->view.base, rank);
}

/* Takes the marks of all fastboxes away: the next message in each finds its mark missing, and its sender checks whether
 * this rank sleeps. So those whose mark is there need not. A mark without a fastbox is a wish for one, and stays. */
static void take_marks(adr_channel *channel) {
  uint32_t words = (channel->rank_count + 63) / 64;
  for (uint32_t word = 0; word < words; word++) {
    if (channel->opened[word] != 0) {
      /* SYNC box-active: acq_rel, a read-modify-write so that rings of others are not lost; what they marked is found
       * by the scan that follows. Also where no mark is set: a rank that sets one after this sees that this rank
       * sleeps. */
      adr_and_acq_rel_u64(&channel->active[word], ~channel->opened[word]);
      ADR_STOP(sleep_unmarked);
    }
  }
}

/* A rank that sleeps has tried for long enough to put a message into a full fastbox: in its last try it goes by
 * cell. */
static void end_tries(adr_channel *channel) {
  for (uint32_t rank = 0; rank < channel->rank_count; rank++) {
    struct adr_outflow *out = &channel->out[rank];
    out->full = out->full == 0 ? 0 : ADR_BOX_TRIES;
  }
}

/* Whether every rank fences what it gives. */
static bool is_fenced(adr_channel *channel) {
  while (channel->fenced < channel->rank_count && adr_doorbell_is_fenced(entry_of(channel, channel->fenced))) {
    channel->fenced++;
  }
  return channel->fenced == channel->rank_count;
}

static int pass_barrier(adr_channel *channel) {
  if (!is_fenced(channel)) { return adr_doorbell_barrier(); }
  /* SYNC doorbell-fenced: puts what was announced before the last check; every ringer has the like between its gift and
   * its check. */
  adr_full_fence();
  return 0;
}

int64_t adr_channel_announce_sleep(adr_channel *channel) {
  end_tries(channel);
  channel->scan_at = channel->polls; /* the next poll of fastboxes is a scan of all */
  uint32_t word = adr_doorbell_announce(entry_of(channel, channel->rank));
  take_marks(channel); /* not before: a mark set in between would stay, and nobody ring for what comes after it */
  int status = pass_barrier(channel);
  return status < 0 ? status : (int64_t)word;
}

int32_t adr_channel_end_sleep(adr_channel *channel) {
  adr_doorbell_end_sleep(entry_of(channel, channel->rank));
  return 0;
}

int32_t adr_channel_wake(adr_channel *channel, int32_t rank) {
  if ((uint32_t)rank >= channel->rank_count) { return ADR_INVALID; }
  adr_doorbell_ring(entry_of(channel, (uint32_t)rank));
  return 0;
}

/* Relaxed, here and there: a CPU that is not right any more costs a turn of waiting, or a move for nothing. */
static int32_t tell_cpu(struct adr_rank_entry *entry) {
  int32_t cpu = sched_getcpu();
  uint32_t running = (uint32_t)(cpu + 1); /* 0 where it cannot be told */
  if (adr_load_relaxed_u32(&entry->running_cpu) != running) { adr_store_relaxed_u32(&entry->running_cpu, running); }
  return cpu;
}

static void note_giving_way(struct adr_rank_entry *entry, int64_t time) {
  tell_cpu(entry);
  /* Relaxed, as all of these: what is wrong in them costs a wait that yields where it would better sleep, or the other
   * way round. */
  adr_store_relaxed_u64(&entry->gave_way, (uint64_t)time);
}

int32_t adr_channel_sleep(void *base, int32_t rank, int64_t word, int64_t nanos) {
  struct adr_rank_entry *entry = adr_rank_table_entry(base, (uint32_t)rank);
  note_giving_way(entry, adr_clock_now());
  return adr_doorbell_sleep(entry, (uint32_t)word, nanos);
}

int32_t adr_channel_enable_sender_fence(adr_channel *channel) {
  channel->fences = true;
  adr_doorbell_enable_fence(entry_of(channel, channel->rank));
  for (uint32_t rank = 0; rank < channel->rank_count; rank++) { adr_channel_allow_lines(channel, &channel->out[rank]); }
  return 0;
}

int32_t adr_channel_prepare_to_wake(void) { return adr_doorbell_prepare(); }

int32_t adr_channel_give_way(void *base, int32_t rank, int64_t now) {
  note_giving_way(adr_rank_table_entry(base, (uint32_t)rank), now);
  sched_yield();
  return 0;
}

int32_t adr_channel_works_until(void *base, int32_t rank, int64_t time) {
  note_giving_way(adr_rank_table_entry(base, (uint32_t)rank), time);
  return 0;
}

int32_t adr_channel_was_given_way(void *base, int32_t rank, int32_t ranks, int64_t since) {
  const int32_t cpu = sched_getcpu();
  if (cpu < 0) { return -ENOSYS; }
  for (int32_t other = 0; other < ranks; other++) {
    const struct adr_rank_entry *entry = adr_rank_table_entry(base, (uint32_t)other);
    if (other != rank && (int64_t)adr_load_relaxed_u64(&entry->gave_way) - since >= 0
        && adr_load_relaxed_u32(&entry->running_cpu) == (uint32_t)cpu + 1) {
      return 1;
    }
  }
  return 0;
}

/* Whether a rank was pinned to one CPU when it joined. */
static bool is_pinned(const struct adr_rank_entry *entry) {
  return (int32_t)adr_load_once_u32((const uint32_t *)&entry->cpu) >= 0;
}

/* Whether a rank can go to another CPU. */
static bool can_move(const struct adr_rank_entry *entry) {
  return !is_pinned(entry) && adr_load_once_u32(&entry->core) != ADR_CORE_JAVA;
}

int32_t adr_channel_avoid_shared_cpu(void *base, int32_t rank, int32_t other) {
  struct adr_rank_entry *entry = adr_rank_table_entry(base, (uint32_t)rank);
  const struct adr_rank_entry *others = adr_rank_table_entry(base, (uint32_t)other);
  int32_t cpu = tell_cpu(entry);
  if (cpu < 0) { return -ENOSYS; }
  bool goes = !is_pinned(entry) && (rank > other || !can_move(others)); /* one of the two, not both */
  if (!goes || adr_load_relaxed_u32(&others->running_cpu) != (uint32_t)cpu + 1) { return 0; }
  int32_t left = adr_affinity_leave(cpu);
  tell_cpu(entry);
  return left;
}
