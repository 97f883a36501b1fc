/* The reductions of a communicator, see adrastea/comm.h: allreduce, reduce, scan, exscan and reduce_scatter. Each is
 * one collective of adr_comm_collective.c. */
#include <inttypes.h>

#include "coll/adr_fold_room.h"
#include "job/adr_comm_state.h"

/* A reduction as the program calls it. */
struct reduction {
  const char *name;
  int32_t kind;
  int root;
  const void *in; /* NULL: the operands are in `out` */
  void *out;
  int64_t count; /* elements that this rank gives */
  int32_t element;
  int32_t op;
};

static int check_operator(struct adr_comm *comm, const struct reduction *call) {
  if (adr_operator_check(call->op, call->element) == 0) { return 0; }
  const char *op = adr_operator_name(call->op);
  const char *element = adr_element_name(call->element);
  if (op == NULL || element == NULL) {
    return adr_comm_refuse(
        comm, "%s by operator %" PRId32 " of elements of kind %" PRId32 "; allowed are those of adrastea/operator.h",
        call->name, call->op, call->element);
  }
  return adr_comm_refuse(comm, "%s has no meaning for elements of type %s; adrastea/operator.h tells what it combines",
                         op, element);
}

static int check_count(struct adr_comm *comm, const struct reduction *call, int64_t count, int64_t times) {
  const int64_t most = ADR_COLL_MOST_BYTES / adr_element_bytes(call->element) / times;
  if (count >= 0 && count <= most) { return 0; }
  return adr_comm_refuse(comm, "%s of %" PRId64 " elements; allowed are 0 to %" PRId64, call->name, count, most);
}

/* Refuses parts of a reduce_scatter that take more rounds than are counted. */
static int check_rounds(struct adr_comm *comm, const struct reduction *call, const int64_t *lengths) {
  const int64_t unit = adr_element_bytes(call->element);
  const int64_t rounds = adr_fold_rounds(comm->size, unit, lengths);
  if (rounds <= ADR_FOLD_MOST_ROUNDS) { return 0; }
  return adr_comm_refuse(comm,
                         "%s with parts that take %" PRId64 " rounds of %" PRId64
                         " bytes of each; allowed are 0 to %d among %" PRIu32 " ranks: take several, of shorter parts",
                         call->name, rounds, adr_fold_room_of(comm->size, unit).stretch, ADR_FOLD_MOST_ROUNDS,
                         comm->size);
}

/* Runs one whose operator and count were checked. */
static int run(struct adr_comm *comm, const struct reduction *call) {
  const int64_t bytes = call->count * adr_element_bytes(call->element);
  const void *in = call->in == NULL ? call->out : call->in;
  const int status = adr_comm_check_buffer(comm, call->name, in, bytes);
  if (status < 0) { return status; }
  return adr_comm_run(comm, (struct adr_comm_call){.kind = call->kind,
                                                   .root = call->root,
                                                   .bytes = bytes,
                                                   .element = call->element,
                                                   .op = call->op,
                                                   .in = in,
                                                   .out = call->out});
}

/* Runs a reduction in which each rank has a result as long as what it gives. */
static int combine(struct adr_comm *comm, const struct reduction *call) {
  int status = check_operator(comm, call);
  if (status == 0) { status = check_count(comm, call, call->count, 1); }
  if (status == 0) {
    status = adr_comm_check_buffer(comm, call->name, call->out, call->count * adr_element_bytes(call->element));
  }
  return status < 0 ? status : run(comm, call);
}

int adr_comm_allreduce(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op) {
  return combine(comm, &(struct reduction){"allreduce", ADR_COLL_ALLREDUCE, 0, in, out, count, element, op});
}

int adr_comm_scan(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op) {
  return combine(comm, &(struct reduction){"scan", ADR_COLL_SCAN, 0, in, out, count, element, op});
}

int adr_comm_exscan(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op) {
  return combine(comm, &(struct reduction){"exscan", ADR_COLL_EXSCAN, 0, in, out, count, element, op});
}

int adr_comm_reduce(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element, int32_t op, int root) {
  struct reduction call = {"reduce", ADR_COLL_REDUCE, root, in, out, count, element, op};
  int status = adr_comm_check_root(comm, call.name, root);
  if (status < 0) { return status; }
  if (comm->rank == (uint32_t)root) { return combine(comm, &call); }
  call.out = NULL;
  status = check_operator(comm, &call);
  if (status == 0) { status = check_count(comm, &call, count, 1); }
  if (status == 0) { status = adr_comm_check_input(comm, call.name, in, count * adr_element_bytes(element)); }
  return status < 0 ? status : run(comm, &call);
}

int adr_comm_reduce_scatter_block(adr_comm *comm, const void *in, void *out, int64_t count, int32_t element,
                                  int32_t op) {
  struct reduction call = {"reduce_scatter", ADR_COLL_REDUCE_SCATTER, 0, in, out, count, element, op};
  int status = check_operator(comm, &call);
  if (status == 0) { status = check_count(comm, &call, count, comm->size); }
  if (status == 0) { status = adr_comm_check_buffer(comm, call.name, out, count * adr_element_bytes(element)); }
  call.count *= status == 0 ? comm->size : 0;
  return status < 0 ? status : run(comm, &call);
}

int adr_comm_reduce_scatter(adr_comm *comm, const void *in, void *out, const int64_t *counts, int32_t element,
                            int32_t op) {
  struct reduction call = {"reduce_scatter", ADR_COLL_REDUCE_SCATTER, 1, in, out, 0, element, op};
  int64_t *parts = NULL;
  int status = check_operator(comm, &call);
  if (status == 0 && counts == NULL) {
    status = adr_comm_refuse(comm, "reduce_scatter needs counts of all ranks' parts; it got NULL");
  }
  if (status == 0) { status = adr_comm_begin_parts(comm, &parts); }
  for (uint32_t rank = 0; status == 0 && rank < comm->size; rank++) {
    status = check_count(comm, &call, counts[rank], 1);
    if (status == 0) {
      parts[ADR_COLL_GIVE_BYTES * comm->size + rank] = counts[rank] * adr_element_bytes(element);
      call.count += counts[rank];
    }
  }
  if (status == 0) { status = check_count(comm, &call, call.count, 1); } /* of all parts together */
  if (status == 0) { status = check_rounds(comm, &call, parts + ADR_COLL_GIVE_BYTES * comm->size); }
  if (status == 0) {
    status = adr_comm_check_buffer(comm, call.name, out, counts[comm->rank] * adr_element_bytes(element));
  }
  return status < 0 ? status : run(comm, &call);
}
