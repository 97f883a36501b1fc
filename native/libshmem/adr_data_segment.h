/* The variables of a program, global and static, as symmetric memory: their pages become a part of the segment that
 * other PEs have mapped, at the addresses that they have. After "Implementing OpenSHMEM for Cray XMT and Linux", Brian
 * W. Barrett et al., section 4.1 and Fig. 2, where the data section is exported by XPMEM; here it is moved.
 *
 *       PT_LOAD of the program that can be written
 *   +-----------------+------------------------------+---------+
 *   | GNU_RELRO       | .data                        | .bss    |      stretch: what lies behind GNU_RELRO, in whole
 *   +-----------------+------------------------------+---------+      pages; the break of the heap is behind it
 *                     |<------------ bytes -------------------->|
 *   segment's file:   |     the PE's part, at its data_start    |
 *
 * What is not in it: constants, GNU_RELRO (the loader made it read-only), thread-local variables, variables of shared
 * libraries, among them this library's own state, which therefore does not move under the code that moves it. An object
 * of a library that the program has by a copy relocation (stdout, environ) is a variable of the program and moves.
 *
 * A process has one such stretch, and moves it once at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct adr_data_segment {
  char *start;         /* of the stretch, at the beginning of a page; NULL: not found */
  int64_t bytes;       /* whole pages */
  char *untouched;     /* from here on no file lies behind the pages: they are zero until they are touched */
  uint64_t program[2]; /* what the program is: alike in processes whose variables lie at the same offsets */
  bool moved;          /* whether its pages are those of the segment's file, below */
  int descriptor;      /* the library's that gave it, which closes it */
  int64_t offset;      /* of the stretch in the file */
  dev_t device;        /* of the file, since a program may close every descriptor it finds */
  ino_t inode;
};

/* Finds the stretch of the running program, and what tells the program from others: its build-id or, where it has none,
 * a hash of its code and constants. Changes nothing. Returns 0; or fills `why` with one line that says what stands
 * against it, and returns -EBUSY: the process has more than one thread, so that nobody can move its variables
 * (whoever calls this may start threads afterwards that leave variables of the program alone); -ENOTSUP: they lie so
 * that they cannot be moved; or another -errno. */
int adr_data_segment_find(struct adr_data_segment *data, char *why, size_t size);

/* Copies the stretch into the file at `offset` and maps that over the stretch. There the file has `data->bytes` bytes
 * that are reserved and zero. No thread of the program may run beside this one. From now on forks give the child a copy
 * of its own. Returns 0; or fills `why`, changes nothing and returns -errno. */
int adr_data_segment_move(struct adr_data_segment *data, int descriptor, int64_t offset, char *why, size_t size);

/* Gives the process memory of its own again at the same addresses, with what the stretch holds. Other threads may run
 * and write to it, and lose nothing; other processes must not write to it any more. Nothing happens where it has not
 * been moved. Returns 0; or fills `why`, and returns -errno: the stretch is still the file's. */
int adr_data_segment_return(struct adr_data_segment *data, char *why, size_t size);

/* What lies at an address, as words of an error message: "a constant of the program", "the variable 'x' of the library
 * libfoo.so", "memory of a stack". Slow. The text is the calling thread's until its next call. */
const char *adr_data_segment_what(const void *address);
