/* Calls on the job, which is for one thread at a time, and waits, which let others in. */
#include "libshmem/adr_libshmem.h"

static _Thread_local bool inside;

void adr_libshmem_enter(void) {
  adr_job_enter(adr_libshmem.job);
  inside = true;
}

void adr_libshmem_leave(void) {
  inside = false;
  adr_job_exit(adr_libshmem.job);
}

bool adr_libshmem_is_inside(void) { return inside; }

void adr_libshmem_await(const char *routine, adr_shmem_met met, adr_shmem_what what, const void *words) {
  if (met(words)) { return; }
  adr_libshmem_enter();
  adr_libshmem_check(routine, adr_shmem_await(adr_libshmem.shmem, met, what, words));
  adr_libshmem_leave();
}
