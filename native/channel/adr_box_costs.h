/* What messages of one size class cost by fastbox and by cells, and so which way they go: for one destination. Which is
 * the better way depends on the CPU, and on where the two CPUs lie. Twin of io.adrastea.core.pure.BoxCosts.
 *
 * Only messages that are likely to be waited for come here, those of a ping-pong: others of their length go by cells.
 * The sender alone finds out. From one such message to the next it waits for the receiver to read it and to answer, so
 * the time between the two has in it what the way costs, and all else is the same by both ways. Now and then a trial
 * sends blocks of messages by each way. The first messages of a block find cold caches and do not count. A block counts
 * only if nothing else was sent to that rank meanwhile. The best block of each way counts, which no preemption is in.
 *
 * The receiver may try the ways of its answers at the same time. Therefore the ranks of a pair go through the ways in
 * different orders, of blocks (box, cells, box, ...) and (box, box, cells, cells, ...): whatever the distance between
 * the two trials, each way of the one meets each way of the other.
 *
 * Trials become rarer as long as they confirm the way in use: over many messages they are less than one in a hundred.
 * The clock is read twice in a block, and never outside a trial. */
#pragma once

#include "base/adr_base.h"
#include "base/adr_clock.h"

enum {
  ADR_BOX_COSTS_FIRST = 256,   /* messages before the first trial, and behind one that changed the way */
  ADR_BOX_COSTS_MOST = 16384,  /* at most so many between two trials */
  ADR_BOX_COSTS_BLOCK = 16,    /* messages of a block */
  ADR_BOX_COSTS_SKIPPED = 8,   /* the first ones of it, which do not count */
  ADR_BOX_COSTS_BLOCKS = 8,    /* of a trial */
  ADR_BOX_COSTS_REPEATED = 16, /* blocks that a trial may begin anew, since something else was sent */
  ADR_BOX_COSTS_CLASSES = 4,   /* messages above ADR_BOX_STREAM bytes, and twice, four and eight times as many */
};

/* Private to the sender. */
struct adr_box_costs {
  uint32_t left;     /* messages until the next trial; 0: one is under way */
  uint32_t wait;     /* messages between the last trial and the next one */
  uint32_t step;     /* messages of the trial so far */
  uint32_t repeated; /* blocks that it began anew */
  bool by_cells;     /* the way in use */
  uint64_t next;     /* sequence number of the next message, when nothing else is sent before it */
  uint64_t begin;    /* nanoseconds, when the block began to count */
  uint64_t bytes;    /* of the messages of the block that count */
  uint64_t least[2]; /* nanoseconds per KiB of the best block by fastbox and by cells; 0: none yet */
};

static inline void adr_box_costs_open(struct adr_box_costs *costs) {
  costs->left = ADR_BOX_COSTS_FIRST;
  costs->wait = ADR_BOX_COSTS_FIRST;
}

/* The class of messages of `length` bytes, which are more than `stream`. */
static inline uint32_t adr_box_costs_class(uint32_t length, uint32_t stream) {
  uint32_t class = 31u - (uint32_t)__builtin_clz((length - 1) / stream);
  return class < ADR_BOX_COSTS_CLASSES ? class : ADR_BOX_COSTS_CLASSES - 1;
}

/* The next trial is far off when this one has told nothing new. */
static inline void adr_box_costs_wait(struct adr_box_costs *costs, uint32_t wait) {
  costs->wait = wait < ADR_BOX_COSTS_MOST ? wait : ADR_BOX_COSTS_MOST;
  costs->left = costs->wait;
  costs->step = 0;
  costs->repeated = 0;
  costs->least[0] = 0;
  costs->least[1] = 0;
}

/* Ends a trial: another way has to be better by a sixteenth to be taken. */
static inline void adr_box_costs_decide(struct adr_box_costs *costs) {
  uint64_t used = costs->least[costs->by_cells];
  uint64_t other = costs->least[!costs->by_cells];
  bool better = other * 16 < used * 15;
  costs->by_cells = better ? !costs->by_cells : costs->by_cells;
  adr_box_costs_wait(costs, better ? ADR_BOX_COSTS_FIRST : 2 * costs->wait);
}

/* Whether the block, a number of it, goes by cells. */
static inline bool adr_box_costs_of_block(uint32_t block, bool doubled) { return (block >> doubled & 1) != 0; }

/* Whether the next message of a trial goes by cells. Out of line, so that sends need few registers. */
static __attribute__((noinline)) bool adr_box_costs_try(struct adr_box_costs *costs, bool doubled, uint64_t sequence,
                                                        uint32_t length, uint32_t cell_payload) {
  if (costs->step != 0 && sequence != costs->next) { /* something else was sent: the block begins anew */
    costs->step = (costs->step - 1) / ADR_BOX_COSTS_BLOCK * ADR_BOX_COSTS_BLOCK;
    if (++costs->repeated > ADR_BOX_COSTS_REPEATED) {
      adr_box_costs_wait(costs, 2 * costs->wait);
      return costs->by_cells;
    }
  } else if (costs->step != 0 && costs->step % ADR_BOX_COSTS_BLOCK == 0) { /* a block is over, with its last answer */
    uint64_t cost = (((uint64_t)adr_clock_now() - costs->begin) << 10) / costs->bytes;
    uint64_t *least = &costs->least[adr_box_costs_of_block(costs->step / ADR_BOX_COSTS_BLOCK - 1, doubled)];
    if (*least == 0 || cost < *least) { *least = cost; }
    if (costs->step == ADR_BOX_COSTS_BLOCK * ADR_BOX_COSTS_BLOCKS) {
      adr_box_costs_decide(costs);
      return costs->by_cells;
    }
  }
  uint32_t at = costs->step % ADR_BOX_COSTS_BLOCK;
  if (at == ADR_BOX_COSTS_SKIPPED) {
    costs->begin = (uint64_t)adr_clock_now();
    costs->bytes = 0;
  }
  if (at >= ADR_BOX_COSTS_SKIPPED) { costs->bytes += length; }
  bool by_cells = adr_box_costs_of_block(costs->step++ / ADR_BOX_COSTS_BLOCK, doubled);
  costs->next = sequence + (by_cells ? (length + cell_payload - 1) / cell_payload : 1);
  return by_cells;
}

/* Whether the next message of this class goes by cells, not by fastbox; `doubled`: the rank goes through the ways in
 * the second order. */
static inline bool adr_box_costs_by_cells(struct adr_box_costs *costs, bool doubled, uint64_t sequence, uint32_t length,
                                          uint32_t cell_payload) {
  if (ADR_LIKELY(costs->left != 0)) {
    costs->left--;
    return costs->by_cells;
  }
  return adr_box_costs_try(costs, doubled, sequence, length, cell_payload);
}
