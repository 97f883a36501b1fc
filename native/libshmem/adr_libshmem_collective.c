/* Twin of io.adrastea.shmem.Team: the same calls of the communicator, in the same order. */
#include "libshmem/adr_libshmem_collective.h"

#include <stdlib.h>
#include <string.h>

#include "libshmem/adr_libshmem.h"

static int check(const struct adr_libshmem_team *team, int result) { return adr_libshmem_check(team->routine, result); }

static int leave(void) {
  adr_libshmem_leave();
  return 0;
}

void adr_libshmem_sync(struct adr_libshmem_team *team) {
  check(team, adr_comm_barrier(team->comm));
  leave();
}

void adr_libshmem_barrier(struct adr_libshmem_team *team) {
  shmem_quiet();
  adr_libshmem_sync(team);
}

/* Where a place of this PE lies in its part of symmetric memory: others reach it there without a copy in between. */
static void *here(const struct adr_libshmem_team *team, const void *address, size_t bytes) {
  if (bytes == 0) { return (void *)(uintptr_t)address; }
  return adr_libshmem_at(team->routine, address, bytes, adr_libshmem.pe);
}

/* Bytes of so many elements, so many times; ends the job where nothing can be so long. */
static size_t bytes_of(const struct adr_libshmem_team *team, size_t count, size_t size, size_t times) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || __builtin_mul_overflow(bytes, times, &bytes)) {
    adr_libshmem_fail(team->routine, "%zu elements of %zu bytes for each of %zu PEs; there cannot be so many", count,
                      size, times);
  }
  return bytes;
}

int adr_libshmem_broadcast(struct adr_libshmem_team *team, struct adr_libshmem_data data, int root, bool copies) {
  if (root < 0 || root >= team->pes) {
    adr_libshmem_fail(team->routine, "there is no root PE %d; allowed are 0 to %d", root, team->pes - 1);
  }
  const size_t bytes = bytes_of(team, data.count, data.size, 1);
  void *to = here(team, data.dest, bytes);
  void *from = here(team, data.source, bytes);
  check(team, adr_comm_bcast(team->comm, team->pe == root ? from : to, (int64_t)bytes, root));
  if (team->pe == root && copies && bytes > 0) { memmove(to, from, bytes); }
  return leave();
}

int adr_libshmem_fcollect(struct adr_libshmem_team *team, struct adr_libshmem_data data) {
  const size_t bytes = bytes_of(team, data.count, data.size, 1);
  void *to = here(team, data.dest, bytes_of(team, data.count, data.size, (size_t)team->pes));
  check(team, adr_comm_allgather(team->comm, here(team, data.source, bytes), to, (int64_t)bytes));
  return leave();
}

int adr_libshmem_collect(struct adr_libshmem_team *team, struct adr_libshmem_data data) {
  const int64_t bytes = (int64_t)bytes_of(team, data.count, data.size, 1);
  const void *from = here(team, data.source, (size_t)bytes);
  int64_t *all = malloc((size_t)team->pes * sizeof *all);
  if (all == NULL) { adr_libshmem_fail(team->routine, "no memory for the sizes of %d PEs", team->pes); }
  check(team, adr_comm_allgather(team->comm, &bytes, all, sizeof bytes)); /* behind it all are done with the result */
  int64_t before = 0, sum = 0;
  for (int pe = 0; pe < team->pes; pe++) {
    before += pe < team->pe ? all[pe] : 0;
    sum += all[pe];
  }
  free(all);
  here(team, data.dest, (size_t)sum);                         /* holds it */
  for (int turn = 0; bytes > 0 && turn < team->pes; turn++) { /* not all begin with the same */
    const int pe = adr_libshmem_team_world(team, (team->pe + turn) % team->pes);
    memmove(adr_libshmem_at(team->routine, (char *)data.dest + before, (size_t)bytes, pe), from, (size_t)bytes);
  }
  check(team, adr_comm_barrier(team->comm));
  return leave();
}

int adr_libshmem_alltoall(struct adr_libshmem_team *team, struct adr_libshmem_data data) {
  const size_t all = bytes_of(team, data.count, data.size, (size_t)team->pes);
  check(team, adr_comm_alltoall(team->comm, here(team, data.source, all), here(team, data.dest, all),
                                (int64_t)(all / (size_t)team->pes)));
  return leave();
}

/* Copies elements that lie at strides, in bytes. */
static void copy_strided(char *to, size_t to_stride, const char *from, size_t from_stride, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++, to += to_stride, from += from_stride) { memcpy(to, from, size); }
}

int adr_libshmem_alltoalls(struct adr_libshmem_team *team, struct adr_libshmem_data data, ptrdiff_t dest_stride,
                           ptrdiff_t source_stride) {
  if (dest_stride < 1 || source_stride < 1) {
    adr_libshmem_fail(team->routine, "strides of %td and %td elements; at least 1 is allowed", dest_stride,
                      source_stride);
  }
  const size_t to_stride = bytes_of(team, (size_t)dest_stride, data.size, 1);
  const size_t from_stride = bytes_of(team, (size_t)source_stride, data.size, 1);
  const size_t to_all = bytes_of(team, data.count, to_stride, (size_t)team->pes);
  const size_t from_all = bytes_of(team, data.count, from_stride, (size_t)team->pes);
  if (data.count > 0) { /* behind the last element nothing needs to lie */
    here(team, data.dest, to_all - to_stride + data.size);
    here(team, data.source, from_all - from_stride + data.size);
  }
  check(team, adr_comm_barrier(team->comm)); /* all sources are there, and all are done with the results */
  for (int turn = 0; data.count > 0 && turn < team->pes; turn++) {
    const int pe = (team->pe + turn) % team->pes;
    const size_t from_at = (size_t)team->pe * data.count * from_stride;
    const size_t to_at = (size_t)pe * data.count * to_stride;
    const char *from = adr_libshmem_at(team->routine, (const char *)data.source + from_at,
                                       (data.count - 1) * from_stride + data.size, adr_libshmem_team_world(team, pe));
    copy_strided((char *)data.dest + to_at, to_stride, from, from_stride, data.count, data.size);
  }
  check(team, adr_comm_barrier(team->comm));
  return leave();
}

/* What the reductions have in common: NULL as the input stands for the result's own place. */
static const void *operands(const struct adr_libshmem_team *team, const struct adr_libshmem_data *data, void **to) {
  const size_t bytes = bytes_of(team, data->count, data->size, 1);
  *to = here(team, data->dest, bytes);
  const void *from = here(team, data->source, bytes);
  return from == *to ? NULL : from;
}

int adr_libshmem_reduce(struct adr_libshmem_team *team, struct adr_libshmem_data data, int32_t element, int32_t op) {
  void *to;
  const void *from = operands(team, &data, &to);
  check(team, adr_comm_allreduce(team->comm, from, to, (int64_t)data.count, element, op));
  return leave();
}

int adr_libshmem_inscan(struct adr_libshmem_team *team, struct adr_libshmem_data data, int32_t element, int32_t op) {
  void *to;
  const void *from = operands(team, &data, &to);
  check(team, adr_comm_scan(team->comm, from, to, (int64_t)data.count, element, op));
  return leave();
}

int adr_libshmem_exscan(struct adr_libshmem_team *team, struct adr_libshmem_data data, int32_t element, int32_t op) {
  void *to;
  const void *from = operands(team, &data, &to);
  check(team, adr_comm_exscan(team->comm, from, to, (int64_t)data.count, element, op));
  if (team->pe == 0 && data.count > 0) { memset(to, 0, data.count * data.size); }
  return leave();
}
