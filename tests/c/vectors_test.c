/* vectors_test FILE...: replays the files of tests/vectors, whose README.md explains them, on the C core. */
#include <inttypes.h>
#include <string.h>

#include "adrastea/channel.h"
#include "adrastea/ring.h"
#include "job.h"
#include "layout/adr_layout_dump.h"
#include "queue/adr_queue_repair.h"
#include "segment/adr_geometry.h"
#include "symmetric_script.h"
#include "lock/adr_mcs_lock.h"
#include "window/adr_window_lock.h"
#include "window/adr_window_stripes.h"
#include "window/adr_window_sync.h"

enum { MAX_RANKS = 8, MAX_MEMBERS = 128, MAX_WORDS = 16, BUFFER = 1 << 16 };

static const char *file;
static int line_number;
static struct job job;
static adr_channel *channels[MAX_RANKS];
static uint8_t sent_from[BUFFER];
static uint8_t received[BUFFER];

static char *words[MAX_WORDS]; /* of the line, before the = */
static int word_count;
static char *wanted[MAX_WORDS]; /* behind it */
static int wanted_count;
static int64_t actual[MAX_WORDS]; /* what came out */
static int actual_count;

static void fail(const char *what, const char *text) {
  fprintf(stderr, "%s:%d: %s '%s'\n", file, line_number, what, text);
  exit(1);
}

/* Values: sums of numbers and names. */

static int64_t area(uint32_t rank) { return (int64_t)adr_rank_area_offset(job_header(&job), rank); }

static bool named(const char *term, int64_t *value) {
  static const struct {
    const char *name;
    int64_t value;
  } constants[] = {
      {"AGAIN", -11},   {"BUSY", -16},          {"EINVAL", -22},  {"NOMSG", -42}, {"CORRUPT", -71},
      {"MSGSIZE", -90}, {"LINK_PENDING", -115}, {"FIRST", 1},     {"NEXT", 2},    {"ABORT", 3},
      {"WANTED", 2},    {"GONE", -3},           {"NO_ROOM", -28}, {"NONE", -1},
  };
  for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
    if (strcmp(term, constants[i].name) == 0) {
      *value = constants[i].value;
      return true;
    }
  }
  return false;
}

static int64_t term_value(const char *term) {
  unsigned rank, index;
  int64_t value;
  if (named(term, &value)) { return value; }
  if (sscanf(term, "cell(%u,%u)", &rank, &index) == 2) {
    return (int64_t)adr_cell_offset(job_header(&job), rank, index);
  }
  if (sscanf(term, "box(%u,%u)", &rank, &index) == 2) {
    return (int64_t)adr_box_ring_offset(job_header(&job), rank, index);
  }
  if (sscanf(term, "boxentry(%u,%u)", &rank, &index) == 2) {
    return (int64_t)adr_box_entry_offset(job_header(&job), rank, index);
  }
  if (sscanf(term, "rank(%u)", &rank) == 1) { return (int64_t)adr_rank_entry_offset(rank); }
  if (sscanf(term, "area(%u)", &rank) == 1) { return area(rank); }
  if (strcmp(term, "barrier") == 0) { return offsetof(struct adr_segment_header, barrier); }
  if (sscanf(term, "recvq(%u)", &rank) == 1) { return (int64_t)adr_receive_queue_offset(job_header(&job), rank); }
  if (sscanf(term, "freeq(%u)", &rank) == 1) { return (int64_t)adr_free_queue_offset(job_header(&job), rank); }
  char *end;
  value = *term == '-' ? strtoll(term, &end, 0) : (int64_t)strtoull(term, &end, 0);
  if (*term == '\0' || *end != '\0') { fail("no value:", term); }
  return value;
}

static int64_t value_of(const char *text) {
  char copy[128];
  int64_t sum = 0;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *rest = copy, *term; (term = strsep(&rest, "+")) != NULL;) { sum += term_value(term); }
  return sum;
}

static int64_t argument(int index) {
  if (index >= word_count) { fail("too few words:", words[0]); }
  return value_of(words[index]);
}

static void came_out(int64_t value) { actual[actual_count++] = value; }

/* Operations. */

static struct adr_mpsc_queue *queue(void) { return adr_mpsc_at(&job.view, (uint64_t)argument(1)); }

static struct adr_box_settings box_settings(void) {
  if (word_count <= 4) { return (struct adr_box_settings){0}; }
  return (struct adr_box_settings){
      .slots = (uint32_t)argument(4), .limit = (uint32_t)argument(5), .threshold = (uint32_t)argument(6)};
}

static void do_job(void) {
  char directory[64];
  job_directory(directory);
  uint32_t ranks = (uint32_t)argument(1);
  CHECK(ranks <= MAX_RANKS);
  CHECK_EQUAL(0, adr_segment_create(&job.segment, directory, JOB_ID, 0, ranks, (uint32_t)argument(2),
                                    (uint32_t)argument(3), box_settings()));
  CHECK_EQUAL(0, adr_segment_unlink(&job.segment));
  CHECK_EQUAL(0, rmdir(directory));
  for (uint32_t rank = 0; rank < ranks; rank++) { CHECK_EQUAL(0, adr_segment_reserve(&job.segment, rank)); }
  job.view = adr_view_of(job.segment.base);
}

static void do_format(void) { adr_free_queue_format(&job.view, &job.segment.shape, (uint32_t)argument(1)); }

static void do_enqueue(void) {
  came_out(adr_mpsc_enqueue(&job.view, (uint64_t)argument(2), adr_intent_of(&job.view, (uint32_t)argument(1)),
                            (uint64_t)argument(3)));
}

static void do_repair(void) {
  const struct adr_segment_header *header = job_header(&job);
  struct adr_gone gone = {.bits = {(uint64_t)argument(3)}};
  uint64_t cells = (uint64_t)header->rank_count * header->cell_count;
  came_out(adr_queue_repair(&job.view, (uint64_t)argument(1), (uint32_t)argument(2), header->rank_count, cells, &gone));
}

static void do_dequeue(void) { came_out(adr_mpsc_dequeue(&job.view, (uint64_t)argument(1))); }

static void do_peek(void) { came_out(adr_mpsc_peek(&job.view, (uint64_t)argument(1))); }

static void do_advance(void) { came_out(adr_mpsc_advance(&job.view, (uint64_t)argument(1), (uint64_t)argument(2))); }

static void do_swap(void) {
  uint64_t element = (uint64_t)argument(2);
  adr_store_relaxed_u64(&adr_view_cell(&job.view, element)->next, 0);
  came_out((int64_t)adr_swap_acq_rel_u64(&queue()->tail, element));
}

static void do_link(void) {
  uint64_t previous = (uint64_t)argument(2);
  adr_store_release_u64(previous == 0 ? &queue()->head : &adr_view_cell(&job.view, previous)->next,
                        (uint64_t)argument(3));
}

static adr_channel **channel(void) { return &channels[argument(1)]; }

static void do_open(void) { CHECK((*channel() = adr_channel_open(job.segment.base, (int32_t)argument(1))) != NULL); }

static void do_close(void) {
  adr_channel_close(*channel());
  *channel() = NULL;
}

static void do_send(void) {
  came_out(adr_channel_try_send(*channel(), (int32_t)argument(2), (int32_t)argument(3), argument(4), argument(5),
                                sent_from, argument(6), argument(7)));
}

static void do_poll(void) {
  adr_inbound in;
  int32_t status = adr_channel_poll(*channel(), word_count > 2 ? (int32_t)argument(2) : -1, &in);
  came_out(status);
  if (status == ADR_POLL_WANTED) { came_out(in.source); }
  if (status == ADR_POLL_PIECE) {
    int64_t told[] = {in.source, in.kind, in.match, in.length, in.total_length, in.sequence, in.place};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) { came_out(told[i]); }
  }
}

static int64_t crc_received(int64_t length) { return adr_layout_crc((const char *)received, (size_t)length); }

static void do_take(void) {
  int64_t length = argument(2);
  int32_t status = adr_channel_take(*channel(), received, 0, length);
  came_out(status);
  came_out(status == 0 ? crc_received(length) : 0);
}

static void do_release(void) { came_out(adr_channel_release(*channel())); }

static void do_receive(void) {
  adr_inbound in;
  int32_t length =
      adr_channel_receive(*channel(), argument(2), argument(3), (int32_t)argument(4), received, 0, argument(5), 1, &in);
  came_out(length);
  if (length >= 0) {
    came_out(in.source);
    came_out(in.match);
    came_out(crc_received(length));
  }
}

static void do_claim(void) {
  came_out(
      adr_channel_claim(*channel(), (int32_t)argument(2), (int32_t)argument(3), argument(4), argument(5), argument(6)));
}

static void do_commit(void) { came_out(adr_channel_commit(*channel(), (int32_t)argument(2))); }
static void do_abort(void) { came_out(adr_channel_abort(*channel(), (int32_t)argument(2))); }
static void do_burst(void) { came_out(adr_channel_begin_burst(*channel(), (int32_t)argument(2))); }
static void do_endburst(void) { came_out(adr_channel_end_burst(*channel(), (int32_t)argument(2))); }
static void do_retain(void) { came_out(adr_channel_retain(*channel())); }
static void do_release_retained(void) {
  came_out(adr_channel_release_retained(*channel(), (int32_t)argument(2), argument(3)));
}

static void do_openbox(void) {
  CHECK_EQUAL(0, adr_segment_reserve_box(&job.segment, (uint32_t)argument(1), (uint32_t)argument(2)));
  came_out(adr_channel_open_box(*channel(), (int32_t)argument(2)));
}

static void do_refuse(void) { came_out(adr_channel_refuse_box(*channel(), (int32_t)argument(2))); }
static void do_reclaim(void) { came_out(adr_channel_reclaim(*channel())); }

static void do_arrive(void) { came_out(adr_channel_barrier_arrive(*channel())); }
static void do_wait(void) { came_out(adr_channel_barrier_wait(*channel(), (int32_t)argument(2))); }

static void *at_offset(void) { return job.segment.base + argument(1); }

static void do_ringput(void) {
  came_out(adr_ring_put(at_offset(), argument(2), argument(3), argument(4), sent_from, argument(5), argument(6)));
}

static void do_ringtake(void) {
  int32_t taken = adr_ring_take(at_offset(), argument(2), argument(3), argument(4), received, 0, argument(5));
  came_out(taken);
  came_out(taken > 0 ? crc_received(taken) : 0);
}

static void do_set32(void) { *(uint32_t *)at_offset() = (uint32_t)argument(2); }
static void do_set64(void) { *(uint64_t *)at_offset() = (uint64_t)argument(2); }
static void do_u32(void) { came_out(*(uint32_t *)at_offset()); }
static void do_u64(void) { came_out((int64_t) * (uint64_t *)at_offset()); }
static void do_crc(void) { came_out(adr_layout_crc(at_offset(), (size_t)argument(2))); }

/* Windows: the members' blocks lie one behind the other. */

static void *window_blocks[MAX_MEMBERS];
static uint32_t window_members;
static bool window_dead[MAX_MEMBERS];
static struct {
  uint8_t attempts[MAX_MEMBERS + 1];
  struct adr_window_lock lock;
} window_locks[MAX_MEMBERS];

static bool is_dead(void *caller, uint32_t member) {
  CHECK(caller == NULL && member < window_members);
  return window_dead[member];
}

static void do_window(void) {
  window_members = (uint32_t)argument(2);
  CHECK(window_members <= MAX_MEMBERS);
  const uint64_t bytes = adr_window_block_bytes(window_members);
  memset(window_locks, 0, sizeof window_locks);
  for (uint32_t member = 0; member < window_members; member++) {
    window_dead[member] = false;
    window_blocks[member] = (uint8_t *)at_offset() + member * bytes;
    window_locks[member].lock =
        adr_window_lock_of(window_blocks, window_locks[member].attempts, window_members, member);
  }
  came_out((int64_t)bytes);
}

static struct adr_window_lock *window_lock(void) {
  CHECK((uint64_t)argument(1) < window_members);
  return &window_locks[argument(1)].lock;
}

static void window_found(enum adr_window_look found) {
  const uint32_t other = window_lock()->other;
  came_out(found);
  if (found != ADR_WINDOW_ACQUIRED) { came_out(other == ADR_WINDOW_NOBODY ? -1 : (int64_t)other); }
}

static void do_exclusive(void) {
  window_found(adr_window_lock_try_exclusive(window_lock(), (uint32_t)argument(2), argument(3) != 0, is_dead, NULL));
}
static void do_shared(void) {
  window_found(adr_window_lock_try_shared(window_lock(), (uint32_t)argument(2), is_dead, NULL));
}
static void do_all(void) { window_found(adr_window_lock_try_all(window_lock(), is_dead, NULL)); }
static void do_settle(void) {
  window_found(adr_window_lock_settle(window_lock(), (uint32_t)argument(2), is_dead, NULL));
}
static void do_unlock_exclusive(void) { adr_window_lock_release_exclusive(window_lock(), (uint32_t)argument(2)); }
static void do_unlock_shared(void) { adr_window_lock_release_shared(window_lock(), (uint32_t)argument(2)); }
static void do_unlock_all(void) { adr_window_lock_release_all(window_lock()); }
static void do_withdraw(void) { adr_window_lock_withdraw(window_lock(), (uint32_t)argument(2)); }
static void do_withdraw_all(void) { adr_window_lock_withdraw_all(window_lock()); }
static void do_dead(void) { window_dead[argument(1)] = true; }

static void do_woken(void) {
  for (;;) {
    const uint32_t member = adr_window_lock_next_waiter(window_lock(), is_dead, NULL);
    if (member == ADR_WINDOW_NOBODY) { return; }
    came_out(member);
  }
}

/* Locks of OpenSHMEM: the symmetric memory of PEs lies one behind the other. */

static struct adr_mcs_lock mcs_locks[MAX_MEMBERS];

static void do_mcs(void) {
  const uint32_t pes = (uint32_t)argument(3);
  CHECK(pes <= MAX_MEMBERS);
  window_members = pes; /* that may be dead */
  for (uint32_t pe = 0; pe < pes; pe++) {
    window_dead[pe] = false;
    uint8_t *const symmetric = at_offset();
    mcs_locks[pe] = adr_mcs_lock_of(symmetric + adr_lock_table_bytes(), (uint64_t)argument(2), symmetric, pes, pe);
  }
  came_out((int64_t)adr_lock_table_bytes());
}

static struct adr_mcs_lock *mcs_lock(void) {
  CHECK((uint64_t)argument(1) < window_members);
  return &mcs_locks[argument(1)];
}

static void mcs_found(enum adr_lock_look found) {
  const uint32_t other = mcs_lock()->other;
  const bool tells = found != ADR_LOCK_ACQUIRED && found != ADR_LOCK_RELEASED;
  came_out(found);
  if (tells) { came_out(other == ADR_LOCK_NOBODY ? -1 : (int64_t)other); }
}

static void do_mcs_set(void) { mcs_found(adr_mcs_lock_set(mcs_lock(), (uint64_t)argument(2), is_dead, NULL)); }
static void do_mcs_test(void) { mcs_found(adr_mcs_lock_test(mcs_lock(), (uint64_t)argument(2), is_dead, NULL)); }
static void do_mcs_clear(void) { mcs_found(adr_mcs_lock_clear(mcs_lock(), (uint64_t)argument(2), is_dead, NULL)); }
static void do_mcs_withdraw(void) {
  mcs_found(adr_mcs_lock_withdraw(mcs_lock(), (uint64_t)argument(2), is_dead, NULL));
}
static void do_mcs_woken(void) {
  const uint32_t pe = adr_mcs_lock_next_waiter(mcs_lock());
  came_out(pe == ADR_LOCK_NOBODY ? -1 : (int64_t)pe);
}

static void do_stripe(void) {
  struct adr_window_stripes stripes = {
      .blocks = window_blocks, .members = window_members, .self = (uint32_t)argument(1)};
  came_out(adr_window_stripes_try_acquire(&stripes, (uint32_t)argument(2), (uint32_t)argument(3), is_dead, NULL));
}

static void do_unlock_stripe(void) {
  struct adr_window_stripes stripes = {
      .blocks = window_blocks, .members = window_members, .self = (uint32_t)argument(1)};
  adr_window_stripes_release(&stripes, (uint32_t)argument(2), (uint32_t)argument(3));
}

static struct adr_window_sync window_sync(void) {
  return (struct adr_window_sync){.blocks = window_blocks, .members = window_members, .self = (uint32_t)argument(1)};
}

static void do_post(void) {
  const struct adr_window_sync sync = window_sync();
  adr_window_sync_post(&sync, (uint32_t)argument(2));
}

static void do_posted(void) {
  const struct adr_window_sync sync = window_sync();
  came_out(adr_window_sync_has_posted(&sync, (uint32_t)argument(2), (uint64_t)argument(3)));
}

static void do_complete(void) {
  const struct adr_window_sync sync = window_sync();
  adr_window_sync_complete(&sync, (uint32_t)argument(2));
}

static void do_completed(void) {
  const struct adr_window_sync sync = window_sync();
  came_out(adr_window_sync_has_completed(&sync, (uint32_t)argument(2), (uint64_t)argument(3)));
}

/* The record of a symmetric heap. */

static struct adr_symmetric_heap heap;

static void do_heap(void) {
  adr_symmetric_heap_close(&heap);
  came_out(adr_symmetric_heap_open(&heap, (uint64_t)argument(1), (uint64_t)argument(2)));
}

static void do_malloc(void) { came_out(adr_symmetric_heap_malloc(&heap, (uint64_t)argument(1))); }
static void do_align(void) { came_out(adr_symmetric_heap_align(&heap, (uint64_t)argument(1), (uint64_t)argument(2))); }
static void do_realloc(void) { came_out(adr_symmetric_heap_realloc(&heap, argument(1), (uint64_t)argument(2))); }
static void do_free(void) { came_out(adr_symmetric_heap_free(&heap, argument(1))); }
static void do_undo(void) { came_out(adr_symmetric_heap_undo(&heap)); }
static void do_bytes_of(void) { came_out((int64_t)adr_symmetric_heap_bytes_of(&heap, argument(1))); }

static void do_pages(void) {
  came_out((int64_t)heap.came.offset);
  came_out((int64_t)heap.came.bytes);
  came_out((int64_t)heap.went.offset);
  came_out((int64_t)heap.went.bytes);
}

static void do_room(void) {
  came_out((int64_t)heap.allocated);
  came_out((int64_t)adr_block_tree_largest(&heap.tree));
}

static void do_hash(void) { came_out((int64_t)heap.hash); }

static void do_calls(void) {
  static struct symmetric_script script;
  script.heap = &heap;
  symmetric_run(&script, (uint64_t)argument(1), (uint64_t)argument(2));
  came_out((int64_t)script.sum);
  came_out((int64_t)heap.hash);
}

static const struct {
  const char *name;
  void (*run)(void);
} operations[] = {
    {"job", do_job},
    {"format", do_format},
    {"enqueue", do_enqueue},
    {"dequeue", do_dequeue},
    {"peek", do_peek},
    {"advance", do_advance},
    {"swap", do_swap},
    {"link", do_link},
    {"open", do_open},
    {"close", do_close},
    {"send", do_send},
    {"poll", do_poll},
    {"take", do_take},
    {"release", do_release},
    {"receive", do_receive},
    {"set32", do_set32},
    {"set64", do_set64},
    {"u32", do_u32},
    {"u64", do_u64},
    {"crc", do_crc},
    {"arrive", do_arrive},
    {"wait", do_wait},
    {"claim", do_claim},
    {"commit", do_commit},
    {"abort", do_abort},
    {"burst", do_burst},
    {"endburst", do_endburst},
    {"retain", do_retain},
    {"release-retained", do_release_retained},
    {"openbox", do_openbox},
    {"refuse", do_refuse},
    {"reclaim", do_reclaim},
    {"ringput", do_ringput},
    {"ringtake", do_ringtake},
    {"repair", do_repair},
    {"mcs", do_mcs},
    {"mcs-clear", do_mcs_clear},
    {"mcs-set", do_mcs_set},
    {"mcs-test", do_mcs_test},
    {"mcs-withdraw", do_mcs_withdraw},
    {"mcs-woken", do_mcs_woken},
    {"window", do_window},
    {"exclusive", do_exclusive},
    {"shared", do_shared},
    {"all", do_all},
    {"settle", do_settle},
    {"unlock-exclusive", do_unlock_exclusive},
    {"unlock-shared", do_unlock_shared},
    {"unlock-all", do_unlock_all},
    {"withdraw", do_withdraw},
    {"withdraw-all", do_withdraw_all},
    {"dead", do_dead},
    {"woken", do_woken},
    {"stripe", do_stripe},
    {"unlock-stripe", do_unlock_stripe},
    {"post", do_post},
    {"posted", do_posted},
    {"complete", do_complete},
    {"completed", do_completed},
    {"heap", do_heap},
    {"malloc", do_malloc},
    {"align", do_align},
    {"realloc", do_realloc},
    {"free", do_free},
    {"undo", do_undo},
    {"bytes-of", do_bytes_of},
    {"pages", do_pages},
    {"room", do_room},
    {"hash", do_hash},
    {"calls", do_calls},
};

/* Scripts. */

static void compare(void) {
  char told[256] = "";
  bool equal = actual_count == wanted_count;
  for (int i = 0; i < actual_count; i++) {
    snprintf(told + strlen(told), sizeof told - strlen(told), "%s%" PRId64, i == 0 ? "" : " ", actual[i]);
    equal = equal && actual[i] == value_of(wanted[i]);
  }
  if (!equal) { fail("came out:", told); }
}

static void split(char *text) {
  bool behind = false;
  text[strcspn(text, "#\n")] = '\0';
  word_count = wanted_count = actual_count = 0;
  for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
    if (word_count + wanted_count == MAX_WORDS) { fail("too many words:", word); }
    if (strcmp(word, "=") == 0) {
      behind = true;
    } else if (behind) {
      wanted[wanted_count++] = word;
    } else {
      words[word_count++] = word;
    }
  }
}

static void replay_line(char *text) {
  split(text);
  if (word_count == 0) { return; }
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    if (strcmp(words[0], operations[i].name) == 0) {
      operations[i].run();
      compare();
      return;
    }
  }
  fail("no operation", words[0]);
}

static void replay(const char *path) {
  char text[512];
  FILE *in = fopen(path, "r");
  file = path;
  line_number = 0;
  if (in == NULL) { fail("cannot open", path); }
  while (fgets(text, sizeof text, in) != NULL) {
    line_number++;
    replay_line(text);
  }
  fclose(in);
  for (int rank = 0; rank < MAX_RANKS; rank++) {
    adr_channel_close(channels[rank]);
    channels[rank] = NULL;
  }
  job_close(&job);
  adr_symmetric_heap_close(&heap);
  printf("ok %s, %d lines\n", path, line_number);
}

int main(int count, char **paths) {
  CHECK(count > 1);
  for (int i = 0; i < BUFFER; i++) { sent_from[i] = (uint8_t)(31 * i + 7); }
  for (int i = 1; i < count; i++) { replay(paths[i]); }
  return 0;
}
