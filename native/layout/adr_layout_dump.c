#include "layout/adr_layout_dump.h"

#include <stdio.h>

#include "layout/adr_layout.h"

struct row {
  const char *name;
  const char *field; /* NULL: a struct's own row */
  unsigned offset;
  unsigned bytes;
};

#define STRUCT_ROW(name, size) {#name, NULL, 0, size},
#define FIELD_ROW(name, field, at, size) {#name, #field, at, size},
static const struct row rows[] = {ADR_LAYOUT_STRUCTS(STRUCT_ROW, FIELD_ROW)};

static int print_row(char *text, size_t room, const struct row *row) {
  if (row->field == NULL) { return snprintf(text, room, "%s %u\n", row->name, row->bytes); }
  return snprintf(text, room, "%s.%s %u %u\n", row->name, row->field, row->offset, row->bytes);
}

size_t adr_layout_dump(char *text, size_t capacity) {
  size_t at = (size_t)snprintf(text, capacity, "layout_version %u\n", ADR_LAYOUT_VERSION);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t room = at < capacity ? capacity - at : 0;
    at += (size_t)print_row(room > 0 ? text + at : NULL, room, &rows[i]);
  }
  return at;
}

uint32_t adr_layout_crc(const void *data, size_t bytes) {
  const unsigned char *byte = data;
  uint32_t crc = ~UINT32_C(0);
  for (size_t i = 0; i < bytes; i++) {
    crc ^= byte[i];
    for (int bit = 0; bit < 8; bit++) { crc = (crc >> 1) ^ (UINT32_C(0x82f63b78) & -(crc & 1)); }
  }
  return ~crc;
}
