#include "queue/adr_queue_repair.h"

/* A cell that a dead rank's intent names. */
struct suspect {
  uint64_t cell;
  uint64_t last; /* of the run that begins with it, when it begins one */
  bool reached;  /* by a run that begins elsewhere */
};

/* A queue under repair. */
struct wreck {
  const struct adr_view *view;
  uint64_t queue;
  struct adr_mpsc_queue *q;
  uint64_t cells; /* of the job: no run is longer */
  uint64_t tail;  /* T */
  uint32_t count;
  uint32_t tail_run; /* the suspect whose run T is in; `count`: none */
  struct suspect suspects[ADR_MAX_LOCAL_RANKS];
};

bool adr_queue_is_quiet(const struct adr_view *view, uint64_t queue, uint32_t rank, uint32_t ranks,
                        const struct adr_gone *gone) {
  for (uint32_t other = 0; other < ranks; other++) {
    if (other == rank || adr_gone_has(gone, other)) { continue; }
    const struct adr_rank_entry *entry = adr_intent_of(view, other);
    int checks = 0; /* a busy rank is between two enqueues soon */
    while (adr_intent_stands(entry, queue)) {
      if (++checks == ADR_LINK_SPINS) { return false; }
      adr_cpu_pause();
    }
  }
  return true;
}

/* Whether an enqueue of `cell` that a dead rank was in may not be complete: the cell has not left the queue since. */
static bool is_open(const struct wreck *wreck, const struct adr_rank_entry *entry, uint64_t cell) {
  uint64_t generation = adr_load_relaxed_u64(&adr_view_cell(wreck->view, cell)->generation);
  return adr_load_relaxed_u64(&entry->intent_generation) == generation;
}

/* Enters a cell that has not left the queue since. Returns 0, or ADR_CORRUPT: another rank's intent names it too. */
static int suspect(struct wreck *wreck, uint64_t cell) {
  for (uint32_t i = 0; i < wreck->count; i++) {
    if (wreck->suspects[i].cell == cell) { return ADR_CORRUPT; }
  }
  wreck->suspects[wreck->count++] = (struct suspect){.cell = cell};
  return 0;
}

/* Finds the cells of dead intents; those of enqueues that are over are cleared. Returns 0 or ADR_CORRUPT. */
static int collect(struct wreck *wreck, uint32_t ranks, const struct adr_gone *gone) {
  for (uint32_t rank = 0; rank < ranks; rank++) {
    struct adr_rank_entry *entry = adr_intent_of(wreck->view, rank);
    if (!adr_gone_has(gone, rank) || !adr_intent_stands(entry, wreck->queue)) { continue; }
    uint64_t cell = adr_load_relaxed_u64(&entry->intent_cell);
    if (!adr_view_holds(wreck->view, cell)) { return ADR_CORRUPT; }
    if (!is_open(wreck, entry, cell)) {
      adr_intent_clear(entry);
      ADR_STOP(repair_over);
    } else if (suspect(wreck, cell) < 0) {
      return ADR_CORRUPT;
    }
  }
  return 0;
}

static void mark_reached(struct wreck *wreck, uint64_t cell) {
  for (uint32_t i = 0; i < wreck->count; i++) { wreck->suspects[i].reached |= wreck->suspects[i].cell == cell; }
}

/* Walks a run from `cell` to its end, or to T, and marks the suspects behind the first cell. Returns its last cell or
 * ADR_CORRUPT. */
static int64_t walk(struct wreck *wreck, uint64_t cell) {
  for (uint64_t steps = 0; steps < wreck->cells; steps++) {
    if (!adr_view_holds(wreck->view, cell)) { return ADR_CORRUPT; }
    /* SYNC queue-link: acquire, pairs with the enqueuer's release of `next`. */
    uint64_t next = cell == wreck->tail ? 0 : adr_load_acquire_u64(&adr_view_cell(wreck->view, cell)->next);
    if (next == 0) { return (int64_t)cell; }
    mark_reached(wreck, next);
    cell = next;
  }
  return ADR_CORRUPT; /* it goes in a circle */
}

/* The cell that the dequeuer is at; 0: it has none. */
static uint64_t first_of(const struct wreck *wreck) {
  uint64_t shadow = adr_load_relaxed_u64(&wreck->q->shadow_head); /* relaxed: the dequeuer's own */
  /* SYNC queue-link: acquire, pairs with the release of `head` by the enqueuer onto the empty queue. */
  return shadow != 0 ? shadow : adr_load_acquire_u64(&wreck->q->head);
}

/* Walks the run that the dequeuer is at. Returns its last cell; 0: there is no such run; or ADR_CORRUPT. */
static int64_t walk_first(struct wreck *wreck) {
  uint64_t first = first_of(wreck);
  if (first == 0) { return 0; }
  mark_reached(wreck, first);
  return walk(wreck, first);
}

/* Walks the runs that begin with suspects. */
static int walk_others(struct wreck *wreck) {
  wreck->tail_run = wreck->count;
  for (uint32_t i = 0; i < wreck->count; i++) {
    struct suspect *suspect = &wreck->suspects[i];
    if (suspect->reached) { continue; /* by a run walked before; one that is reached later is found out below */ }
    int64_t last = walk(wreck, suspect->cell);
    if (last < 0) { return (int)last; }
    suspect->last = (uint64_t)last;
  }
  for (uint32_t i = 0; i < wreck->count; i++) {
    if (!wreck->suspects[i].reached && wreck->suspects[i].last == wreck->tail) { wreck->tail_run = i; }
  }
  return 0;
}

/* Links the run that begins with `cell` behind that which ends with `last`; 0: before all others. */
static void chain_one(struct wreck *wreck, uint64_t last, uint64_t cell) {
  if (last != 0) {
    /* SYNC queue-link: release, as an enqueuer's; read by this rank alone. */
    adr_store_release_u64(&adr_view_cell(wreck->view, last)->next, cell);
  } else {
    adr_store_relaxed_u64(&wreck->q->shadow_head, cell); /* `head` is null: the rank that found `tail` null is dead */
  }
  ADR_STOP(repair_chained);
}

/* T is not in the run that ends with `last`: chains all runs, that with T at the end. */
static int chain(struct wreck *wreck, uint64_t last) {
  if (wreck->tail_run == wreck->count) { return ADR_CORRUPT; }
  for (uint32_t i = 0; i < wreck->count; i++) {
    const struct suspect *suspect = &wreck->suspects[i];
    if (!suspect->reached && i != wreck->tail_run) {
      chain_one(wreck, last, suspect->cell);
      last = suspect->last;
    }
  }
  chain_one(wreck, last, wreck->suspects[wreck->tail_run].cell);
  return 0;
}

/* Nothing is missing up to T: puts in what was never SWAPped. */
static int append_rest(struct wreck *wreck, uint32_t rank) {
  struct adr_rank_entry *self = adr_intent_of(wreck->view, rank);
  int status = 0;
  for (uint32_t i = 0; i < wreck->count && status == 0; i++) {
    if (!wreck->suspects[i].reached) {
      status = adr_mpsc_enqueue(wreck->view, wreck->queue, self, wreck->suspects[i].cell);
      ADR_STOP(repair_appended);
    }
  }
  return status;
}

/* The dequeuer alone clears intents of the dead on its queue; a rank has one intent only. */
static void clear_all(const struct wreck *wreck, uint32_t ranks, const struct adr_gone *gone) {
  for (uint32_t rank = 0; rank < ranks; rank++) {
    struct adr_rank_entry *entry = adr_intent_of(wreck->view, rank);
    if (adr_gone_has(gone, rank) && adr_intent_stands(entry, wreck->queue)) {
      adr_intent_clear(entry);
      ADR_STOP(repair_cleared);
    }
  }
}

int adr_queue_repair(const struct adr_view *view, uint64_t queue, uint32_t rank, uint32_t ranks, uint64_t cells,
                     const struct adr_gone *gone) {
  struct wreck wreck = {.view = view, .queue = queue, .q = adr_mpsc_at(view, queue), .cells = cells};
  int status = collect(&wreck, ranks, gone);
  if (status < 0 || wreck.count == 0) { return status; }
  /* SYNC queue-tail: acquire, pairs with the enqueuers' SWAPs, all of them up to this one; so the intents of ranks that
   * are between SWAP and link are seen below. */
  wreck.tail = adr_load_acquire_u64(&wreck.q->tail);
  if (!adr_queue_is_quiet(view, queue, rank, ranks, gone)) { return ADR_AGAIN; }
  int64_t last = walk_first(&wreck);
  status = last < 0 ? (int)last : walk_others(&wreck);
  if (status == 0) {
    bool sound = wreck.tail == 0 || (uint64_t)last == wreck.tail;
    status = sound ? append_rest(&wreck, rank) : chain(&wreck, (uint64_t)last);
  }
  if (status == 0) { clear_all(&wreck, ranks, gone); }
  return status;
}
