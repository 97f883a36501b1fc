/* Data that is not contiguous: packed into contiguous memory, and unpacked out of it, by the program of a datatype
 * [SCI-MPICH 2002, 3.3]. Java makes the programs (io.adrastea.Datatype). No function waits; several threads may use a
 * program at a time, each with a cursor of its own. */
#ifndef ADRASTEA_DATATYPE_H
#define ADRASTEA_DATATYPE_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 64-bit words of a cursor that fits every program. */
#define ADR_DATATYPE_CURSOR_WORDS 292

/* Whether `count` words are a program: 0, or -EINVAL. The other functions believe it: they stay inside the words, and
 * touch memory only between the true bounds of each element, from offset + i x extent on. Words that another process
 * can write are to be copied first. `scratch`: 3 x `count` words, which are overwritten. */
ADR_API int32_t adr_datatype_check(const int64_t *words, int64_t count, int64_t *scratch);

/* Moves a cursor to byte `position` of the packed form of `count` elements, or behind its last one: in the time of the
 * program's levels, and of the logarithm of their tables. */
ADR_API void adr_datatype_seek(const void *program, void *cursor, int64_t count, int64_t position);

/* Copies the next `bytes` bytes of the elements that lie from `memory` + `offset` on to `packed` + `packed_offset`, and
 * moves the cursor behind them. The caller sees to it that there are so many. */
ADR_API void adr_datatype_pack(const void *program, void *cursor, const void *memory, int64_t offset, void *packed,
                               int64_t packed_offset, int64_t bytes);

/* Copies `bytes` bytes from `packed` + `packed_offset` to where the cursor stands in the elements, and moves it behind
 * them. */
ADR_API void adr_datatype_unpack(const void *program, void *cursor, void *memory, int64_t offset, const void *packed,
                                 int64_t packed_offset, int64_t bytes);

/* Copies the next `bytes` bytes of elements of one datatype to elements of another one: what packing and unpacking
 * would do, in one copy, from block to block. Moves both cursors, which stand at the same byte of the packed form or at
 * any two, behind them. The memories do not overlap; the caller sees to it that there are so many bytes at both ends.
 */
ADR_API void adr_datatype_copy(const void *to_program, void *to_cursor, void *to, int64_t to_offset,
                               const void *from_program, void *from_cursor, const void *from, int64_t from_offset,
                               int64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
