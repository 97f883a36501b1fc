/* One fastbox: where messages lie, what shows when, what goes back when. Random traffic: fastbox_traffic_test. */
#include "fastbox_pair.h"

static void begins_each_message_on_a_line(void) {
  static const struct { uint32_t length, end; } cases[] = {{0, 64}, {48, 128}, {49, 256}, {112, 384}, {113, 576}};
  for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK(put(i, cases[i].length, false, false));
    CHECK_EQUAL(cases[i].end, out.position);
    get(i, cases[i].length);
    CHECK_EQUAL(cases[i].end, in.position);
  }
}

static void puts_a_short_message_on_a_line_while_that_is_all_there_is_to_do(void) {
  for (uint64_t i = 0; i < 63; i++) {
    CHECK(put_line(i, (uint32_t)i % (ADR_BOX_HEAD + 1)));
    get(i, (uint32_t)i % (ADR_BOX_HEAD + 1));
  }
  CHECK(!put_line(63, 8)); /* the writer has not seen yet how far the reader is */
  CHECK(put(63, 100, false, false));
  get(63, 100);
  CHECK(!put_line(64, 8)); /* the place behind may hold old payload */
  CHECK(put(64, 8, false, false));
  get(64, 8);
}

static void packs_at_words_and_zeroes_the_next_place(void) {
  static const struct { uint32_t length, end; } cases[] = {{0, 16}, {1, 40}, {8, 64}, {9, 96}};
  memset(memory + GUARD + 8, 0xff, RING - 8);
  for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    CHECK(put(i, cases[i].length, true, false));
    CHECK_EQUAL(cases[i].end, out.position);
    CHECK_EQUAL(0, adr_box_message_at(out.ring, out.mask, out.position)->header);
  }
  for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) { get(i, cases[i].length); }
  CHECK_EQUAL(0, adr_inbox_poll(&in, 4));
}

static void goes_on_at_the_start_behind_a_pad(void) {
  for (uint64_t i = 0; i < 63; i++) {
    CHECK(put(i, 48, false, false));
    get(i, 48);
  }
  CHECK(put(63, 49, false, false)); /* a line is left, it needs two */
  CHECK_EQUAL(RING + 128, out.position);
  get(63, 49);
  CHECK_EQUAL(RING + 128, in.position);
}

static void is_full_until_the_reader_tells(void) {
  uint64_t sent = 0, got = 0;
  while (put(sent, 48, false, false)) { sent++; }
  CHECK_EQUAL(63, sent); /* the place of the next header stays free */
  get(got++, 48);
  CHECK(!put(sent, 48, false, false));
  adr_inbox_tell(&in);
  CHECK(put(sent, 48, false, false));
  for (got = 1; got < 18; got++) { get(got, 48); } /* tells by itself of every quarter */
  CHECK(put(sent + 1, 48, false, false));
}

static void shows_nothing_but_the_number_waited_for(void) {
  CHECK(put(7, 8, false, false));
  CHECK_EQUAL(0, adr_inbox_poll(&in, 6));
  CHECK_EQUAL(0, adr_inbox_poll(&in, 8));
  CHECK_EQUAL(0, adr_inbox_poll(&in, 0));
  get(7, 8);
}

static void numbers_go_round_at_44_bits(void) {
  uint64_t last = ADR_BOX_SEQUENCE_MASK;
  for (uint64_t i = last - 2; i != last + 3; i++) {
    CHECK_EQUAL(0, adr_inbox_poll(&in, i));
    CHECK(put(i, 8, i % 2 == 0, false));
    get(i, 8);
  }
}

/* Fills the room, at every word, with what would be the header of message `sequence`. */
static void fill_with_headers(uint64_t sequence, uint32_t length) {
  uint64_t header = sequence << ADR_BOX_SEQUENCE_SHIFT | (uint64_t)ADR_KIND_FIRST << ADR_BOX_KIND_SHIFT | 8;
  for (uint32_t at = 0; at + 8 <= length; at += 8) { memcpy((uint8_t *)(room.message + 1) + at, &header, 8); }
}

static void get_whole(uint64_t sequence) {
  int64_t header = adr_inbox_poll(&in, sequence);
  CHECK(header > 0);
  adr_inbox_end(&in, (uint64_t)header);
  CHECK_EQUAL(0, adr_inbox_poll(&in, sequence + 1));
}

/* Message i of every `period` has the length given for it, those beyond `count` have 8 bytes; the first is packed if
 * `packed`. */
static void old_payload_is_looked_over(const uint32_t *lengths, uint32_t count, uint32_t period, bool packed) {
  for (uint64_t ahead = 1; ahead < 150; ahead++) {
    fresh();
    for (uint64_t i = 0; i < 400; i++) {
      uint32_t length = i % period < count ? lengths[i % period] : 8;
      CHECK(adr_outbox_find(&out, length, packed && i % period == 0, &room));
      fill_with_headers(i + ahead, length);
      adr_outbox_commit(&out, &room, i, length, false);
      if (!room.packed) { adr_outbox_prepare(&out, &room); }
      get_whole(i);
    }
  }
}

/* A ring holds some 50 of these messages: headers up to 150 numbers ahead are what is found there up to three laps
 * later. */
static void old_payload_is_not_taken_for_a_header(void) {
  static const uint32_t some_long[] = {8, 300, 8, 56, 8};
  static const uint32_t crossing[] = {8, 48}; /* the second goes on into a line from the middle of one */
  old_payload_is_looked_over(some_long, 5, 5, false);
  old_payload_is_looked_over(crossing, 2, 130, true);
  old_payload_is_looked_over(crossing, 2, 7, true);
}

static void what_was_aborted_is_never_seen(void) {
  for (uint64_t ahead = 0; ahead < 100; ahead++) {
    fresh();
    for (uint64_t i = 0; i < 200; i++) {
      CHECK(adr_outbox_find(&out, 200, false, &room));
      fill_with_headers(i + ahead, 200);
      adr_outbox_abort(&out, &room);
      CHECK_EQUAL(0, adr_inbox_poll(&in, i));
      CHECK(put(i, ahead % 2 == 0 ? 8 : 100, false, false));
      get_whole(i);
    }
  }
}

static void a_burst_shows_with_its_first_header(void) {
  for (uint64_t i = 0; i < 3; i++) { CHECK(put(i, 8, true, true)); }
  CHECK_EQUAL(0, adr_box_message_at(in.ring, in.mask, 0)->header);
  CHECK(adr_box_message_at(in.ring, in.mask, 24)->header != 0);
  CHECK_EQUAL(0, adr_inbox_poll(&in, 0));
  adr_outbox_show(&out);
  for (uint64_t i = 0; i < 3; i++) { get(i, 8); }
  adr_outbox_show(&out);
  CHECK_EQUAL(0, adr_inbox_poll(&in, 3));
}

static void goes_back_in_order_whatever_the_order_of_giving(void) {
  uint64_t place[4];
  for (uint64_t i = 0; i < 4; i++) { CHECK(put(i, 8, true, false)); }
  for (uint64_t i = 0; i < 3; i++) { place[i] = adr_inbox_retain(&in, (uint64_t)look(i, 8)); }
  get(3, 8);
  CHECK_EQUAL(0, adr_inbox_release(&in, place[1]));
  CHECK_EQUAL(ADR_INVALID, adr_inbox_release(&in, place[1]));
  CHECK_EQUAL(0, entry.released);
  CHECK_EQUAL(0, adr_inbox_release(&in, place[0]));
  CHECK_EQUAL(48, entry.released);
  CHECK_EQUAL(ADR_INVALID, adr_inbox_release(&in, place[0]));
  CHECK_EQUAL(0, adr_inbox_release(&in, place[2]));
  CHECK_EQUAL(96, entry.released); /* with the one that was taken meanwhile */
  CHECK_EQUAL(ADR_INVALID, adr_inbox_release(&in, place[2]));
}

static void is_empty_only_when_nothing_comes_any_more(void) {
  CHECK(adr_inbox_is_empty(&in, 0));
  CHECK(put(5, 8, false, false));
  for (uint64_t expected = 0; expected <= 5; expected++) { CHECK(!adr_inbox_is_empty(&in, expected)); }
  get(5, 8);
  for (uint64_t i = 6; i < 200; i++) {
    CHECK(adr_inbox_is_empty(&in, i));
    CHECK(put(i, 8, false, false));
    get(i, 8);
  }
}

int main(void) {
  RUN_FRESH(begins_each_message_on_a_line);
  RUN_FRESH(puts_a_short_message_on_a_line_while_that_is_all_there_is_to_do);
  RUN_FRESH(packs_at_words_and_zeroes_the_next_place);
  RUN_FRESH(goes_on_at_the_start_behind_a_pad);
  RUN_FRESH(is_full_until_the_reader_tells);
  RUN_FRESH(shows_nothing_but_the_number_waited_for);
  RUN_FRESH(numbers_go_round_at_44_bits);
  RUN_FRESH(old_payload_is_not_taken_for_a_header);
  RUN_FRESH(what_was_aborted_is_never_seen);
  RUN_FRESH(a_burst_shows_with_its_first_header);
  RUN_FRESH(goes_back_in_order_whatever_the_order_of_giving);
  RUN_FRESH(is_empty_only_when_nothing_comes_any_more);
  return 0;
}
