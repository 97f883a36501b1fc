/* Calls on the job, which is for one thread at a time, and waits. */
#include "libshmem/adr_libshmem.h"

void adr_libshmem_enter(void) {}
void adr_libshmem_leave(void) {}

void adr_libshmem_await(const char *routine, adr_shmem_met met, adr_shmem_what what, const void *words) {
  if (met(words)) { return; }
  adr_libshmem_enter();
  int result = adr_shmem_await(adr_libshmem.shmem, met, what, words);
  adr_libshmem_leave();
  adr_libshmem_check(routine, result);
}
