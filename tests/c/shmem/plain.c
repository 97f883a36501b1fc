/* A program that all languages have in common: C99, C11, C++. */
#include <mpp/shmem.h>
#include <pshmem.h>

static long word;

static void (*const put)(int *, const int *, size_t, int) = shmem_int_put;

int main(void) {
  int value = 1;
  shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
  shmem_init();
  shmem_int_p(&value, 2, 0);
  pshmem_int_p(&value, 2, 0);
  put(&value, &value, 1, 0);
  shmem_ctx_double_g(ctx, (const double *)shmem_malloc(8), 0);
  shmem_longdouble_p((long double *)shmem_malloc(16), 1, 0);
  shmem_long_atomic_inc(&word, 0);
  shmem_wait_until(&word, SHMEM_CMP_GE, 1L);
  shmem_finalize();
  return _SHMEM_CMP_EQ + SHMEM_MAJOR_VERSION - 1;
}
