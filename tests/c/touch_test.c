/* What the benches do with messages before they are sent and after they came: the loop of the floor and of the peers in
 * C. */
#include <string.h>

#include "check.h"
#include "touch/adr_touch.h"

enum { LONGEST = 4096, ROUNDS = 5 };

static uint8_t message[LONGEST];

/* Messages of one length from one side to the other; then one of which a byte is wrong, if there is a word to tell. */
static void check_length(uint64_t bytes) {
  struct touch writer, reader;
  memset(message, 1, sizeof message);
  touch_begin(&writer, bytes, true);
  touch_begin(&reader, bytes, true);
  for (int batch = 0; batch < 3; batch++) {
    for (int i = 0; i < ROUNDS + batch; i++) {
      touch_write(&writer, message, bytes);
      touch_read(&reader, message, bytes);
    }
    CHECK(touch_check(&reader));
  }
  touch_write(&writer, message, bytes);
  if (bytes > 0) { message[0] ^= 1; }
  touch_read(&reader, message, bytes);
  CHECK_EQUAL(bytes < sizeof(uint64_t), touch_check(&reader));
  touch_write(&writer, message, bytes);
  touch_read(&reader, message, bytes);
  CHECK(touch_check(&reader));
  touch_read(&reader, message, bytes); /* again that of the time before */
  CHECK_EQUAL(bytes < sizeof(uint64_t), touch_check(&reader));
  for (uint64_t at = bytes; at < sizeof message; at++) { CHECK_EQUAL(1, message[at]); }
}

static void tells_whether_what_was_read_was_written(void) {
  static const uint64_t lengths[] = {0, 1, 7, 8, 13, 64, 255, 256, 257, 1000, LONGEST};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) { check_length(lengths[i]); }
}

static void writes_short_messages_whole_and_a_word_of_each_line_of_longer_ones(void) {
  struct touch writer;
  for (uint64_t bytes = 1; bytes <= 1024; bytes++) {
    memset(message, 0xEE, sizeof message);
    touch_begin(&writer, bytes, true);
    touch_write(&writer, message, bytes);
    for (uint64_t at = 0; at < bytes; at++) {
      bool written = bytes <= TOUCH_WHOLE || (at % TOUCH_LINE < 8 && at / TOUCH_LINE * TOUCH_LINE + 8 <= bytes);
      CHECK_EQUAL(!written, message[at] == 0xEE && message[at - at % 8] == 0xEE);
    }
  }
}

static void leaves_messages_alone_unless_asked_to(void) {
  struct touch idle;
  memset(message, 1, sizeof message);
  touch_begin(&idle, LONGEST, false);
  touch_write(&idle, message, LONGEST);
  touch_read(&idle, message, LONGEST);
  CHECK_EQUAL(1, message[0]);
  CHECK(touch_check(&idle));
}

static void takes_turns_in_four_buffers_where_they_fit(void) {
  CHECK_EQUAL(4, touch_buffers(0));
  CHECK_EQUAL(4, touch_buffers(16 << 20));
  CHECK_EQUAL(3, touch_buffers((16 << 20) + 1));
  CHECK_EQUAL(1, touch_buffers(1u << 30));
  CHECK_EQUAL(64, touch_stride(0));
  CHECK_EQUAL(128, touch_stride(65));
}

int main(void) {
  RUN(tells_whether_what_was_read_was_written);
  RUN(writes_short_messages_whole_and_a_word_of_each_line_of_longer_ones);
  RUN(leaves_messages_alone_unless_asked_to);
  RUN(takes_turns_in_four_buffers_where_they_fit);
  return 0;
}
