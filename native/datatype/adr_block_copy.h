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
  ADR_BLOCK_FAR = 4096,   /* blocks farther apart lie in pages of their own, which the CPU does not look ahead into */
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

/* Begins to fetch a block that is copied after the next one, and the place of its page. */
ADR_INLINE void adr_block_fetch(uintptr_t place, int64_t stride, int write) {
  if (stride < ADR_BLOCK_FAR && stride > -ADR_BLOCK_FAR) { return; }
  uintptr_t ahead = place + 2 * (uintptr_t)stride;
  for (uintptr_t line = 0; line < 4; line++) {
    if (write) {
      __builtin_prefetch((const void *)(ahead + line * 64), 1);
    } else {
      __builtin_prefetch((const void *)(ahead + line * 64), 0);
    }
  }
}

ADR_INLINE void adr_row_formed(uintptr_t to, int64_t to_inner, uintptr_t from, int64_t from_inner, int64_t blocks,
                               int64_t size, enum adr_block_form form, size_t whole) {
#pragma GCC unroll 4
  for (int64_t block = 0; block < blocks; block++) {
    if (form == ADR_BLOCK_LONG) {
      adr_block_fetch(to, to_inner, 1);
      adr_block_fetch(from, from_inner, 0);
    }
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

/* Blocks of equal size: rows of them at two strides, or as a table tells. */
struct adr_blocks {
  struct adr_rows to;
  struct adr_rows from;
  int64_t rows;
  int64_t blocks; /* of each row */
  const int64_t *table;
};

/* Which loop copies them: one for each form of blocks. */
enum adr_block_loop { ADR_LOOP_ROW, ADR_LOOP_ROWS, ADR_LOOP_GATHER, ADR_LOOP_SCATTER };

ADR_INLINE void adr_rows_formed(struct adr_blocks it, int64_t size, enum adr_block_form form, size_t whole) {
  for (int64_t row = 0; row < it.rows; row++) {
    adr_row_formed(it.to.at, it.to.inner, it.from.at, it.from.inner, it.blocks, size, form, whole);
    it.to.at += (uintptr_t)it.to.outer;
    it.from.at += (uintptr_t)it.from.outer;
  }
}

ADR_INLINE void adr_table_formed(struct adr_blocks it, bool gather, int64_t size, enum adr_block_form form,
                                 size_t whole) {
  for (int64_t block = 0; block < it.blocks; block++) {
    uintptr_t place = (uintptr_t)it.table[block];
    adr_block_formed(gather ? it.to.at : it.to.at + place, gather ? it.from.at + place : it.from.at, size, form, whole);
    *(gather ? &it.to.at : &it.from.at) += (uintptr_t)size;
  }
}

ADR_INLINE void adr_blocks_formed(struct adr_blocks it, enum adr_block_loop loop, int64_t size,
                                  enum adr_block_form form, size_t whole) {
  if (loop == ADR_LOOP_ROWS) {
    adr_rows_formed(it, size, form, whole);
  } else if (loop != ADR_LOOP_ROW) {
    adr_table_formed(it, loop == ADR_LOOP_GATHER, size, form, whole);
  } else if (size <= 8 && form == ADR_BLOCK_WHOLE && it.to.inner == size && it.from.inner == 2 * size
             && it.blocks >= ADR_BLOCK_ROW) {
    adr_row_halved((uint8_t *)it.to.at, (const uint8_t *)it.from.at, it.blocks, (size_t)size);
  } else {
    adr_row_formed(it.to.at, it.to.inner, it.from.at, it.from.inner, it.blocks, size, form, whole);
  }
}

/* The sizes that have loops of their own. */
ADR_INLINE void adr_blocks_sized(struct adr_blocks it, enum adr_block_loop loop, int64_t size) {
  switch (size) {
  case 1:
    adr_blocks_formed(it, loop, 1, ADR_BLOCK_WHOLE, 1);
    return;
  case 2:
    adr_blocks_formed(it, loop, 2, ADR_BLOCK_WHOLE, 2);
    return;
  case 3:
    adr_blocks_formed(it, loop, 3, ADR_BLOCK_ENDS, 2);
    return;
  case 4:
    adr_blocks_formed(it, loop, 4, ADR_BLOCK_WHOLE, 4);
    return;
  case 8:
    adr_blocks_formed(it, loop, 8, ADR_BLOCK_WHOLE, 8);
    return;
  case 16:
    adr_blocks_formed(it, loop, 16, ADR_BLOCK_WHOLE, 16);
    return;
  case 32:
    adr_blocks_formed(it, loop, 32, ADR_BLOCK_WHOLE, 32);
    return;
  case 64:
    adr_blocks_formed(it, loop, 64, ADR_BLOCK_WHOLE, 64);
    return;
  default:
    break;
  }
  if (size < 8) {
    adr_blocks_formed(it, loop, size, ADR_BLOCK_ENDS, 4);
  } else if (size < 16) {
    adr_blocks_formed(it, loop, size, ADR_BLOCK_ENDS, 8);
  } else if (size < 32) {
    adr_blocks_formed(it, loop, size, ADR_BLOCK_ENDS, 16);
  } else if (size < 64) {
    adr_blocks_formed(it, loop, size, ADR_BLOCK_ENDS, 32);
  } else if (size <= ADR_BLOCK_INLINE) {
    adr_blocks_formed(it, loop, size, ADR_BLOCK_LINES, 0);
  } else {
    adr_blocks_formed(it, loop, size, ADR_BLOCK_LONG, 0);
  }
}

/* Copies `blocks` blocks of `size` bytes each. */
static inline void adr_row_copy(uintptr_t to, int64_t to_inner, uintptr_t from, int64_t from_inner, int64_t blocks,
                                int64_t size) {
  struct adr_blocks it = {.to = {to, 0, to_inner}, .from = {from, 0, from_inner}, .blocks = blocks};
  adr_blocks_sized(it, ADR_LOOP_ROW, size);
}

/* Copies `rows` rows of `blocks` blocks of `size` bytes each: two levels in one loop. */
static inline void adr_rows_copy(struct adr_rows to, struct adr_rows from, int64_t rows, int64_t blocks, int64_t size) {
  if (blocks < ADR_BLOCK_ROW) {
    struct adr_blocks it = {.to = to, .from = from, .rows = rows, .blocks = blocks};
    adr_blocks_sized(it, ADR_LOOP_ROWS, size);
    return;
  }
  for (; rows > 0; rows--) {
    adr_row_copy(to.at, to.inner, from.at, from.inner, blocks, size);
    to.at += (uintptr_t)to.outer;
    from.at += (uintptr_t)from.outer;
  }
}

/* Copies `blocks` blocks of `size` bytes each between contiguous memory and where a table tells. */
ADR_INLINE void adr_table_copy(uintptr_t packed, uintptr_t memory, const int64_t *table, int64_t blocks, int64_t size,
                               bool pack) {
  struct adr_blocks it = {
      .to = {pack ? packed : memory, 0, 0},
      .from = {pack ? memory : packed, 0, 0},
      .blocks = blocks,
      .table = table,
  };
  adr_blocks_sized(it, pack ? ADR_LOOP_GATHER : ADR_LOOP_SCATTER, size);
}
