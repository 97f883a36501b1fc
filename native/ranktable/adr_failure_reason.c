#include "ranktable/adr_failure_reason.h"

#include <stdint.h>
#include <string.h>

enum { WORDS = ADR_RANK_REASON_BYTES / 8, MOST = ADR_RANK_REASON_BYTES - 1 };

/* Bytes of the character that begins at `text`, which ends with a NUL; 0: it is no UTF-8 (RFC 3629). */
static size_t character(const uint8_t *text) {
  uint8_t first = text[0];
  size_t bytes = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < bytes; i++) {
    if ((text[i] & 0xc0) != 0x80) { return 0; }
  }
  bool overlong = (first == 0xe0 && text[1] < 0xa0) || (first == 0xf0 && text[1] < 0x90);
  bool beyond = (first == 0xed && text[1] > 0x9f) || (first == 0xf4 && text[1] > 0x8f);
  return overlong || beyond ? 0 : bytes;
}

/* Of one byte or two: U+0000 to U+001F, U+007F to U+009F. */
static bool controls(const uint8_t *text, size_t bytes) {
  return (bytes == 1 && (text[0] < 0x20 || text[0] == 0x7f)) || (bytes == 2 && text[0] == 0xc2 && text[1] < 0xa0);
}

/* Copies whole characters, as many as there is room for, and fills up with NULs. */
static void copy_line(char *to, const char *from) {
  const uint8_t *text = (const uint8_t *)from;
  size_t end = 0;
  while (*text != 0) {
    size_t bytes = character(text);
    bool plain = bytes != 0 && !controls(text, bytes);
    size_t room = plain ? bytes : 1;
    if (end + room > MOST) { break; }
    if (plain) {
      memcpy(to + end, text, bytes);
    } else {
      to[end] = bytes == 0 ? '?' : ' ';
    }
    end += room;
    text += bytes == 0 ? 1 : bytes;
  }
  memset(to + end, 0, ADR_RANK_REASON_BYTES - end);
}

void adr_failure_reason_write(struct adr_rank_entry *entry, const char *text) {
  char line[ADR_RANK_REASON_BYTES];
  copy_line(line, text);
  for (size_t word = 0; word < WORDS; word++) {
    uint64_t value;
    memcpy(&value, line + 8 * word, sizeof value);
    adr_store_relaxed_u64(&entry->reason[word], value); /* shown by the state that follows */
  }
}

void adr_failure_reason_read(const struct adr_rank_entry *entry, char *text) {
  char line[ADR_RANK_REASON_BYTES];
  for (size_t word = 0; word < WORDS; word++) {
    uint64_t value = adr_load_relaxed_u64(&entry->reason[word]); /* behind the state that was read */
    memcpy(line + 8 * word, &value, sizeof value);
  }
  line[MOST] = 0;
  copy_line(text, line);
}
