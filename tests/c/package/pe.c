/* An OpenSHMEM program, in C and in C++: the PEs add to a variable of PE 0. */
#include <shmem.h>
#include <stdio.h>

static long sum;

int main(void) {
  shmem_init();
  shmem_long_atomic_add(&sum, shmem_my_pe() + 1, 0);
  void *object = shmem_malloc(8); /* waits for all */
  if (shmem_my_pe() == 0) { printf("%d PEs: %ld\n", shmem_n_pes(), shmem_long_g(&sum, 0)); }
  shmem_free(object);
  shmem_finalize();
  return 0;
}
