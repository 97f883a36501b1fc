/* The line in which a rank says why it has failed; twin of FailureReasonTest. */
#include "ranktable/adr_failure_reason.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static struct adr_rank_entry entry;
static char text[ADR_RANK_REASON_BYTES];

static const char *written(const char *reason) {
  memset((void *)entry.reason, 0xff, sizeof entry.reason);
  adr_failure_reason_write(&entry, reason);
  CHECK_EQUAL(0, ((const char *)entry.reason)[ADR_RANK_REASON_BYTES - 1]);
  adr_failure_reason_read(&entry, text);
  return text;
}

static void it_is_read_as_it_was_written(void) {
  const char *reasons[] = {"", "no license", "l\xc3\xa4uft nicht: \xe6\x9d\xb1\xe4\xba\xac \xf0\x9f\x98\x80"};
  for (size_t i = 0; i < 3; i++) { CHECK(strcmp(reasons[i], written(reasons[i])) == 0); }
}

static void check_cut(const char *start, const char *character, size_t expected) {
  char reason[1001] = "";
  strcpy(reason, start);
  while (strlen(reason) + strlen(character) < sizeof reason) { strcat(reason, character); }
  CHECK_EQUAL(expected, strlen(written(reason)));
  CHECK(strncmp(reason, text, expected) == 0);
}

static void it_is_cut_off_between_characters(void) {
  check_cut("", "a", 255);
  check_cut("", "\xc3\xa4", 254);
  check_cut("a", "\xe6\x9d\xb1", 253);
  check_cut("aa", "\xf0\x9f\x98\x80", 254);
}

static void it_is_one_line_of_utf_8_without_what_controls_a_terminal(void) {
  CHECK(strcmp("two lines, red: [31m, C1:  .", written("two\nlines, red:\x1b[31m, C1: \xc2\x9b.")) == 0);
  CHECK(strcmp("turned:  . lines:  .  . tag:  .",
               written("turned: \xe2\x80\xae. lines: \xe2\x80\xa8. \xe2\x80\xa9. tag: \xf3\xa0\x80\xa0."))
        == 0);
  CHECK(strcmp("cut ??, long ??, half ???", written("cut \xe6\x9d, long \xc0\x80, half \xed\xa0\x80")) == 0);
}

/* Neither C0 nor C1 controls, nor what turns a line (U+202A to U+202E) or ends it (U+2028, U+2029). */
static bool is_plain(const char *line) {
  for (const unsigned char *at = (const unsigned char *)line; *at != 0; at++) {
    if (*at < 0x20 || *at == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0)) { return false; }
    if (at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) { return false; }
  }
  return true;
}

static void that_of_a_broken_rank_is_a_line_whatever_it_holds(void) {
  srand(1);
  for (int i = 0; i < 10000; i++) {
    for (size_t word = 0; word < 32; word++) {
      entry.reason[word] = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
    }
    adr_failure_reason_read(&entry, text);
    CHECK(strlen(text) < ADR_RANK_REASON_BYTES);
    CHECK(is_plain(text));
  }
}

int main(void) {
  RUN(it_is_read_as_it_was_written);
  RUN(it_is_cut_off_between_characters);
  RUN(it_is_one_line_of_utf_8_without_what_controls_a_terminal);
  RUN(that_of_a_broken_rank_is_a_line_whatever_it_holds);
  return 0;
}
