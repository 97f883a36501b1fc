/* What each PE tells all others when it makes a symmetric heap, and when it allocates or frees in one: the same bytes
 * as those of io.adrastea.engine.symmetric.SymmetricHeaps and SymmetricLine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "adrastea/shmem.h"

/* Parts begin at multiples of so many bytes: a huge page of most machines. */
#define ADR_SYMMETRIC_STRIDE_UNIT (UINT64_C(2) << 20)

/* What a PE asks for. */
struct adr_symmetric_wish {
  int64_t heap_bytes;
  struct adr_shmem_data data; /* of Java: none */
};
_Static_assert(sizeof(struct adr_symmetric_wish) == 32, "Java has the same bytes");

/* What a PE agrees to when it has made its side. */
enum { ADR_SYMMETRIC_HAS_MAPPED = 1, ADR_SYMMETRIC_HAS_ROOM = 2 };

/* What a PE calls. */
enum { ADR_SYMMETRIC_ALLOCATE = 1, ADR_SYMMETRIC_REALLOCATE = 2, ADR_SYMMETRIC_FREE = 3 };

/* Whether it can be done there. */
enum {
  ADR_SYMMETRIC_ABLE = 0,
  ADR_SYMMETRIC_NO_PLACE = 1, /* the heap has no place for the object */
  ADR_SYMMETRIC_NO_PAGES = 2, /* the system has no room for its pages, or for the record of it */
};

struct adr_symmetric_line {
  uint64_t hash; /* of all calls before */
  int64_t call;
  int64_t bytes;
  int64_t argument; /* the alignment of what is allocated, the offset of what there is */
  int64_t status;
};
_Static_assert(sizeof(struct adr_symmetric_line) == 40, "Java has the same bytes");

/* Whether two PEs make the same call, and have made the same ones before. */
bool adr_symmetric_line_is_like(const struct adr_symmetric_line *line, const struct adr_symmetric_line *other);

/* Writes what a PE calls: "frees the object at offset 64". */
void adr_symmetric_line_say(const struct adr_symmetric_line *line, char *text, size_t size);
