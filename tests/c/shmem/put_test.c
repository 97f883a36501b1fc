/* The last element of a put is stored once, behind the others: a PE that waits for it, and then stores there itself,
 * never finds it stored again. */
#include "pes.h"

enum { ROUNDS = 20000, MOST = 9 };

static volatile size_t elements; /* read anew in each round: a compiler that knew it would make a store of the put */

/* Two PEs put elements to each other in turn. A wait for any other value than their own mark ends with that of this
 * round; a second store of the last round's would end it before. */
#define PASSES(NAME, TYPE) \
  static void pass_##NAME(void) { \
    shmem_init(); \
    const int other = 1 - shmem_my_pe(); \
    TYPE *to = shmem_malloc(MOST * sizeof *to); \
    TYPE from[MOST]; \
    CHECK(to != NULL); \
    for (size_t count = 1; count <= MOST; count++) { \
      elements = count; \
      for (size_t i = 0; i < count; i++) { to[i] = -1; } \
      shmem_barrier_all(); \
      for (TYPE round = 0; round < ROUNDS; round++) { \
        for (size_t i = 0; i < count; i++) { from[i] = round; } \
        if (other == 1) { shmem_##NAME##_put(to, from, elements, other); } \
        shmem_##NAME##_wait_until(&to[count - 1], SHMEM_CMP_NE, -1); \
        for (size_t i = 0; i < count; i++) { CHECK(to[i] == round); } \
        to[count - 1] = -1; \
        if (other == 0) { shmem_##NAME##_put(to, from, elements, other); } \
      } \
      shmem_barrier_all(); \
    } \
    shmem_finalize(); \
  }
PASSES(int, int)
PASSES(long, long)

int main(void) {
  pes_begin();
  const int wrong = pes_run(2, 0, pass_int) + pes_run(2, 0, pass_long);
  if (wrong == 0) { printf("put_test: the last element of a put is stored once\n"); }
  return pes_end(wrong);
}
