/* Words of another process as the program of a datatype: refused, or packed and unpacked by, between the true bounds
 * that it tells and nowhere else. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "adrastea/datatype.h"
#include "datatype/adr_program.h"
#include "fuzz_beside.h"

enum { MOST_WORDS = 512, MOST_BYTES = 1 << 16 };

static uint8_t *fresh(int64_t bytes) {
  uint8_t *memory = malloc((size_t)bytes + (bytes == 0)); /* to the byte: AddressSanitizer watches the ends */
  fuzz_require(memory != NULL, "no memory");
  memset(memory, 1, (size_t)bytes);
  return memory;
}

static void move(const struct adr_program *program, struct fuzz_input *in) {
  int64_t span = program->true_upper - program->true_lower;
  if (span < 0 || span > MOST_BYTES || program->size > MOST_BYTES) { return; }
  uint8_t *memory = fresh(span);
  uint8_t *packed = fresh(program->size);
  int64_t *cursor = malloc((4 + 4 * (size_t)program->levels) * sizeof(int64_t));
  fuzz_require(cursor != NULL, "no memory");
  adr_datatype_seek(program, cursor, 1, 0);
  for (int64_t at = 0; at < program->size;) {
    int64_t piece = 1 + fuzz_u16(in) % (in->left > 0 ? 300 : MOST_BYTES);
    if (piece > program->size - at) { piece = program->size - at; }
    uint32_t what = fuzz_below(in, 4);
    if (what == 0) { adr_datatype_seek(program, cursor, 1, at); }
    if (what == 1) {
      adr_datatype_unpack(program, cursor, memory, -program->true_lower, packed, at, piece);
    } else {
      adr_datatype_pack(program, cursor, memory, -program->true_lower, packed, at, piece);
    }
    at += piece;
    fuzz_require(cursor[0] == at, "the cursor stands elsewhere");
  }
  free(memory);
  free(packed);
  free(cursor);
}

/* Copies to another place of the same layout, or of one that is contiguous, and back. */
static void copy(const struct adr_program *program, struct fuzz_input *in) {
  int64_t span = program->true_upper - program->true_lower;
  int64_t size = program->size;
  if (span < 0 || span > MOST_BYTES || size <= 0 || size > MOST_BYTES) { return; }
  const int64_t whole[] = {ADR_PROGRAM_MAGIC, 24, size, size, 0, size, 2, 2, ADR_NODE_LOOP, 0, 0, 1, size, size, 1, 1,
                           ADR_NODE_BLOCKS,   0,  0,    1,    0, size, 0, 0};
  bool contiguous = fuzz_below(in, 2) == 0;
  const void *other = contiguous ? (const void *)whole : program;
  int64_t other_span = contiguous ? size : span, other_offset = contiguous ? 0 : -program->true_lower;
  uint8_t *memory = fresh(span);
  uint8_t *far = fresh(other_span);
  int64_t *cursor = malloc((4 + 4 * (size_t)program->levels) * sizeof(int64_t));
  int64_t *far_cursor = malloc((4 + 4 * ((size_t)program->levels + 2)) * sizeof(int64_t));
  fuzz_require(cursor != NULL && far_cursor != NULL, "no memory");
  adr_datatype_seek(program, cursor, 1, 0);
  adr_datatype_seek(other, far_cursor, 1, 0);
  for (int64_t at = 0; at < size;) {
    int64_t piece = 1 + fuzz_u16(in) % (in->left > 0 ? 300 : MOST_BYTES);
    if (piece > size - at) { piece = size - at; }
    if (fuzz_below(in, 2) == 0) {
      adr_datatype_copy(program, cursor, memory, -program->true_lower, other, far_cursor, far, other_offset, piece);
    } else {
      adr_datatype_copy(other, far_cursor, far, other_offset, program, cursor, memory, -program->true_lower, piece);
    }
    at += piece;
    fuzz_require(cursor[0] == at && far_cursor[0] == at, "a cursor stands elsewhere");
  }
  free(memory);
  free(far);
  free(cursor);
  free(far_cursor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  int64_t count = (int64_t)(size / sizeof(int64_t));
  if (count < ADR_PROGRAM_HEAD_WORDS || count > MOST_WORDS) { return 0; }
  int64_t *words = malloc((size_t)count * sizeof(int64_t));
  int64_t *scratch = malloc((size_t)count * 3 * sizeof(int64_t));
  fuzz_require(words != NULL && scratch != NULL, "no memory");
  memcpy(words, bytes, (size_t)count * sizeof(int64_t));
  words[0] = ADR_PROGRAM_MAGIC; /* so that changes of the input reach what is behind */
  words[1] = count;
  int32_t status = adr_datatype_check(words, count, scratch);
  fuzz_require(status == 0 || status == -22, "no such result");
  if (status == 0) {
    struct fuzz_input in = {bytes + 8 * count, size - 8 * (size_t)count};
    move((const struct adr_program *)words, &in);
    copy((const struct adr_program *)words, &in);
  }
  free(words);
  free(scratch);
  return 0;
}
