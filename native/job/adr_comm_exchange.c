/* The exchanges of a communicator, see adrastea/comm.h: gather, scatter, alltoall, and what differs by rank. Each is
 * one collective of adr_comm_collective.c. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "coll/adr_exchange_room.h"
#include "job/adr_comm_state.h"
#include "bootstrap/adr_job_error.h"

static bool is_root(const struct adr_comm *comm, int root) { return comm->rank == (uint32_t)root; }

static const uint8_t *block_of(const struct adr_comm *comm, const void *buffer, int64_t bytes) {
  return buffer == NULL ? NULL : (const uint8_t *)buffer + (int64_t)comm->rank * bytes;
}

/* Refuses a block for each rank that takes more rounds than are counted. */
static int check_block(struct adr_comm *comm, const char *call, int32_t kind, int64_t bytes) {
  const int64_t most = adr_exchange_most_of_block(kind, comm->size);
  if (bytes >= 0 && bytes <= most) { return 0; }
  return adr_comm_refuse(
      comm, "%s with a block of %" PRId64 " bytes; allowed are 0 to %" PRId64 " among %" PRIu32 " ranks: take several",
      call, bytes, most, comm->size);
}

int adr_comm_gather(adr_comm *comm, const void *in, void *out, int64_t bytes, int root) {
  int status = check_block(comm, "gather", ADR_COLL_GATHER, bytes);
  if (status == 0) { status = adr_comm_check_root(comm, "gather", root); }
  if (status == 0 && is_root(comm, root)) { status = adr_comm_check_buffer(comm, "gather", out, bytes); }
  if (status == 0 && !is_root(comm, root)) { status = adr_comm_check_input(comm, "gather", in, bytes); }
  if (status < 0) { return status; }
  return adr_comm_run(comm, (struct adr_comm_call){.kind = ADR_COLL_GATHER,
                                                   .root = root,
                                                   .bytes = bytes,
                                                   .op = in == NULL ? ADR_COLL_STAYS : 0,
                                                   .in = in == NULL ? block_of(comm, out, bytes) : in,
                                                   .out = out});
}

int adr_comm_scatter(adr_comm *comm, const void *in, void *out, int64_t bytes, int root) {
  int status = check_block(comm, "scatter", ADR_COLL_SCATTER, bytes);
  if (status == 0) { status = adr_comm_check_root(comm, "scatter", root); }
  if (status == 0 && is_root(comm, root)) { status = adr_comm_check_input(comm, "scatter", in, bytes); }
  if (status == 0 && !is_root(comm, root)) { status = adr_comm_check_buffer(comm, "scatter", out, bytes); }
  if (status < 0) { return status; }
  return adr_comm_run(comm, (struct adr_comm_call){.kind = ADR_COLL_SCATTER,
                                                   .root = root,
                                                   .bytes = bytes,
                                                   .op = out == NULL ? ADR_COLL_STAYS : 0,
                                                   .in = in,
                                                   .out = out});
}

int adr_comm_alltoall(adr_comm *comm, const void *in, void *out, int64_t bytes) {
  int status = check_block(comm, "alltoall", ADR_COLL_ALLTOALL, bytes);
  if (status == 0) { status = adr_comm_check_buffer(comm, "alltoall", out, bytes); }
  if (status < 0) { return status; }
  return adr_comm_run(comm, (struct adr_comm_call){.kind = ADR_COLL_ALLTOALL,
                                                   .bytes = bytes,
                                                   .op = in == NULL ? ADR_COLL_STAYS : 0,
                                                   .in = in == NULL ? out : in,
                                                   .out = out});
}

/* Blocks of one buffer, as the program tells of them. */
struct blocks {
  const char *call;
  int32_t kind;
  const int64_t *counts;
  const int64_t *displacements;
};

/* Writes them to two rows of the table of parts, and says how long they are together. Returns 0 or an error. */
static int write_blocks(struct adr_comm *comm, const struct blocks *blocks, int64_t *parts, uint32_t row,
                        int64_t *total) {
  *total = 0;
  if (blocks->counts == NULL || blocks->displacements == NULL) {
    return adr_comm_refuse(comm, "%s needs counts and displacements of all ranks' blocks; it got NULL", blocks->call);
  }
  for (uint32_t rank = 0; rank < comm->size; rank++) {
    const int64_t count = blocks->counts[rank];
    const int64_t displacement = blocks->displacements[rank];
    if (count < 0 || count > ADR_COLL_MOST_BYTES - *total || displacement < 0 || displacement > ADR_COLL_MOST_BYTES) {
      return adr_comm_refuse(comm,
                             "%s with %" PRId64 " bytes at %" PRId64 " for rank %" PRIu32
                             "; both are to be 0 or more, and all blocks at most %" PRId64 " bytes together",
                             blocks->call, count, displacement, rank, ADR_COLL_MOST_BYTES);
    }
    const int status = check_block(comm, blocks->call, blocks->kind, count);
    if (status < 0) { return status; }
    *total += count;
    parts[row * comm->size + rank] = count;
    parts[(row + 1) * comm->size + rank] = displacement;
  }
  return 0;
}

/* Refuses blocks that overlap where something is received. */
static int check_apart(struct adr_comm *comm, const struct blocks *blocks) {
  for (uint32_t one = 0; one < comm->size; one++) {
    for (uint32_t other = 0; other < one; other++) {
      const int64_t *counts = blocks->counts;
      const int64_t *at = blocks->displacements;
      if (counts[one] > 0 && counts[other] > 0 && at[one] < at[other] + counts[other]
          && at[other] < at[one] + counts[one]) {
        return adr_comm_refuse(comm,
                               "%s into blocks of which that of rank %" PRIu32 " overlaps that of rank %" PRIu32
                               "; what is received needs a place of its own",
                               blocks->call, one, other);
      }
    }
  }
  return 0;
}

/* This rank's own block is to be as long for its giver as for its taker, which this rank both is. */
static int check_own(struct adr_comm *comm, const char *call, const int64_t *parts) {
  const int64_t given = parts[ADR_COLL_GIVE_BYTES * comm->size + comm->rank];
  const int64_t taken = parts[ADR_COLL_TAKE_BYTES * comm->size + comm->rank];
  if (given == taken) { return 0; }
  return adr_comm_refuse(comm, "%s of %" PRId64 " bytes of rank %" PRIu32 " for itself, which expects %" PRId64, call,
                         given, comm->rank, taken);
}

/* Takes the blocks of all: at the root of a gather, or everywhere. */
static int gather_parts(struct adr_comm *comm, struct adr_comm_call call, const struct blocks *blocks) {
  int64_t *parts;
  int64_t total = 0;
  int status = adr_comm_begin_parts(comm, &parts);
  if (status == 0) { status = write_blocks(comm, blocks, parts, ADR_COLL_TAKE_BYTES, &total); }
  if (status == 0) { status = check_apart(comm, blocks); }
  if (status == 0) { status = adr_comm_check_buffer(comm, blocks->call, call.out, total); }
  if (status < 0) { return status; }
  call.op = ADR_COLL_BY_PARTS;
  if (call.in == NULL) { /* it is there already */
    call.op |= ADR_COLL_STAYS;
    call.bytes = blocks->counts[comm->rank];
    call.in = call.out;
    parts[ADR_COLL_GIVE_AT * comm->size + comm->rank] = blocks->displacements[comm->rank];
  }
  parts[ADR_COLL_GIVE_BYTES * comm->size + comm->rank] = call.bytes;
  status = check_own(comm, blocks->call, parts);
  return status < 0 ? status : adr_comm_run(comm, call);
}

int adr_comm_gatherv(adr_comm *comm, const void *in, int64_t bytes, void *out, const int64_t *counts,
                     const int64_t *displacements, int root) {
  int status = adr_comm_check_bytes(comm, "gather", bytes);
  if (status == 0) { status = adr_comm_check_root(comm, "gather", root); }
  if (status < 0) { return status; }
  if (!is_root(comm, root)) { return adr_comm_gather(comm, in, NULL, bytes, root); }
  const struct adr_comm_call call = {.kind = ADR_COLL_GATHER, .root = root, .bytes = bytes, .in = in, .out = out};
  return gather_parts(comm, call, &(struct blocks){"gather by parts", ADR_COLL_GATHER, counts, displacements});
}

int adr_comm_allgatherv(adr_comm *comm, const void *in, int64_t bytes, void *out, const int64_t *counts,
                        const int64_t *displacements) {
  const int status = adr_comm_check_bytes(comm, "allgather", bytes);
  if (status < 0) { return status; }
  const struct adr_comm_call call = {.kind = ADR_COLL_ALLGATHERV, .bytes = bytes, .in = in, .out = out};
  return gather_parts(comm, call, &(struct blocks){"allgather by parts", ADR_COLL_ALLGATHERV, counts, displacements});
}

int adr_comm_scatterv(adr_comm *comm, const void *in, const int64_t *counts, const int64_t *displacements, void *out,
                      int64_t bytes, int root) {
  const struct blocks blocks = {"scatter by parts", ADR_COLL_SCATTER, counts, displacements};
  int64_t *parts;
  int64_t total = 0;
  int status = check_block(comm, "scatter", ADR_COLL_SCATTER, bytes);
  if (status == 0) { status = adr_comm_check_root(comm, "scatter", root); }
  if (status < 0) { return status; }
  if (!is_root(comm, root)) { return adr_comm_scatter(comm, NULL, out, bytes, root); }
  status = adr_comm_begin_parts(comm, &parts);
  if (status == 0) { status = write_blocks(comm, &blocks, parts, ADR_COLL_GIVE_BYTES, &total); }
  if (status == 0) { status = adr_comm_check_input(comm, blocks.call, in, total); }
  if (status < 0) { return status; }
  parts[ADR_COLL_TAKE_BYTES * comm->size + comm->rank] = out == NULL ? counts[comm->rank] : bytes;
  status = check_own(comm, blocks.call, parts);
  if (status < 0) { return status; }
  return adr_comm_run(comm, (struct adr_comm_call){.kind = ADR_COLL_SCATTER,
                                                   .root = root,
                                                   .bytes = total,
                                                   .op = ADR_COLL_BY_PARTS | (out == NULL ? ADR_COLL_STAYS : 0),
                                                   .in = in,
                                                   .out = out});
}

int adr_comm_alltoallv(adr_comm *comm, const void *in, const int64_t *in_counts, const int64_t *in_displacements,
                       void *out, const int64_t *out_counts, const int64_t *out_displacements) {
  const struct blocks taken = {"alltoall by parts", ADR_COLL_ALLTOALL, out_counts, out_displacements};
  const struct blocks given = {"alltoall by parts", ADR_COLL_ALLTOALL, in == NULL ? out_counts : in_counts,
                               in == NULL ? out_displacements : in_displacements};
  int64_t *parts;
  int64_t takes = 0;
  int64_t gives = 0;
  int status = adr_comm_begin_parts(comm, &parts);
  if (status == 0) { status = write_blocks(comm, &taken, parts, ADR_COLL_TAKE_BYTES, &takes); }
  if (status == 0) { status = write_blocks(comm, &given, parts, ADR_COLL_GIVE_BYTES, &gives); }
  if (status == 0) { status = check_apart(comm, &taken); }
  if (status == 0) { status = adr_comm_check_buffer(comm, taken.call, out, takes); }
  if (status == 0) { status = check_own(comm, taken.call, parts); }
  if (status < 0) { return status; }
  return adr_comm_run(comm, (struct adr_comm_call){.kind = ADR_COLL_ALLTOALL,
                                                   .bytes = gives,
                                                   .op = ADR_COLL_BY_PARTS | (in == NULL ? ADR_COLL_STAYS : 0),
                                                   .in = in == NULL ? out : in,
                                                   .out = out});
}
