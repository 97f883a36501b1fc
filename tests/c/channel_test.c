/* The channel between ranks of one process, one thread: pieces, order, backpressure, what it refuses. */
#include <errno.h>

#include "adrastea/channel.h"
#include "adrastea/datatype.h"
#include "job.h"
#include "segment/adr_geometry.h"

enum { CELLS = 16, PAYLOAD = 256, MAX_RANKS = 3 };

static struct job job;
static adr_channel *channels[MAX_RANKS];

static void with_channels(int ranks, void (*test)(void)) {
  job = job_open((uint32_t)ranks, CELLS, PAYLOAD);
  for (int rank = 0; rank < ranks; rank++) {
    channels[rank] = adr_channel_open(job.segment.base, rank);
    CHECK(channels[rank] != NULL);
  }
  test();
  for (int rank = 0; rank < ranks; rank++) { adr_channel_close(channels[rank]); }
  job_close(&job);
}

static int32_t send_text(int from, int to, int64_t match, const char *text) {
  int64_t length = (int64_t)strlen(text);
  return adr_channel_try_send(channels[from], to, ADR_PIECE_FIRST, match, length, text, 0, length);
}

static void take_text(int rank, const char *expected) {
  adr_inbound in;
  char text[PAYLOAD + 1] = {0};
  CHECK_EQUAL(1, adr_channel_poll(channels[rank], -1, &in));
  CHECK_EQUAL(strlen(expected), in.length);
  CHECK_EQUAL(0, adr_channel_take(channels[rank], text, 0, in.length));
  CHECK(strcmp(text, expected) == 0);
  CHECK(adr_channel_poll(channels[rank], -1, &in) != -EPROTO); /* only now the cell goes back */
}

static void opens_no_rank_out_of_range(void) {
  CHECK(adr_channel_open(job.segment.base, -1) == NULL);
  CHECK(adr_channel_open(job.segment.base, 2) == NULL);
}

/* What a rank that is broken may write into the header after all have attached: sizes that fit each other, and not what
 * is mapped. */
static void overwrite_header(uint32_t ranks, uint32_t cells) {
  struct adr_segment_header *header = job_header(&job);
  struct adr_segment_shape shape;
  CHECK_EQUAL(0, adr_segment_shape_make(&shape, ranks, cells, PAYLOAD, (struct adr_box_settings){0}));
  header->rank_count = shape.rank_count;
  header->cell_count = shape.cell_count;
  header->rank_area_offset = shape.rank_area_offset;
  header->rank_area_bytes = shape.rank_area_bytes;
  header->cells_offset = shape.cells_offset;
  header->box_table_offset = shape.box_table_offset;
  header->boxes_offset = shape.boxes_offset;
  header->segment_bytes = shape.segment_bytes;
}

static void opens_nothing_but_what_is_mapped(void) {
  int64_t bytes = (int64_t)job.segment.shape.segment_bytes;
  adr_channel *channel = adr_channel_open_within(job.segment.base, bytes, 1);
  CHECK(channel != NULL);
  adr_channel_close(channel);
  overwrite_header(2, 64 * CELLS);
  CHECK(adr_channel_open_within(job.segment.base, bytes, 1) == NULL);
  overwrite_header(64, CELLS);
  CHECK(adr_channel_open_within(job.segment.base, bytes, 1) == NULL);
  overwrite_header(2, CELLS);
  CHECK(adr_channel_open_within(job.segment.base, bytes - 1, 1) == NULL);
  CHECK(adr_channel_open_within(job.segment.base, 0, 1) == NULL);
}

static void formats_the_cells_that_were_checked_whatever_the_header_says_later(void) {
  struct adr_view view = adr_view_within(job.segment.base, &job.segment.shape);
  uint64_t queue = adr_free_queue_offset(job_header(&job), 1);
  CHECK_EQUAL(0, adr_segment_reserve(&job.segment, 1));
  overwrite_header(2, 64 * CELLS);
  adr_free_queue_format(&view, &job.segment.shape, 1);
  for (int cell = 0; cell < CELLS; cell++) { CHECK(adr_mpsc_dequeue(&view, queue) > 0); }
  CHECK_EQUAL(0, adr_mpsc_dequeue(&view, queue));
  overwrite_header(2, CELLS);
}

static void tells_all_about_a_piece(void) {
  adr_inbound in;
  CHECK_EQUAL(-EAGAIN, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(5, send_text(0, 1, 77, "hello"));
  for (int i = 0; i < 2; i++) { /* it stays until taken */
    CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
    CHECK_EQUAL(0, in.source);
    CHECK_EQUAL(ADR_PIECE_FIRST, in.kind);
    CHECK_EQUAL(77, in.match);
    CHECK_EQUAL(5, in.length);
    CHECK_EQUAL(5, in.total_length);
    CHECK_EQUAL(0, in.sequence);
    CHECK(memcmp(job.segment.base + in.payload, "hello", 5) == 0);
  }
  take_text(1, "hello");
  CHECK_EQUAL(-EAGAIN, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(-EINVAL, adr_channel_release(channels[1]));
}

static void carries_an_empty_message(void) {
  CHECK_EQUAL(0, send_text(0, 1, 1, ""));
  take_text(1, "");
}

static void reaches_itself(void) {
  CHECK_EQUAL(4, send_text(0, 0, 1, "self"));
  take_text(0, "self");
}

static void keeps_the_order_of_one_source(void) {
  for (int round = 0; round < 50; round++) {
    CHECK_EQUAL(1, send_text(0, 1, 1, "a"));
    CHECK_EQUAL(2, send_text(0, 1, 1, "bb"));
    take_text(1, "a");
    take_text(1, "bb");
  }
}

static void releases_a_piece_without_a_copy(void) {
  adr_inbound in;
  for (int i = 0; i < 3 * CELLS; i++) {
    CHECK_EQUAL(4, send_text(0, 1, 1, "drop"));
    CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
    CHECK_EQUAL(0, adr_channel_release(channels[1]));
  }
}

static void carries_a_long_message_in_pieces(void) {
  char message[2 * PAYLOAD + 10];
  char copy[sizeof message] = {0};
  for (size_t i = 0; i < sizeof message; i++) { message[i] = (char)(i * 7); }
  int64_t sent = 0;
  while (sent < (int64_t)sizeof message) {
    int32_t kind = sent == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT;
    int64_t left = (int64_t)sizeof message - sent;
    int32_t taken = adr_channel_try_send(channels[0], 1, kind, 5, sizeof message, message, sent, left);
    CHECK_EQUAL(left < PAYLOAD ? left : PAYLOAD, taken);
    sent += taken;
  }
  int64_t at = 0;
  for (int64_t piece = 0; at < sent; piece++) {
    adr_inbound in;
    CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
    CHECK_EQUAL(piece == 0 ? ADR_PIECE_FIRST : ADR_PIECE_NEXT, in.kind);
    CHECK_EQUAL(piece, in.sequence);
    CHECK_EQUAL(sizeof message, in.total_length);
    CHECK_EQUAL(0, adr_channel_take(channels[1], copy, at, in.length));
    at += in.length;
  }
  CHECK(memcmp(message, copy, sizeof message) == 0);
}

static void receives_what_is_asked_for(void) {
  adr_inbound in;
  char text[16] = {0};
  CHECK_EQUAL(-EAGAIN, adr_channel_receive(channels[1], 9, -1, 0, text, 0, sizeof text, 3, &in));
  CHECK_EQUAL(4, send_text(0, 1, 9, "nine"));
  CHECK_EQUAL(4, adr_channel_receive(channels[1], 9, -1, 0, text, 0, sizeof text, 3, &in));
  CHECK(memcmp(text, "nine", 4) == 0);
  CHECK_EQUAL(9, in.match);
  CHECK_EQUAL(0, in.source);
}

static void receives_by_mask_and_any_source(void) {
  adr_inbound in;
  char text[16] = {0};
  CHECK_EQUAL(3, send_text(0, 1, 0x700000009, "any"));
  CHECK_EQUAL(3, adr_channel_receive(channels[1], 0x700000000, ~INT64_C(0xffffffff), -1, text, 2, 8, 3, &in));
  CHECK(memcmp(text + 2, "any", 3) == 0);
  CHECK_EQUAL(0x700000009, in.match);
}

static void leaves_another_message_to_poll(void) {
  adr_inbound in;
  char text[16] = {0};
  CHECK_EQUAL(5, send_text(0, 1, 9, "other"));
  CHECK_EQUAL(-ENOMSG, adr_channel_receive(channels[1], 8, -1, 0, text, 0, 16, 3, &in)); /* match */
  CHECK_EQUAL(-ENOMSG, adr_channel_receive(channels[1], 9, -1, 1, text, 0, 16, 3, &in)); /* source */
  CHECK_EQUAL(-ENOMSG, adr_channel_receive(channels[1], 9, -1, 0, text, 0, 4, 3, &in));  /* room */
  take_text(1, "other");
}

/* Elements of 8 bytes, of which two blocks of 2 bytes are sent: "ab--ef--". */
enum { ELEMENTS = 3, ELEMENT_BYTES = 8, ELEMENTS_LENGTH = 12 };
static const int64_t every_second_pair[] = {0x0145505954524441,
                                            24,
                                            4,
                                            ELEMENT_BYTES,
                                            0,
                                            6,
                                            2,
                                            2, /* head */
                                            4,
                                            0,
                                            0,
                                            1,
                                            ELEMENT_BYTES,
                                            4,
                                            1,
                                            1, /* loop */
                                            1,
                                            0,
                                            0,
                                            2,
                                            4,
                                            2,
                                            0,
                                            0}; /* blocks */

static int32_t receive_elements(int64_t match, int32_t source, int64_t count, char *memory) {
  adr_inbound in;
  return adr_channel_receive_elements(channels[1], match, -1, source, every_second_pair, memory, 0, count, 4 * count, 3,
                                      &in);
}

static void moves_elements_of_a_datatype_in_one_call(void) {
  static const char from[] = "ab--ef--gh--kl--mn--qr--";
  char to[sizeof from] = "........................";
  int64_t scratch[3 * 24];
  CHECK_EQUAL(0, adr_datatype_check(every_second_pair, 24, scratch));
  CHECK_EQUAL(-EAGAIN, receive_elements(9, 0, ELEMENTS, to));
  CHECK_EQUAL(ELEMENTS_LENGTH,
              adr_channel_try_send_elements(channels[0], 1, 9, every_second_pair, from, 0, ELEMENTS, ELEMENTS_LENGTH));
  CHECK_EQUAL(-ENOMSG, receive_elements(8, 0, ELEMENTS, to));     /* match */
  CHECK_EQUAL(-ENOMSG, receive_elements(9, 1, ELEMENTS, to));     /* source */
  CHECK_EQUAL(-ENOMSG, receive_elements(9, 0, ELEMENTS - 1, to)); /* room */
  CHECK_EQUAL(ELEMENTS_LENGTH, receive_elements(9, -1, ELEMENTS, to));
  CHECK(memcmp(to, "ab..ef..gh..kl..mn..qr..", sizeof to) == 0);
  CHECK_EQUAL(-EAGAIN, receive_elements(9, 0, ELEMENTS, to)); /* its room went back */
  CHECK_EQUAL(2, send_text(0, 1, 9, "AB"));                   /* fewer bytes than the elements have */
  CHECK_EQUAL(2, receive_elements(9, 0, ELEMENTS, to));
  CHECK(memcmp(to, "AB..ef..", 8) == 0);
}

static void refuses_elements_that_cannot_go_now(void) {
  static const char from[ELEMENTS * ELEMENT_BYTES] = {0};
  const int64_t *program = every_second_pair;
  CHECK_EQUAL(-EINVAL, adr_channel_try_send_elements(channels[0], 2, 9, program, from, 0, 1, 4));
  CHECK(adr_channel_claim(channels[0], 1, ADR_PIECE_FIRST, 9, 4, 4) > 0);
  CHECK_EQUAL(-EBUSY, adr_channel_try_send_elements(channels[0], 1, 9, program, from, 0, 1, 4));
  CHECK_EQUAL(0, adr_channel_abort(channels[0], 1));
  int32_t status;
  while ((status = adr_channel_try_send_elements(channels[0], 1, 9, program, from, 0, 1, 4)) == 4) {}
  CHECK_EQUAL(-EAGAIN, status);
}

static int send_until_full(int from, int to) {
  int sent = 0;
  while (send_text(from, to, 1, "x") == 1) { sent++; }
  CHECK_EQUAL(-EAGAIN, send_text(from, to, 1, "x"));
  return sent;
}

static void stops_when_cells_run_out_and_goes_on_when_they_return(void) {
  int sent = send_until_full(0, 1);
  CHECK(sent >= CELLS / 2 && sent <= CELLS);
  for (int i = 0; i < 100; i++) {
    take_text(1, "x");
    CHECK_EQUAL(1, send_text(0, 1, 1, "x"));
    CHECK_EQUAL(-EAGAIN, send_text(0, 1, 1, "x"));
  }
}

static void gives_a_cell_back_at_the_next_poll(void) {
  adr_inbound in;
  send_until_full(0, 1);
  CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(0, adr_channel_release(channels[1]));
  CHECK_EQUAL(-EINVAL, adr_channel_release(channels[1]));
  CHECK_EQUAL(-EAGAIN, send_text(0, 1, 1, "x"));
  CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(1, send_text(0, 1, 1, "x"));
}

static void gives_a_cell_back_when_closed(void) {
  adr_inbound in;
  send_until_full(0, 1);
  CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(0, adr_channel_release(channels[1]));
  adr_channel_close(channels[1]);
  channels[1] = NULL;
  CHECK_EQUAL(1, send_text(0, 1, 1, "x"));
}

static void passes_on_that_a_message_is_given_up(void) {
  adr_inbound in;
  CHECK_EQUAL(3, adr_channel_try_send(channels[0], 1, ADR_PIECE_FIRST, 1, 1000, "abc", 0, 3));
  CHECK_EQUAL(0, adr_channel_try_send(channels[0], 1, ADR_PIECE_ABORT, 1, 0, "", 0, 0));
  take_text(1, "abc");
  CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(ADR_PIECE_ABORT, in.kind);
  CHECK_EQUAL(1, in.sequence);
}

static void keeps_a_share_for_each_destination(void) {
  int slow = send_until_full(0, 1);
  int other = send_until_full(0, 2);
  CHECK(other >= 1);
  CHECK(send_until_full(0, 0) >= 1);
  CHECK(slow > other);            /* the first to come got the common cells */
  for (int i = 0; i < 100; i++) { /* the slow receiver does not stop the others */
    take_text(2, "x");
    CHECK_EQUAL(1, send_text(0, 2, 1, "x"));
  }
  for (int i = 0; i < slow; i++) { take_text(1, "x"); }
  CHECK_EQUAL(1, send_text(0, 1, 1, "x"));
}

static void refuses_a_destination_out_of_range(void) {
  CHECK_EQUAL(-EINVAL, send_text(0, 2, 1, "x"));
  CHECK_EQUAL(-EINVAL, send_text(0, -1, 1, "x"));
}

static void refuses_to_take_more_than_the_piece_holds(void) {
  adr_inbound in;
  char text[16];
  CHECK_EQUAL(3, send_text(0, 1, 1, "abc"));
  CHECK_EQUAL(1, adr_channel_poll(channels[1], -1, &in));
  CHECK_EQUAL(-EINVAL, adr_channel_take(channels[1], text, 0, 4));
  CHECK_EQUAL(-EINVAL, adr_channel_take(channels[1], text, 0, -1));
  take_text(1, "abc");
}

typedef void spoil(struct adr_cell *cell);
static void spoil_source(struct adr_cell *cell) { cell->source = 2; }
static void spoil_owner(struct adr_cell *cell) { cell->owner = UINT32_MAX; }
static void spoil_length(struct adr_cell *cell) { cell->length = PAYLOAD + 1; }
static void spoil_total(struct adr_cell *cell) { cell->total_length = 0; }
static void spoil_sign_of_total(struct adr_cell *cell) { cell->total_length = UINT64_MAX; }
static void spoil_kind(struct adr_cell *cell) { cell->kind = 9; }
static void spoil_sequence(struct adr_cell *cell) { cell->sequence = 3000; }

static spoil *spoiler;

static void refuses_the_spoilt_piece(void) {
  adr_inbound in;
  CHECK_EQUAL(1, send_text(0, 1, 1, "x"));
  struct adr_mpsc_queue *q = adr_mpsc_at(&job.view, adr_receive_queue_offset(job_header(&job), 1));
  spoiler(adr_view_cell(&job.view, adr_load_relaxed_u64(&q->head)));
  CHECK_EQUAL(-EPROTO, adr_channel_poll(channels[1], -1, &in));
}

static void refuses_header_fields_out_of_bounds(void) {
  static spoil *const all[] = {spoil_source,        spoil_owner, spoil_length,  spoil_total,
                               spoil_sign_of_total, spoil_kind,  spoil_sequence};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    spoiler = all[i];
    with_channels(2, refuses_the_spoilt_piece);
  }
}

#define RUN_WITH(ranks, test) \
  do { \
    with_channels(ranks, test); \
    printf("ok %s\n", #test); \
  } while (0)

int main(void) {
  RUN_WITH(2, opens_no_rank_out_of_range);
  RUN_WITH(2, opens_nothing_but_what_is_mapped);
  RUN_WITH(2, formats_the_cells_that_were_checked_whatever_the_header_says_later);
  RUN_WITH(2, tells_all_about_a_piece);
  RUN_WITH(2, carries_an_empty_message);
  RUN_WITH(1, reaches_itself);
  RUN_WITH(2, keeps_the_order_of_one_source);
  RUN_WITH(2, releases_a_piece_without_a_copy);
  RUN_WITH(2, carries_a_long_message_in_pieces);
  RUN_WITH(2, receives_what_is_asked_for);
  RUN_WITH(2, receives_by_mask_and_any_source);
  RUN_WITH(2, leaves_another_message_to_poll);
  RUN_WITH(2, moves_elements_of_a_datatype_in_one_call);
  RUN_WITH(2, refuses_elements_that_cannot_go_now);
  RUN_WITH(2, stops_when_cells_run_out_and_goes_on_when_they_return);
  RUN_WITH(2, gives_a_cell_back_at_the_next_poll);
  RUN_WITH(2, gives_a_cell_back_when_closed);
  RUN_WITH(2, passes_on_that_a_message_is_given_up);
  RUN_WITH(3, keeps_a_share_for_each_destination);
  RUN_WITH(2, refuses_a_destination_out_of_range);
  RUN_WITH(2, refuses_to_take_more_than_the_piece_holds);
  RUN(refuses_header_fields_out_of_bounds);
  return 0;
}
