/* Copies of blocks of equal size between two strided places: the loops below all packing and unpacking [SCI-MPICH 2002,
 * 3.3.2]. Packing and unpacking are the same copy with its ends exchanged. Twin of io.adrastea.datatype.BlockCopy.
 *
 * Sizes of 1, 2, 4, 8, 16, 32 and 64 bytes have loops of their own; between them a block is two copies that overlap.
 * Addresses are numbers: a stride may lead anywhere behind the last block. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "base/adr_base.h"

enum {
  ADR_BLOCK_INLINE = 512, /* longer blocks are copied by a call */
  ADR_BLOCK_ROW = 32,     /* a row of so many is long enough to be copied by a loop of its own */
};

/* An end of such a copy. */
struct adr_rows {
  uintptr_t at;
  int64_t outer; /* from row to row */
  int64_t inner; /* from block to block */
};

#define ADR_INLINE static inline __attribute__((always_inline))

ADR_INLINE void adr_block_fixed(uintptr_t to, uintptr_t from, size_t size) {
  memcpy((void *)to, (const void *)from, size);
}

/* 64 bytes by 64 bytes, with a last copy that overlaps; above 64 bytes. */
ADR_INLINE void adr_block_lines(uintptr_t to, uintptr_t from, int64_t size) {
  for (int64_t done = 0; done + 64 < size; done += 64) {
    adr_block_fixed(to + (uintptr_t)done, from + (uintptr_t)done, 64);
  }
  adr_block_fixed(to + (uintptr_t)size - 64, from + (uintptr_t)size - 64, 64);
}

/* One block of any size. The two ends do not overlap. */
ADR_INLINE void adr_block_copy(uintptr_t to, uintptr_t from, int64_t size) {
  uintptr_t end = (uintptr_t)size;
  if (size > ADR_BLOCK_INLINE) {
    memcpy((void *)to, (const void *)from, end);
  } else if (size > 64) {
    adr_block_lines(to, from, size);
  } else if (size >= 32) {
    adr_block_fixed(to, from, 32);
    adr_block_fixed(to + end - 32, from + end - 32, 32);
  } else if (size >= 16) {
    adr_block_fixed(to, from, 16);
    adr_block_fixed(to + end - 16, from + end - 16, 16);
  } else if (size >= 8) {
    adr_block_fixed(to, from, 8);
    adr_block_fixed(to + end - 8, from + end - 8, 8);
  } else if (size >= 4) {
    adr_block_fixed(to, from, 4);
    adr_block_fixed(to + end - 4, from + end - 4, 4);
  } else if (size > 0) {
    adr_block_fixed(to, from, 1);
    adr_block_fixed(to + end / 2, from + end / 2, 1);
    adr_block_fixed(to + end - 1, from + end - 1, 1);
  }
}

/* What a loop of its own copies: `whole` bytes from the front, and as many up to the end. */
enum adr_block_form { ADR_BLOCK_WHOLE, ADR_BLOCK_ENDS, ADR_BLOCK_LINES, ADR_BLOCK_LONG };

ADR_INLINE void adr_block_formed(uintptr_t to, uintptr_t from, int64_t size, enum adr_block_form form, size_t whole) {
  if (form == ADR_BLOCK_LONG) {
    memcpy((void *)to, (const void *)from, (size_t)size);
  } else if (form == ADR_BLOCK_LINES) {
    adr_block_lines(to, from, size);
  } else {
    adr_block_fixed(to, from, whole);
    if (form == ADR_BLOCK_ENDS) {
      uintptr_t last = (uintptr_t)size - whole;
      adr_block_fixed(to + last, from + last, whole);
    }
  }
}

ADR_INLINE void adr_row_formed(uintptr_t to, int64_t to_inner, uintptr_t from, int64_t from_inner, int64_t blocks,
                               int64_t size, enum adr_block_form form, size_t whole) {
  for (int64_t block = 0; block < blocks; block++) {
    adr_block_formed(to, from, size, form, whole);
    to += (uintptr_t)to_inner;
    from += (uintptr_t)from_inner;
  }
}

/* Every second block of contiguous ones, such as the real parts of complex numbers: the compiler makes wide loads of
 * it.
 */
ADR_INLINE void adr_row_halved(uint8_t *restrict to, const uint8_t *restrict from, int64_t blocks, size_t size) {
  for (int64_t block = 0; block < blocks; block++) {
    memcpy(to + (size_t)block * size, from + 2 * (size_t)block * size, size);
  }
}

/* Blocks of 1, 2, 4 or 8 bytes. */
ADR_INLINE void adr_row_small(uintptr_t to, int64_t to_inner, uintptr_t from, int64_t from_inner, int64_t blocks,
                              int64_t size) {
  if (to_inner == size && from_inner == 2 * size) {
    adr_row_halved((uint8_t *)to, (const uint8_t *)from, blocks, (size_t)size);
  } else {
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_WHOLE, (size_t)size);
  }
}

/* Copies `blocks` blocks of `size` bytes each. */
static inline void adr_row_copy(uintptr_t to, int64_t to_inner, uintptr_t from, int64_t from_inner, int64_t blocks,
                                int64_t size) {
  switch (size) {
  case 1:
    adr_row_small(to, to_inner, from, from_inner, blocks, 1);
    return;
  case 2:
    adr_row_small(to, to_inner, from, from_inner, blocks, 2);
    return;
  case 4:
    adr_row_small(to, to_inner, from, from_inner, blocks, 4);
    return;
  case 8:
    adr_row_small(to, to_inner, from, from_inner, blocks, 8);
    return;
  case 16:
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_WHOLE, 16);
    return;
  case 32:
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_WHOLE, 32);
    return;
  case 64:
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_WHOLE, 64);
    return;
  case 3:
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_ENDS, 2);
    return;
  default:
    break;
  }
  if (size < 8) {
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_ENDS, 4);
  } else if (size < 16) {
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_ENDS, 8);
  } else if (size < 32) {
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_ENDS, 16);
  } else if (size < 64) {
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_ENDS, 32);
  } else if (size <= ADR_BLOCK_INLINE) {
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_LINES, 0);
  } else {
    adr_row_formed(to, to_inner, from, from_inner, blocks, size, ADR_BLOCK_LONG, 0);
  }
}

ADR_INLINE void adr_rows_formed(struct adr_rows to, struct adr_rows from, int64_t rows, int64_t blocks, int64_t size,
                                enum adr_block_form form, size_t whole) {
  for (int64_t row = 0; row < rows; row++) {
    adr_row_formed(to.at, to.inner, from.at, from.inner, blocks, size, form, whole);
    to.at += (uintptr_t)to.outer;
    from.at += (uintptr_t)from.outer;
  }
}

/* Copies `rows` rows of `blocks` blocks of `size` bytes each: two levels in one loop. */
static inline void adr_rows_copy(struct adr_rows to, struct adr_rows from, int64_t rows, int64_t blocks, int64_t size) {
  if (blocks >= ADR_BLOCK_ROW) {
    for (; rows > 0; rows--) {
      adr_row_copy(to.at, to.inner, from.at, from.inner, blocks, size);
      to.at += (uintptr_t)to.outer;
      from.at += (uintptr_t)from.outer;
    }
    return;
  }
  switch (size) {
  case 1:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_WHOLE, 1);
    return;
  case 2:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_WHOLE, 2);
    return;
  case 4:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_WHOLE, 4);
    return;
  case 8:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_WHOLE, 8);
    return;
  case 16:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_WHOLE, 16);
    return;
  case 32:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_WHOLE, 32);
    return;
  case 64:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_WHOLE, 64);
    return;
  case 3:
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_ENDS, 2);
    return;
  default:
    break;
  }
  if (size < 8) {
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_ENDS, 4);
  } else if (size < 16) {
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_ENDS, 8);
  } else if (size < 32) {
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_ENDS, 16);
  } else if (size < 64) {
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_ENDS, 32);
  } else if (size <= ADR_BLOCK_INLINE) {
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_LINES, 0);
  } else {
    adr_rows_formed(to, from, rows, blocks, size, ADR_BLOCK_LONG, 0);
  }
}

ADR_INLINE void adr_table_formed(uintptr_t packed, uintptr_t memory, const int64_t *table, int64_t blocks, int64_t size,
                                 bool pack, enum adr_block_form form, size_t whole) {
  for (int64_t block = 0; block < blocks; block++) {
    uintptr_t place = memory + (uintptr_t)table[block];
    adr_block_formed(pack ? packed : place, pack ? place : packed, size, form, whole);
    packed += (uintptr_t)size;
  }
}

/* Copies `blocks` blocks of `size` bytes each between contiguous memory and where a table tells. */
ADR_INLINE void adr_table_copy(uintptr_t packed, uintptr_t memory, const int64_t *table, int64_t blocks, int64_t size,
                               bool pack) {
  switch (size) {
  case 1:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_WHOLE, 1);
    return;
  case 2:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_WHOLE, 2);
    return;
  case 4:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_WHOLE, 4);
    return;
  case 8:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_WHOLE, 8);
    return;
  case 16:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_WHOLE, 16);
    return;
  case 32:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_WHOLE, 32);
    return;
  case 64:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_WHOLE, 64);
    return;
  case 3:
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_ENDS, 2);
    return;
  default:
    break;
  }
  if (size < 8) {
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_ENDS, 4);
  } else if (size < 16) {
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_ENDS, 8);
  } else if (size < 32) {
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_ENDS, 16);
  } else if (size < 64) {
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_ENDS, 32);
  } else if (size <= ADR_BLOCK_INLINE) {
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_LINES, 0);
  } else {
    adr_table_formed(packed, memory, table, blocks, size, pack, ADR_BLOCK_LONG, 0);
  }
}
