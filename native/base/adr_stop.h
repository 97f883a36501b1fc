/* Where a rank may die, or another one may come in between. In the library ADR_STOP(name) is nothing; in the build of
 * tests/c/survival_*_test and coll_trouble_test it calls adr_stop: the former end the process there when its turn has
 * come. A point stands between any two stores that other ranks see, or two looks at theirs whose order counts, and is
 * named here: one that is not does not compile in that build, and one that is never reached fails the test. */
#pragma once

/* X(name), in the order of the files. */
/* clang-format off */
#define ADR_STOP_POINTS(X) \
  /* queue/adr_intent.h */ X(intent_queue) X(intent_generation) \
  /* queue/adr_mpsc_queue.h */ X(enqueue_begin) X(enqueue_next) X(enqueue_intent) X(enqueue_swapped) \
    X(enqueue_head) X(enqueue_linked) X(enqueue_cleared) X(advance_emptied) X(peek_shadow) X(peek_head) \
    X(advance_shadow) X(advance_raised) \
  /* queue/adr_queue_repair.c */ X(repair_over) X(repair_chained) X(repair_appended) X(repair_cleared) \
  /* fastbox/adr_outbox.h */ X(box_burst_shown) X(box_withheld) X(box_shown) X(box_tail_filled) \
    X(box_match_filled) X(box_filled) X(box_zeroed_ahead) X(line_match) X(line_filled) X(line_shown) \
    X(box_zeroed_behind) X(box_behind_pad) \
  /* fastbox/adr_inbox.h */ X(box_tell) X(box_told) X(box_given) \
  /* ring/adr_copy_ring.h */ X(ring_put_copied) X(ring_put_told) X(ring_take_copied) X(ring_take_told) \
  /* barrier/adr_barrier.h */ X(barrier_counted) X(barrier_reset) X(barrier_turned) \
  /* channel/adr_cell_pool.c */ X(sweep_raised) X(sweep_credited) \
  /* channel/adr_channel_box.c */ X(box_open) X(box_opened) X(box_refused) X(box_found) X(box_asked) \
  /* channel/adr_channel_reclaim.c */ X(bury_barred) X(bury_poisoned) X(bury_quiet) X(bury_drained) \
    X(box_closed) X(box_unmarked) \
  /* channel/adr_channel_poll.c */ X(idle_unmarked) X(idle_marked) X(scan_marked) X(aside_next) X(aside_linked) \
  /* channel/adr_channel_send.c */ X(doorbell_marked) X(cell_taken) X(cell_numbered) X(claimed_box) \
    X(claimed_cell) \
  /* channel/adr_channel_sleep.c, wait/adr_doorbell.c */ X(sleep_unmarked) X(sleep_announced) X(wake_claimed) \
    X(wake_counted)
/* segment/adr_region.c */
#define ADR_STOP_REGION_POINTS(X) \
  X(region_paged) X(region_claimed) X(region_extended) X(region_sized) X(region_placed) X(region_emptied) \
    X(region_reserved) X(region_counted) X(region_ready) X(region_refused) X(region_shortened) X(region_taken_back) \
    X(region_released) X(region_freed)
/* contextid/adr_context_id_table.c, contextid/adr_slot_pool.c */
#define ADR_STOP_CONTEXT_POINTS(X) \
  X(context_paged) X(context_taken) X(context_hinted) X(context_freed) X(context_shown) X(slot_filled) \
    X(slot_entered) X(slot_barred) X(slot_closed)
/* coll/adr_collective.c */
#define ADR_STOP_COLLECTIVE_POINTS(X) X(trouble_looked)
/* window/adr_window_lock.c, window/adr_window_stripes.h, window/adr_window_sync.h */
#define ADR_STOP_WINDOW_POINTS(X) \
  X(window_listed) X(window_listed_whole) X(window_wanted) X(window_unwanted) X(window_unlisted) \
    X(window_unlisted_whole) X(window_given_back) X(window_taken_over) X(window_repaired) X(window_looked_at_all) \
    X(window_taken) X(window_share_set) X(window_share_dropped) X(window_all_set) X(window_all_dropped) \
    X(window_stripe_taken) X(window_stripe_released) X(window_posted) X(window_completed)
/* lock/adr_lock_table.h, lock/adr_mcs_lock.c */
#define ADR_STOP_LOCK_POINTS(X) \
  X(lock_table_released) X(lock_noted) X(lock_entered) X(lock_left) X(lock_table_acquired) X(lock_taken_over) \
    X(lock_dead_closed) X(lock_dead_bypassed) X(lock_dead_out) X(lock_linked) X(lock_waits) X(lock_taken) \
    X(lock_dead_linked) X(lock_dead_opened) X(lock_handed_over) X(lock_unlinked) X(lock_bypassed) X(lock_out) \
    X(lock_closed) X(lock_freed)
/* clang-format on */

#ifdef ADR_STOPS
#define ADR_STOP_ENUM(name) ADR_STOP_##name,
enum adr_stop_point {
  ADR_STOP_POINTS(ADR_STOP_ENUM) ADR_STOP_REGIONS,             /* the first of them */
  ADR_STOP_MESSAGES = ADR_STOP_REGIONS - 1,                    /* the last of the others */
  ADR_STOP_REGION_POINTS(ADR_STOP_ENUM) ADR_STOP_CONTEXTS,     /* likewise */
  ADR_STOP_REGIONS_END = ADR_STOP_CONTEXTS - 1,                /* the last of the regions' */
  ADR_STOP_CONTEXT_POINTS(ADR_STOP_ENUM) ADR_STOP_COLLECTIVES, /* likewise */
  ADR_STOP_CONTEXTS_END = ADR_STOP_COLLECTIVES - 1,            /* the last of the contexts' */
  ADR_STOP_COLLECTIVE_POINTS(ADR_STOP_ENUM) ADR_STOP_WINDOWS,  /* likewise */
  ADR_STOP_COLLECTIVES_END = ADR_STOP_WINDOWS - 1,             /* the last of the collectives' */
  ADR_STOP_WINDOW_POINTS(ADR_STOP_ENUM) ADR_STOP_LOCKS,        /* likewise */
  ADR_STOP_WINDOWS_END = ADR_STOP_LOCKS - 1,                   /* the last of the windows' */
  ADR_STOP_LOCK_POINTS(ADR_STOP_ENUM) ADR_STOP_COUNT
};
void adr_stop(enum adr_stop_point point);
#define ADR_STOP(name) adr_stop(ADR_STOP_##name)
#else
#define ADR_STOP(name) ((void)0)
#endif
