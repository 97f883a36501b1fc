/* constants_test GOLDEN: the constants of the C core are those of the list that the Java twin is held to as well. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adrastea/channel.h"
#include "adrastea/ring.h"
#include "bootstrap/adr_rendezvous_client.h"
#include "channel/adr_cadence.h"
#include "channel/adr_channel_poll.h"
#include "check.h"
#include "job/adr_job_liveness.h"
#include "job/adr_joining.h"
#include "job/adr_shmem_state.h"
#include "job/adr_symmetric_line.h"
#include "layout/adr_layout_control.h"
#include "lock/adr_mcs_lock.h"
#include "segment/adr_huge.h"
#include "shared/adr_first_fit.h"
#include "symmetric/adr_symmetric_heap.h"
#include "window/adr_window_lock.h"

static const struct constant {
  const char *name;
  int64_t value;
} constants[] = {
    {"waiter.no_limit", ADR_WAITER_NO_LIMIT},
    {"waiter.check_nanos", ADR_WAITER_CHECK_NANOS},
    {"waiter.steps_per_clock", ADR_WAITER_STEPS_PER_CLOCK},
    {"waiter.polls_per_step", ADR_WAITER_POLLS_PER_STEP},
    {"waiter.yield_nanos", ADR_WAITER_YIELD_NANOS},
    {"waiter.untold_yield_nanos", ADR_WAITER_UNTOLD_YIELD_NANOS},
    {"waiter.most_spared", ADR_WAITER_MOST_SPARED},
    {"waiter.long_yield_nanos", ADR_WAITER_LONG_YIELD_NANOS},
    {"waiter.moment_nanos", ADR_WAITER_MOMENT_NANOS},
    {"waiter.work_nanos", ADR_WAITER_WORK_NANOS},
    {"waiter.least_loaded_nanos", ADR_WAITER_LEAST_LOADED_NANOS},
    {"waiter.most_loaded_nanos", ADR_WAITER_MOST_LOADED_NANOS},
    {"waiter.waits_per_long_yield", ADR_WAITER_WAITS_PER_LONG_YIELD},
    {"waiter.most_waits_saved", ADR_WAITER_MOST_WAITS_SAVED},
    {"waiter.yields_per_cpu_check", ADR_WAITER_YIELDS_PER_CPU_CHECK},
    {"waiter.cpu_check_nanos", ADR_WAITER_CPU_CHECK_NANOS},
    {"waiter.look_nanos", ADR_WAITER_LOOK_NANOS},
    {"waiter.calm_waits", ADR_WAITER_CALM_WAITS},
    {"waiter.strangers_nanos", ADR_WAITER_STRANGERS_NANOS},
    {"waiter.doubled_nap_nanos", ADR_WAITER_DOUBLED_NAP_NANOS},
    {"waiter.nap_growth_divisor", ADR_WAITER_NAP_GROWTH_DIVISOR},
    {"waiter.no_limit", ADR_WAITER_NO_LIMIT},
    {"sleep.most_nanos", ADR_SLEEP_MOST_NANOS},
    {"sleep.least_nap_nanos", ADR_SLEEP_LEAST_NAP_NANOS},
    {"sleep.most_nap_nanos", ADR_SLEEP_MOST_NAP_NANOS},
    {"pace.nanos", ADR_PACE_NANOS},
    {"pace.vain_calls_per_clock", ADR_PACE_VAIN_CALLS_PER_CLOCK},
    {"pace.calls_per_clock", ADR_PACE_CALLS_PER_CLOCK},
    {"liveness.others", ADR_LIVENESS_OTHERS},
    {"cadence.gap_nanos", ADR_CADENCE_GAP_NANOS},
    {"cadence.trials", ADR_CADENCE_TRIALS},
    {"cadence.pauses", ADR_CADENCE_PAUSES},
    {"cadence.most", ADR_CADENCE_MOST},
    {"cadence.answer", ADR_CADENCE_ANSWER},
    {"poller.queue_turn", ADR_QUEUE_TURN},
    {"poller.idle_polls", ADR_IDLE_POLLS},
    {"poller.scan_polls", ADR_SCAN_POLLS},
    {"poller.next_cell", ADR_POLL_NEXT_CELL},
    {"sender.box_wait", ADR_BOX_WAIT},
    {"sender.box_tries", ADR_BOX_TRIES},
    {"sender.box_stream", ADR_BOX_STREAM},
    {"box_costs.first", ADR_BOX_COSTS_FIRST},
    {"box_costs.most", ADR_BOX_COSTS_MOST},
    {"box_costs.block", ADR_BOX_COSTS_BLOCK},
    {"box_costs.skipped", ADR_BOX_COSTS_SKIPPED},
    {"box_costs.blocks", ADR_BOX_COSTS_BLOCKS},
    {"box_costs.repeated", ADR_BOX_COSTS_REPEATED},
    {"box_costs.classes", ADR_BOX_COSTS_CLASSES},
    {"queue.link_spins", ADR_LINK_SPINS},
    {"copy_ring.most", ADR_RING_MOST},
    {"huge_pages.least_bytes", ADR_HUGE_LEAST_BYTES},
    {"shared_heap.least_region_bytes", ADR_SHARED_LEAST_REGION_BYTES},
    {"shared_heap.max_alignment", ADR_SHARED_MAX_ALIGNMENT},
    {"first_fit.grain", ADR_FIRST_FIT_GRAIN},
    {"symmetric_heap.grain", ADR_SYMMETRIC_GRAIN},
    {"symmetric_heap.max_bytes", ADR_SYMMETRIC_MAX_BYTES},
    {"symmetric_heap.looks", ADR_SYMMETRIC_LOOKS},
    {"symmetric_heap.none", ADR_SYMMETRIC_NONE},
    {"symmetric_heap.no_room", ADR_SYMMETRIC_NO_ROOM},
    {"symmetric_heaps.stride_unit", ADR_SYMMETRIC_STRIDE_UNIT},
    {"symmetric_heaps.line", sizeof(struct adr_symmetric_wish) / 8},
    {"symmetric_heaps.data", offsetof(struct adr_symmetric_wish, data) / 8},
    {"symmetric_heaps.has_mapped", ADR_SYMMETRIC_HAS_MAPPED},
    {"symmetric_heaps.has_room", ADR_SYMMETRIC_HAS_ROOM},
    {"symmetric_state.most_spare", ADR_SYMMETRIC_STATE_MOST_SPARE},
    {"symmetric_line.bytes", sizeof(struct adr_symmetric_line)},
    {"symmetric_line.hash", offsetof(struct adr_symmetric_line, hash) / 8},
    {"symmetric_line.call", offsetof(struct adr_symmetric_line, call) / 8},
    {"symmetric_line.bytes_asked", offsetof(struct adr_symmetric_line, bytes) / 8},
    {"symmetric_line.argument", offsetof(struct adr_symmetric_line, argument) / 8},
    {"symmetric_line.status", offsetof(struct adr_symmetric_line, status) / 8},
    {"symmetric_line.allocate", ADR_SYMMETRIC_ALLOCATE},
    {"symmetric_line.reallocate", ADR_SYMMETRIC_REALLOCATE},
    {"symmetric_line.free", ADR_SYMMETRIC_FREE},
    {"symmetric_line.able", ADR_SYMMETRIC_ABLE},
    {"symmetric_line.no_place", ADR_SYMMETRIC_NO_PLACE},
    {"symmetric_line.no_pages", ADR_SYMMETRIC_NO_PAGES},
    {"joining.poll_millis", ADR_JOINING_POLL_MILLIS},
    {"joining.polls_per_check", ADR_JOINING_POLLS_PER_CHECK},
    {"launcher_watch.interval_millis", ADR_LAUNCHER_WATCH_INTERVAL_MILLIS},
    {"launcher_watch.exit_code", ADR_LAUNCHER_WATCH_EXIT_CODE},
    {"rendezvous_line.version", ADR_RENDEZVOUS_VERSION},
    {"rendezvous_line.most_bytes", ADR_RENDEZVOUS_LINE},
    {"rendezvous_line.quoted", ADR_RENDEZVOUS_QUOTE},
    {"rendezvous_server.pause_millis", ADR_RENDEZVOUS_PAUSE_MILLIS},
    {"rendezvous_server.in_use_millis", ADR_RENDEZVOUS_IN_USE_MILLIS},
    {"rendezvous_server.silent_millis", ADR_RENDEZVOUS_SILENT_MILLIS},
    {"rendezvous_server.late_millis", ADR_RENDEZVOUS_LATE_MILLIS},
    {"rendezvous_server.drain_millis", ADR_RENDEZVOUS_DRAIN_MILLIS},
    {"rendezvous_server.strangers", ADR_RENDEZVOUS_STRANGERS},
    {"rendezvous_server.listed", ADR_RENDEZVOUS_LISTED},
    {"rendezvous_server.backlog", ADR_RENDEZVOUS_BACKLOG},
    {"rendezvous_client.first_pause_millis", ADR_RENDEZVOUS_FIRST_PAUSE_MILLIS},
    {"rendezvous_client.most_pause_millis", ADR_RENDEZVOUS_MOST_PAUSE_MILLIS},
    {"rendezvous_client.connect_millis", ADR_RENDEZVOUS_CONNECT_MILLIS},
    {"rendezvous_client.grace_millis", ADR_RENDEZVOUS_GRACE_MILLIS},
    {"status.gone", ADR_GONE},
    {"status.again", ADR_AGAIN},
    {"status.busy", ADR_BUSY},
    {"status.inval", ADR_INVALID},
    {"status.nomsg", ADR_NOMSG},
    {"status.corrupt", ADR_CORRUPT},
    {"status.msgsize", ADR_TOO_LONG},
    {"status.piece", ADR_POLL_PIECE},
    {"status.wanted", ADR_POLL_WANTED},
    {"control.cts", ADR_CONTROL_CTS},
    {"control.done", ADR_CONTROL_DONE},
    {"control.cookie", ADR_CONTROL_COOKIE},
    {"control.withdraw", ADR_CONTROL_WITHDRAW},
    {"control.signature", ADR_CONTROL_SIGNATURE},
    {"control.active", ADR_CONTROL_ACTIVE},
    {"control.member", ADR_CONTROL_MEMBER},
    {"control.piece", ADR_CONTROL_PIECE},
    {"control.count", ADR_CONTROL_COUNT},
    {"window_block.alignment", ADR_WINDOW_ALIGNMENT},
    {"window_block.stripes", ADR_WINDOW_STRIPES},
    {"window_block.stripe_bytes", ADR_WINDOW_STRIPE_BYTES},
    {"window_look.acquired", ADR_WINDOW_ACQUIRED},
    {"window_look.awaits", ADR_WINDOW_AWAITS},
    {"window_look.repaired", ADR_WINDOW_REPAIRED},
    {"window_look.broken", ADR_WINDOW_BROKEN},
    {"lock_word.most_pes", ADR_LOCK_MOST_PES},
    {"lock_word.spread", ADR_LOCK_SPREAD},
    {"lock_word.free", ADR_LOCK_FREE},
    {"lock_word.enters", ADR_LOCK_ENTERS},
    {"lock_word.waits", ADR_LOCK_WAITS},
    {"lock_word.granted", ADR_LOCK_GRANTED},
    {"lock_word.holds", ADR_LOCK_HOLDS},
    {"lock_word.leaves", ADR_LOCK_LEAVES},
    {"lock_table.words", ADR_LOCK_TABLE_WORDS},
    {"lock_look.acquired", ADR_LOCK_ACQUIRED},
    {"lock_look.released", ADR_LOCK_RELEASED},
    {"lock_look.awaits", ADR_LOCK_AWAITS},
    {"lock_look.repaired", ADR_LOCK_REPAIRED},
    {"lock_look.broken", ADR_LOCK_BROKEN},
};
enum { COUNT = sizeof constants / sizeof *constants };

static FILE *golden;

/* The value that a line gives C; NULL: none. */
static const char *value_of(char *line) {
  char *value = strchr(line, ' ');
  if (value == NULL || *line == '#') { return NULL; }
  *value++ = '\0';
  if (strstr(value, "Java=") == NULL) { return value; }
  return strncmp(value, "C=", 2) == 0 ? value + 2 : NULL;
}

static void they_are_those_of_the_golden_list_in_its_order(void) {
  char line[256];
  size_t count = 0;
  while (fgets(line, sizeof line, golden) != NULL) {
    const char *value = value_of(line);
    if (value == NULL) { continue; }
    CHECK(count < COUNT);
    if (strcmp(line, constants[count].name) != 0 || atoll(value) != constants[count].value) {
      fprintf(stderr, "golden: %s %s here: %s %lld\n", line, value, constants[count].name,
              (long long)constants[count].value);
    }
    CHECK(strcmp(line, constants[count].name) == 0);
    CHECK_EQUAL(atoll(value), constants[count].value);
    count++;
  }
  CHECK_EQUAL(COUNT, count);
}

int main(int argc, char **argv) {
  CHECK_EQUAL(2, argc);
  golden = fopen(argv[1], "r");
  CHECK(golden != NULL);
  RUN(they_are_those_of_the_golden_list_in_its_order);
  fclose(golden);
  return 0;
}
