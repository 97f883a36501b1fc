#include "counts/adr_counts_cases.h"

#include <string.h>

#include "counts/adr_counts_job.h"
#include "queue/adr_mpsc_queue.h"
#include "segment/adr_geometry.h"

#define COUNTED __attribute__((noinline, noclone, used))

enum { RANKS = 2, MATCH = 7, MESSAGE_BYTES = 8, HELD_BACK = 2 };

/* The return alone: taken off what the others have. */
COUNTED int64_t counted_nothing(const struct adr_view *view, uint64_t queue, uint64_t cell);
COUNTED int64_t counted_enqueue(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self,
                                uint64_t cell);
COUNTED int64_t counted_dequeue(const struct adr_view *view, uint64_t queue);
COUNTED int32_t counted_send(adr_channel *channel, int32_t to, const uint64_t *message);
COUNTED int32_t counted_receive(adr_channel *channel, int32_t from, uint64_t *message, adr_inbound *inbound);
COUNTED int32_t counted_poll(adr_channel *channel, int32_t from, adr_inbound *inbound);
COUNTED int32_t counted_take(adr_channel *channel, uint64_t *message);

int64_t counted_nothing(const struct adr_view *view, uint64_t queue, uint64_t cell) {
  __asm__ __volatile__("" ::"r"(view), "r"(queue), "r"(cell));
  return 0;
}

int64_t counted_enqueue(const struct adr_view *view, uint64_t queue, struct adr_rank_entry *self, uint64_t cell) {
  return adr_mpsc_enqueue(view, queue, self, cell);
}

int64_t counted_dequeue(const struct adr_view *view, uint64_t queue) { return adr_mpsc_dequeue(view, queue); }

int32_t counted_send(adr_channel *channel, int32_t to, const uint64_t *message) {
  return adr_channel_try_send(channel, to, ADR_PIECE_FIRST, MATCH, MESSAGE_BYTES, message, 0, MESSAGE_BYTES);
}

int32_t counted_receive(adr_channel *channel, int32_t from, uint64_t *message, adr_inbound *inbound) {
  return adr_channel_receive(channel, MATCH, -1, from, message, 0, MESSAGE_BYTES, 1, inbound);
}

int32_t counted_poll(adr_channel *channel, int32_t from, adr_inbound *inbound) {
  return adr_channel_poll(channel, from, inbound);
}

int32_t counted_take(adr_channel *channel, uint64_t *message) {
  return adr_channel_take(channel, message, 0, MESSAGE_BYTES);
}

static void expect(const char *what, int64_t wanted, int64_t found) {
  if (wanted != found) { counts_fail(what, found); }
}

/* Cells in and out of a queue in which `before` others stay. */
static void run_queue(uint32_t times, uint32_t before) {
  struct counts_job job;
  uint64_t cells[HELD_BACK + 1];
  counts_job_open(&job, 1, HELD_BACK + 1, 64, (struct adr_box_settings){0});
  struct adr_view view = adr_view_of(job.segment.base);
  const struct adr_segment_header *header = adr_segment_header_of(&job.segment);
  uint64_t queue = adr_receive_queue_offset(header, 0);
  struct adr_rank_entry *self = adr_intent_of(&view, 0);
  for (uint32_t i = 0; i <= before; i++) {
    cells[i] = (uint64_t)adr_mpsc_dequeue(&view, adr_free_queue_offset(header, 0));
    if (i < before) { expect("enqueue", 0, adr_mpsc_enqueue(&view, queue, self, cells[i])); }
  }
  for (uint32_t i = 0; i < times; i++) {
    expect("nothing", 0, counted_nothing(&view, queue, cells[0]));
    expect("enqueue", 0, counted_enqueue(&view, queue, self, cells[(i + before) % (before + 1)]));
    expect("dequeue", (int64_t)cells[i % (before + 1)], counted_dequeue(&view, queue));
  }
  adr_segment_close(&job.segment);
}

static void receive(adr_channel *channel, int32_t from, uint64_t wanted, bool polls) {
  adr_inbound inbound;
  uint64_t message = 0;
  if (polls) {
    expect("poll", ADR_POLL_PIECE, counted_poll(channel, from, &inbound));
    expect("take", 0, counted_take(channel, &message));
  } else {
    expect("receive", MESSAGE_BYTES, counted_receive(channel, from, &message, &inbound));
  }
  expect("message", (int64_t)wanted, (int64_t)message);
}

/* Two ranks in turn send a message and receive it when it is there. */
static void run_channel(uint32_t times, bool boxes, bool polls) {
  struct counts_job job;
  adr_channel *channel[RANKS];
  struct adr_box_settings settings = ADR_BOX_DEFAULTS;
  if (!boxes) { settings = (struct adr_box_settings){0}; }
  counts_job_open(&job, RANKS, COUNTS_CELLS, COUNTS_PAYLOAD, settings);
  for (uint32_t rank = 0; rank < RANKS; rank++) { channel[rank] = counts_job_channel(&job, rank); }
  for (uint64_t i = 0; i < times; i++) {
    int32_t from = (int32_t)(i % RANKS);
    expect("nothing", 0, counted_nothing(NULL, 0, 0));
    expect("send", MESSAGE_BYTES, counted_send(channel[from], 1 - from, &i));
    receive(channel[1 - from], from, i, polls);
  }
  for (uint32_t rank = 0; rank < RANKS; rank++) { adr_channel_close(channel[rank]); }
  adr_segment_close(&job.segment);
}

bool counts_run_case(const char *name, uint32_t times) {
  static const struct {
    const char *name;
    bool queue;
    bool first; /* others are in the queue; there are fastboxes */
    bool polls;
  } cases[] = {
      {"queue-busy", true, true, false},          {"queue-empty", true, false, false},
      {"channel-queue", false, false, false},     {"channel-box", false, true, false},
      {"channel-queue-poll", false, false, true}, {"channel-box-poll", false, true, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (strcmp(name, cases[i].name) != 0) { continue; }
    if (cases[i].queue) {
      run_queue(times, cases[i].first ? HELD_BACK : 0);
    } else {
      run_channel(times, cases[i].first, cases[i].polls);
    }
    return true;
  }
  return false;
}
