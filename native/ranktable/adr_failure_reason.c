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

/* Unicode's controls, format characters and ends of lines (Cc, Cf, Zl, Zp): they end a line, or turn or hide it. */
static const struct {
  uint32_t first, last;
} unprintable[] = {
    {0x0000, 0x001f},   {0x007f, 0x009f},   {0x00ad, 0x00ad},   {0x0600, 0x0605},   {0x061c, 0x061c},
    {0x06dd, 0x06dd},   {0x070f, 0x070f},   {0x0890, 0x0891},   {0x08e2, 0x08e2},   {0x180e, 0x180e},
    {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x2064},   {0x2066, 0x206f},   {0xfeff, 0xfeff},
    {0xfff9, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f},
};

static bool is_unprintable(const uint8_t *text, size_t bytes) {
  static const uint8_t first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t point = text[0] & first_bits[bytes];
  for (size_t i = 1; i < bytes; i++) { point = point << 6 | (text[i] & 0x3fu); }
  for (size_t i = 0; i < sizeof unprintable / sizeof *unprintable; i++) {
    if (point >= unprintable[i].first && point <= unprintable[i].last) { return true; }
  }
  return false;
}

/* Copies whole characters, as many as there is room for, and fills up with NULs. */
static void copy_line(char *to, const char *from) {
  const uint8_t *text = (const uint8_t *)from;
  size_t end = 0;
  while (*text != 0) {
    size_t bytes = character(text);
    bool plain = bytes != 0 && !is_unprintable(text, bytes);
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
