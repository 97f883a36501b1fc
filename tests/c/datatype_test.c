/* Programs of datatypes, as tests/datatypes/programs.golden has them: packed whole and in pieces of any size, unpacked,
 * from any byte on; words that are no program are refused. */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "adrastea/datatype.h"
#include "check.h"

enum { NAME = 32, COUNT = 3, BACKGROUND = 0xa5, AROUND = 64 };

struct sample {
  char name[NAME];
  int64_t count; /* of words */
  int64_t *words;
  int64_t bytes; /* of memory */
  int64_t offset;
  int64_t length; /* packed */
  uint64_t hash;
  uint8_t *memory;
  uint8_t *packed;
};

static const char *golden;

static uint64_t hash(const uint8_t *bytes, int64_t count) {
  uint64_t value = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
  for (int64_t i = 0; i < count; i++) { value = (value ^ bytes[i]) * UINT64_C(0x100000001b3); }
  return value;
}

static uint8_t *filled(int64_t bytes, uint8_t value) {
  uint8_t *memory = malloc((size_t)bytes + 1); /* to the byte: a sanitizer watches the ends */
  CHECK(memory != NULL);
  memset(memory, value, (size_t)bytes + 1);
  return memory;
}

static bool read_sample(FILE *file, struct sample *sample) {
  if (fscanf(file, "type %31s words %" SCNd64 " memory %" SCNd64 " offset %" SCNd64 " packed %" SCNd64 " hash %" SCNx64,
             sample->name, &sample->count, &sample->bytes, &sample->offset, &sample->length, &sample->hash)
      != 6) {
    return false;
  }
  sample->words = malloc((size_t)sample->count * sizeof(int64_t));
  CHECK(sample->words != NULL);
  for (int64_t i = 0; i < sample->count; i++) { CHECK(fscanf(file, "%" SCNd64 " ", &sample->words[i]) == 1); }
  sample->memory = filled(sample->bytes, 0);
  for (int64_t i = 0; i < sample->bytes; i++) { sample->memory[i] = (uint8_t)(i * 31 + i / 251); }
  sample->packed = filled(sample->length, 0);
  return true;
}

static void with_each(void (*test)(const struct sample *sample)) {
  struct sample sample;
  int samples = 0;
  FILE *file = fopen(golden, "r");
  CHECK(file != NULL);
  for (; read_sample(file, &sample); samples++) {
    int64_t cursor[ADR_DATATYPE_CURSOR_WORDS];
    adr_datatype_seek(sample.words, cursor, COUNT, 0);
    adr_datatype_pack(sample.words, cursor, sample.memory, sample.offset, sample.packed, 0, sample.length);
    test(&sample);
    free(sample.words);
    free(sample.memory);
    free(sample.packed);
  }
  CHECK(feof(file) && samples > 10);
  fclose(file);
}

static void is_packed(const struct sample *sample) {
  if (hash(sample->packed, sample->length) != sample->hash) {
    fprintf(stderr, "%s is packed otherwise\n", sample->name);
  }
  CHECK(hash(sample->packed, sample->length) == sample->hash);
}

static void every_type_is_packed_as_in_java(void) { with_each(is_packed); }

static void in_pieces(const struct sample *sample, int64_t piece) {
  int64_t cursor[ADR_DATATYPE_CURSOR_WORDS];
  uint8_t *packed = filled(sample->length, 0);
  uint8_t *memory = filled(sample->bytes, BACKGROUND);
  uint8_t *again = filled(sample->length, 0);
  adr_datatype_seek(sample->words, cursor, COUNT, 0);
  for (int64_t at = 0; at < sample->length; at += piece) {
    int64_t part = piece < sample->length - at ? piece : sample->length - at;
    adr_datatype_pack(sample->words, cursor, sample->memory, sample->offset, packed, at, part);
    CHECK_EQUAL(at + part, cursor[0]);
  }
  CHECK(memcmp(packed, sample->packed, (size_t)sample->length) == 0);
  adr_datatype_seek(sample->words, cursor, COUNT, 0);
  for (int64_t at = 0; at < sample->length; at += piece) {
    int64_t part = piece < sample->length - at ? piece : sample->length - at;
    adr_datatype_unpack(sample->words, cursor, memory, sample->offset, packed, at, part);
  }
  adr_datatype_seek(sample->words, cursor, COUNT, 0);
  adr_datatype_pack(sample->words, cursor, memory, sample->offset, again, 0, sample->length);
  CHECK(memcmp(again, sample->packed, (size_t)sample->length) == 0);
  int64_t touched = 0;
  for (int64_t i = 0; i < sample->bytes; i++) {
    CHECK(memory[i] == BACKGROUND || memory[i] == sample->memory[i]);
    touched += memory[i] != BACKGROUND;
  }
  CHECK(touched <= sample->length);
  free(packed);
  free(memory);
  free(again);
}

static void in_many_pieces(const struct sample *sample) {
  for (int64_t piece = 1; piece <= 130; piece++) { in_pieces(sample, piece); }
  in_pieces(sample, 1000);
  in_pieces(sample, 4096);
}

static void pieces_of_any_size_are_the_whole(void) { with_each(in_many_pieces); }

static void from_everywhere(const struct sample *sample) {
  int64_t cursor[ADR_DATATYPE_CURSOR_WORDS];
  for (int64_t at = 0; at < sample->length; at++) {
    uint8_t packed[AROUND];
    int64_t part = AROUND < sample->length - at ? AROUND : sample->length - at;
    adr_datatype_seek(sample->words, cursor, COUNT, at);
    adr_datatype_pack(sample->words, cursor, sample->memory, sample->offset, packed, 0, part);
    CHECK(memcmp(packed, sample->packed + at, (size_t)part) == 0);
  }
}

static void every_byte_is_found(void) { with_each(from_everywhere); }

/* Checks a copy from one type to another: what unpacking makes of what was packed. */
static void copied(const struct sample *from, const struct sample *to, int64_t piece, int64_t start) {
  int64_t cursor[ADR_DATATYPE_CURSOR_WORDS], other[ADR_DATATYPE_CURSOR_WORDS];
  int64_t length = from->length < to->length ? from->length : to->length;
  if (start >= length) { return; }
  uint8_t *expected = filled(to->bytes, BACKGROUND);
  uint8_t *memory = filled(to->bytes, BACKGROUND);
  adr_datatype_seek(to->words, cursor, COUNT, start);
  adr_datatype_unpack(to->words, cursor, expected, to->offset, from->packed, start, length - start);
  adr_datatype_seek(to->words, cursor, COUNT, start);
  adr_datatype_seek(from->words, other, COUNT, start);
  for (int64_t at = start; at < length; at += piece) {
    int64_t part = piece < length - at ? piece : length - at;
    adr_datatype_copy(to->words, cursor, memory, to->offset, from->words, other, from->memory, from->offset, part);
    CHECK_EQUAL(at + part, cursor[0]);
    CHECK_EQUAL(at + part, other[0]);
  }
  if (memcmp(memory, expected, (size_t)to->bytes) != 0) {
    fprintf(stderr, "%s to %s in pieces of %" PRId64 "\n", from->name, to->name, piece);
  }
  CHECK(memcmp(memory, expected, (size_t)to->bytes) == 0);
  free(expected);
  free(memory);
}

static const struct sample *copied_from;

static void copied_to(const struct sample *to) {
  static const int64_t pieces[] = {1, 3, 8, 17, 64, 129, 1000, INT64_MAX / 2};
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
    copied(copied_from, to, pieces[i], 0);
    copied(copied_from, to, pieces[i], 13);
  }
}

static void copied_to_each(const struct sample *from) {
  copied_from = from;
  with_each(copied_to);
}

static void one_copy_is_pack_and_unpack(void) { with_each(copied_to_each); }

static void spoiled(const struct sample *sample) {
  int64_t *words = malloc((size_t)sample->count * 4 * sizeof(int64_t));
  CHECK(words != NULL);
  int64_t *scratch = words + sample->count;
  memcpy(words, sample->words, (size_t)sample->count * sizeof(int64_t));
  CHECK_EQUAL(0, adr_datatype_check(words, sample->count, scratch));
  CHECK_EQUAL(-22, adr_datatype_check(words, sample->count - 1, scratch));
  for (int64_t i = 0; i < 8; i++) { /* each word of the head is told by the rest */
    words[i] += 1;
    CHECK_EQUAL(-22, adr_datatype_check(words, sample->count, scratch));
    words[i] -= 1;
  }
  for (int64_t i = 8; i < sample->count; i++) { /* none leads to an endless loop, or outside */
    int64_t word = words[i];
    static const int64_t others[] = {0, -1, INT64_MAX, INT64_MIN, 1 << 20};
    for (size_t j = 0; j < sizeof others / sizeof others[0]; j++) {
      words[i] = others[j];
      adr_datatype_check(words, sample->count, scratch);
    }
    words[i] = word;
  }
  CHECK_EQUAL(0, adr_datatype_check(words, sample->count, scratch));
  free(words);
}

static void words_that_are_no_program_are_refused(void) { with_each(spoiled); }

int main(int count, char **arguments) {
  CHECK(count == 2);
  golden = arguments[1];
  RUN(every_type_is_packed_as_in_java);
  RUN(pieces_of_any_size_are_the_whole);
  RUN(every_byte_is_found);
  RUN(one_copy_is_pack_and_unpack);
  RUN(words_that_are_no_program_are_refused);
  return 0;
}
