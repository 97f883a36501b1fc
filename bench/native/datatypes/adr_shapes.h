/* Messages that are not contiguous, as io.adrastea.bench.datatypes.Cases describes them in a text, and for each end the
 * loop that a program without datatypes has for it. Compiled into adrastea-datatypes, and at run time into
 * adr_mpi_datatypes. The text holds words with blanks or line ends between them:
 *   case GROUP NUMBER NAME MEMORY_BYTES MESSAGE_BYTES send LAYOUT receive LAYOUT ... end
 *   LAYOUT: ORIGIN COUNT_OF_WORDS WORDS_OF_A_DATATYPE... LOOP
 *   LOOP: boxes N (AT PLANES PLANE_STRIDE ROWS ROW_STRIDE ROW_BYTES)...
 *         gather N (AT FLOATS COUNT INDEX...)...
 *         atoms COORDINATES N PROPERTY... COUNT INDEX...
 *         columns AT COLUMNS ROWS ROW_STRIDE
 * Places and strides are in bytes, places from the beginning of the memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_NAME = 64, SHAPE_FLOAT = 4, SHAPE_DOUBLE = 8, SHAPE_COMPLEX = 16, SHAPE_LINE = 64 };

/* Rows in planes. */
struct shape_box {
  int64_t at, planes, plane_stride, rows, row_stride, row_bytes;
};

/* Entries of an array of floats by their indices. */
struct shape_points {
  int64_t at, floats, count;
  int64_t *indices;
};

enum shape_loop_kind { SHAPE_BOXES, SHAPE_GATHER, SHAPE_ATOMS, SHAPE_COLUMNS };

struct shape_loop {
  enum shape_loop_kind kind;
  int64_t parts;
  struct shape_box *boxes;
  struct shape_points *points; /* of atoms one: `at` is that of the coordinates */
  int64_t *properties;
  int64_t at, columns, rows, row_stride;
};

struct shape_layout {
  int64_t origin;
  const char *type; /* the words of its datatype, in the text */
  struct shape_loop loop;
};

struct shape {
  char group[SHAPE_NAME], name[SHAPE_NAME];
  int64_t number, memory_bytes, bytes;
  struct shape_layout send, receive;
};

/* The text is ours: what does not fit ends the program. */
static inline void shape_fail(const char *what) {
  fprintf(stderr, "the text of the cases: %s\n", what);
  exit(2);
}

static inline void *shape_room(int64_t count, size_t bytes) {
  void *room = calloc((size_t)(count > 0 ? count : 1), bytes);
  if (room == NULL) { shape_fail("no memory for it"); }
  return room;
}

static inline const char *shape_skip_blanks(const char *at) { return at + strspn(at, " \n"); }

static inline size_t shape_word_length(const char *at) { return strcspn(at, " \n"); }

/* Reads a word into `word`, which has room for SHAPE_NAME bytes. */
static inline void shape_word(const char **text, char *word) {
  const char *at = shape_skip_blanks(*text);
  size_t length = shape_word_length(at);
  if (length == 0 || length >= SHAPE_NAME) { shape_fail("a word is missing, or too long"); }
  memcpy(word, at, length);
  word[length] = 0;
  *text = at + length;
}

static inline int64_t shape_number(const char **text) {
  char *end;
  int64_t number = strtoll(*text, &end, 10);
  if (end == *text) { shape_fail("a number is missing"); }
  *text = end;
  return number;
}

static inline int64_t *shape_numbers(const char **text, int64_t count) {
  int64_t *numbers = shape_room(count, sizeof *numbers);
  for (int64_t i = 0; i < count; i++) { numbers[i] = shape_number(text); }
  return numbers;
}

static inline void shape_read_points(const char **text, struct shape_points *points) {
  points->count = shape_number(text);
  points->indices = shape_numbers(text, points->count);
}

static inline void shape_read_loop(const char **text, struct shape_loop *loop) {
  char kind[SHAPE_NAME];
  shape_word(text, kind);
  if (strcmp(kind, "boxes") == 0) {
    loop->kind = SHAPE_BOXES;
    loop->parts = shape_number(text);
    loop->boxes = shape_room(loop->parts, sizeof *loop->boxes);
    for (int64_t i = 0; i < loop->parts; i++) {
      int64_t *numbers = shape_numbers(text, sizeof *loop->boxes / sizeof *numbers);
      memcpy(&loop->boxes[i], numbers, sizeof *loop->boxes);
      free(numbers);
    }
  } else if (strcmp(kind, "gather") == 0) {
    loop->kind = SHAPE_GATHER;
    loop->parts = shape_number(text);
    loop->points = shape_room(loop->parts, sizeof *loop->points);
    for (int64_t i = 0; i < loop->parts; i++) {
      loop->points[i].at = shape_number(text);
      loop->points[i].floats = shape_number(text);
      shape_read_points(text, &loop->points[i]);
    }
  } else if (strcmp(kind, "atoms") == 0) {
    loop->kind = SHAPE_ATOMS;
    loop->points = shape_room(1, sizeof *loop->points);
    loop->points->at = shape_number(text);
    loop->parts = shape_number(text);
    loop->properties = shape_numbers(text, loop->parts);
    shape_read_points(text, loop->points);
  } else if (strcmp(kind, "columns") == 0) {
    loop->kind = SHAPE_COLUMNS;
    loop->at = shape_number(text);
    loop->columns = shape_number(text);
    loop->rows = shape_number(text);
    loop->row_stride = shape_number(text);
  } else {
    shape_fail("there is no such loop");
  }
}

static inline void shape_read_layout(const char **text, const char *expected, struct shape_layout *layout) {
  char word[SHAPE_NAME];
  shape_word(text, word);
  if (strcmp(word, expected) != 0) { shape_fail("an end of the message is missing"); }
  layout->origin = shape_number(text);
  int64_t words = shape_number(text);
  layout->type = shape_skip_blanks(*text);
  for (*text = layout->type; words > 0; words--) { *text = shape_skip_blanks(*text + shape_word_length(*text)); }
  shape_read_loop(text, &layout->loop);
}

/* Reads all cases of a file; the memory that they lie in stays until the end of the process. */
static inline struct shape *shape_read_all(const char *file, int64_t *count) {
  FILE *stream = fopen(file, "rb");
  if (stream == NULL || fseek(stream, 0, SEEK_END) != 0) { shape_fail("it cannot be read"); }
  long bytes = ftell(stream);
  char *all = shape_room(bytes + 1, 1);
  rewind(stream);
  if (fread(all, 1, (size_t)bytes, stream) != (size_t)bytes) { shape_fail("it cannot be read"); }
  fclose(stream);
  struct shape *shapes = NULL;
  char word[SHAPE_NAME];
  const char *text = all;
  for (*count = 0, shape_word(&text, word); strcmp(word, "case") == 0; (*count)++, shape_word(&text, word)) {
    shapes = realloc(shapes, (size_t)(*count + 1) * sizeof *shapes);
    if (shapes == NULL) { shape_fail("no memory for it"); }
    struct shape *shape = &shapes[*count];
    memset(shape, 0, sizeof *shape);
    shape_word(&text, shape->group);
    shape->number = shape_number(&text);
    shape_word(&text, shape->name);
    shape->memory_bytes = shape_number(&text);
    shape->bytes = shape_number(&text);
    shape_read_layout(&text, "send", &shape->send);
    shape_read_layout(&text, "receive", &shape->receive);
  }
  if (strcmp(word, "end") != 0) { shape_fail("its end is missing"); }
  return shapes;
}

/* The case of a group, whose name ends at the `-` of a command, by its number; NULL when there is none. */
static inline struct shape *shape_find(struct shape *shapes, int64_t count, const char *command, int64_t number) {
  for (int64_t i = 0; i < count; i++) {
    size_t length = strlen(shapes[i].group);
    bool named = strncmp(shapes[i].group, command, length) == 0 && command[length] == '-';
    if (named && shapes[i].number == number) { return &shapes[i]; }
  }
  return NULL;
}

/* Rows of a length that the compiler knows. */
static inline __attribute__((always_inline)) void shape_rows_of(char *restrict to, int64_t to_stride,
                                                                const char *restrict from, int64_t from_stride,
                                                                int64_t rows, size_t bytes) {
  for (int64_t row = 0; row < rows; row++) { memcpy(to + row * to_stride, from + row * from_stride, bytes); }
}

#define SHAPE_PACK(bytes) shape_rows_of(packed, bytes, memory, stride, rows, bytes)
#define SHAPE_UNPACK(bytes) shape_rows_of(memory, stride, packed, bytes, rows, bytes)

static inline void shape_pack_rows(char *packed, const char *memory, int64_t stride, int64_t rows, int64_t bytes) {
  switch (bytes) {
  case 4:
    SHAPE_PACK(4);
    break;
  case 8:
    SHAPE_PACK(8);
    break;
  case 12:
    SHAPE_PACK(12);
    break;
  case 16:
    SHAPE_PACK(16);
    break;
  case 32:
    SHAPE_PACK(32);
    break;
  case 40:
    SHAPE_PACK(40);
    break;
  case 64:
    SHAPE_PACK(64);
    break;
  case 128:
    SHAPE_PACK(128);
    break;
  default:
    SHAPE_PACK((size_t)bytes);
  }
}

static inline void shape_unpack_rows(const char *packed, char *memory, int64_t stride, int64_t rows, int64_t bytes) {
  switch (bytes) {
  case 4:
    SHAPE_UNPACK(4);
    break;
  case 8:
    SHAPE_UNPACK(8);
    break;
  case 12:
    SHAPE_UNPACK(12);
    break;
  case 16:
    SHAPE_UNPACK(16);
    break;
  case 32:
    SHAPE_UNPACK(32);
    break;
  case 40:
    SHAPE_UNPACK(40);
    break;
  case 64:
    SHAPE_UNPACK(64);
    break;
  case 128:
    SHAPE_UNPACK(128);
    break;
  default:
    SHAPE_UNPACK((size_t)bytes);
  }
}

static inline void shape_boxes(const struct shape_loop *loop, char *memory, char *packed, bool packs) {
  for (int64_t i = 0; i < loop->parts; i++) {
    const struct shape_box *box = &loop->boxes[i];
    for (int64_t plane = 0; plane < box->planes; plane++) {
      char *rows = memory + box->at + plane * box->plane_stride;
      if (packs) {
        shape_pack_rows(packed, rows, box->row_stride, box->rows, box->row_bytes);
      } else {
        shape_unpack_rows(packed, rows, box->row_stride, box->rows, box->row_bytes);
      }
      packed += box->rows * box->row_bytes;
    }
  }
}

/* Entries of a length that the compiler knows. */
static inline __attribute__((always_inline)) void shape_entries(const struct shape_points *points, char *restrict array,
                                                                char *restrict packed, size_t bytes, bool packs) {
  for (int64_t i = 0; i < points->count; i++) {
    char *entry = array + points->indices[i] * (int64_t)bytes;
    char *place = packed + i * (int64_t)bytes;
    if (packs) {
      memcpy(place, entry, bytes);
    } else {
      memcpy(entry, place, bytes);
    }
  }
}

static inline void shape_gather(const struct shape_loop *loop, char *memory, char *packed, bool packs) {
  for (int64_t i = 0; i < loop->parts; i++) {
    const struct shape_points *points = &loop->points[i];
    if (points->floats == 1) {
      shape_entries(points, memory + points->at, packed, SHAPE_FLOAT, packs);
    } else {
      shape_entries(points, memory + points->at, packed, 3 * SHAPE_FLOAT, packs);
    }
    packed += points->count * points->floats * SHAPE_FLOAT;
  }
}

/* Atoms with a number of properties that the compiler knows. */
static inline __attribute__((always_inline)) void shape_atoms_of(const struct shape_loop *loop, char *restrict memory,
                                                                 char *restrict packed, int64_t properties,
                                                                 bool packs) {
  const struct shape_points *points = loop->points;
  for (int64_t i = 0; i < points->count; i++) {
    int64_t atom = points->indices[i];
    char *place = packed + i * (3 + properties) * SHAPE_DOUBLE;
    char *coordinates = memory + points->at + 3 * SHAPE_DOUBLE * atom;
    memcpy(packs ? place : coordinates, packs ? coordinates : place, 3 * SHAPE_DOUBLE);
    for (int64_t property = 0; property < properties; property++) {
      char *value = memory + loop->properties[property] + SHAPE_DOUBLE * atom;
      char *in_place = place + (3 + property) * SHAPE_DOUBLE;
      memcpy(packs ? in_place : value, packs ? value : in_place, SHAPE_DOUBLE);
    }
  }
}

static inline void shape_atoms(const struct shape_loop *loop, char *memory, char *packed, bool packs) {
  if (loop->parts == 5) {
    shape_atoms_of(loop, memory, packed, 5, packs);
  } else if (loop->parts == 3) {
    shape_atoms_of(loop, memory, packed, 3, packs);
  } else {
    shape_atoms_of(loop, memory, packed, loop->parts, packs);
  }
}

/* Columns of complex numbers, one behind the other in the buffer. */
static inline void shape_columns(const struct shape_loop *loop, char *memory, char *packed, bool packs) {
  for (int64_t row = 0; row < loop->rows; row++) {
    for (int64_t column = 0; column < loop->columns; column++) {
      char *number = memory + loop->at + row * loop->row_stride + column * SHAPE_COMPLEX;
      char *place = packed + (column * loop->rows + row) * SHAPE_COMPLEX;
      memcpy(packs ? place : number, packs ? number : place, SHAPE_COMPLEX);
    }
  }
}

/* Each direction is compiled for itself. */
static inline __attribute__((always_inline)) void shape_move(const struct shape_loop *loop, char *memory, char *packed,
                                                             bool packs) {
  switch (loop->kind) {
  case SHAPE_BOXES:
    shape_boxes(loop, memory, packed, packs);
    break;
  case SHAPE_GATHER:
    shape_gather(loop, memory, packed, packs);
    break;
  case SHAPE_ATOMS:
    shape_atoms(loop, memory, packed, packs);
    break;
  case SHAPE_COLUMNS:
    shape_columns(loop, memory, packed, packs);
    break;
  }
}

/* Packs by the hand-written loop. */
static inline void shape_pack(const struct shape_loop *loop, char *memory, char *packed) {
  shape_move(loop, memory, packed, true);
}

/* Unpacks by it. */
static inline void shape_unpack(const struct shape_loop *loop, char *packed, char *memory) {
  shape_move(loop, memory, packed, false);
}
