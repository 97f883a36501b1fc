/*
 * The ranks of an MPI in collective calls, with the loop, the buffers and the definition of the time of
 * io.adrastea.bench.collectives. Compiled at run time by the mpicc of the MPI under test.
 *
 *   adr_mpi_collectives CPU0 CPU1 ...   rank r runs on CPUr, -1 leaves it where it is
 *   coll-barrier|coll-bcast-ROOT|coll-allreduce|coll-allgather BYTES BATCHES CALLS   ->   ns T1 T2 ... T<BATCHES>
 *   ROOT: the number of a rank, or `moving`: another one in each call
 *
 * Bytes are those of one rank's input. Before each call every rank writes its input, all meet at a line in shared
 * memory, and all begin at the same time (where each has a CPU). The time of a call goes from the last rank's begin to
 * the last rank's end; that of a batch is the sum over its calls.
 */
#include "adr_mpi_rank.h"
#include "adr_touch.h"

#include <stdatomic.h>
#include <stdint.h>

enum { LINE_PAIR = 128, CHUNK = 256, LEAD_NS = 1000, MOST_LOOKS = 10000, ELEMENTS_TOLD = 64, LINE_DOUBLES = 8 };

/* Where all ranks meet: shared memory. */
struct start {
  _Alignas(LINE_PAIR) _Atomic uint64_t number; /* of the last meeting that all have come to */
  _Atomic int64_t at_ns;                       /* when all begin */
};

struct seat {
  _Alignas(LINE_PAIR) _Atomic uint64_t came; /* the number of the last meeting that this rank has come to */
  _Alignas(LINE_PAIR) int64_t begins[CHUNK];
  int64_t ends[CHUNK];
};

struct call {
  const char *verb;
  void (*run)(int turn, int root);
  int (*holds)(int turn, int root, int step); /* whether every step-th element of the output is what it has to be */
  int rooted, in_ranks, out_ranks;            /* inputs and outputs are so many times BYTES; -1: once for each rank */
};

static int rank, ranks, shares_cpu;
static struct start *start;
static struct seat *seats;
static uint64_t meetings; /* that this rank has come to */
static long long cost;
static char *input, *output;
static size_t in_stride, out_stride, turns;
static int elements; /* of one rank's input */
static uint32_t calls_made;

static double *in_of(int turn) { return (double *)(input + (size_t)turn * in_stride); }

static double *out_of(int turn) { return (double *)(output + (size_t)turn * out_stride); }

/* The first element that a rank writes for a call; the others are up to ELEMENTS_TOLD - 1 more. */
static double first_of(uint32_t number, int of) { return (double)(number % 1024 * 2 + (uint32_t)of); }

static void run_barrier(int turn, int root) {
  (void)turn, (void)root;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void run_bcast(int turn, int root) { MPI_Bcast(in_of(turn), elements, MPI_DOUBLE, root, MPI_COMM_WORLD); }

static void run_allreduce(int turn, int root) {
  (void)root;
  MPI_Allreduce(in_of(turn), out_of(turn), elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void run_allgather(int turn, int root) {
  (void)root;
  MPI_Allgather(in_of(turn), elements, MPI_DOUBLE, out_of(turn), elements, MPI_DOUBLE, MPI_COMM_WORLD);
}

static int is_row(const double *row, double first, double factor, int step) {
  for (int i = 0; i < elements; i += step)
    if (row[i] != first + factor * (i % ELEMENTS_TOLD)) return 0;
  return 1;
}

static int holds_nothing(int turn, int root, int step) { return (void)turn, (void)root, (void)step, 1; }

static int holds_roots(int turn, int root, int step) {
  return is_row(in_of(turn), first_of(calls_made, root), 1, step);
}

static int holds_sum(int turn, int root, int step) {
  (void)root;
  double first = ranks * first_of(calls_made, 0) + ranks * (ranks - 1) / 2;
  return is_row(out_of(turn), first, ranks, step);
}

static int holds_all(int turn, int root, int step) {
  (void)root;
  for (int of = 0; of < ranks; of++)
    if (!is_row(out_of(turn) + (size_t)of * (size_t)elements, first_of(calls_made, of), 1, step)) return 0;
  return 1;
}

static const struct call calls[] = {
    {"coll-barrier", run_barrier, holds_nothing, 0, 0, 0},
    {"coll-bcast-", run_bcast, holds_roots, 1, 1, 0},
    {"coll-allreduce", run_allreduce, holds_sum, 0, 1, 1},
    {"coll-allgather", run_allgather, holds_all, 0, 1, -1},
};

static const struct call *call_of(const char *verb) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strncmp(verb, calls[i].verb, strlen(calls[i].verb)) == 0) return &calls[i];
  return NULL;
}

/* The root of the next call; -1: there is none. */
static int root_of(const struct call *call, const char *verb) {
  if (!call->rooted) return -1;
  const char *word = verb + strlen(call->verb);
  return strcmp(word, "moving") == 0 ? (int)(calls_made % (uint32_t)ranks) : atoi(word) % ranks;
}

static void await(_Atomic uint64_t *word, uint64_t number) {
  for (int looks = 0; atomic_load_explicit(word, memory_order_acquire) < number; looks++)
    if (shares_cpu || looks >= MOST_LOOKS) sched_yield(); /* whom it waits for may be off its CPU */
}

/* Returns when all ranks have called it; at the same time, where each has a CPU. */
static void meet(void) {
  atomic_store_explicit(&seats[rank].came, ++meetings, memory_order_release);
  if (rank == 0) {
    for (int of = 1; of < ranks; of++) await(&seats[of].came, meetings);
    atomic_store_explicit(&start->at_ns, now_ns() + (shares_cpu ? 0 : LEAD_NS), memory_order_relaxed);
    atomic_store_explicit(&start->number, meetings, memory_order_release);
  } else {
    await(&start->number, meetings);
  }
  while (now_ns() < atomic_load_explicit(&start->at_ns, memory_order_relaxed)) continue;
}

static void fail(const char *verb, const char *what) {
  fprintf(stderr, "%s: %s\n", verb, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void write_input(const struct call *call, int turn, int root) {
  if (call->in_ranks == 0 || (root >= 0 && root != rank)) return;
  double *row = in_of(turn), first = first_of(calls_made, rank);
  for (int i = 0; i < elements; i++) row[i] = first + i % ELEMENTS_TOLD;
}

static void one_call(const struct call *call, const char *verb, int at) {
  int turn = (int)(++calls_made % turns), root = root_of(call, verb);
  write_input(call, turn, root);
  meet();
  int64_t begin = now_ns();
  call->run(turn, root);
  seats[rank].ends[at] = now_ns();
  seats[rank].begins[at] = begin;
  if (!call->holds(turn, root, LINE_DOUBLES)) fail(verb, "the output is not what the inputs make");
}

/* The time of a call, from the last begin to the last end. */
static long long slowest(const char *verb, int at) {
  int64_t begin = INT64_MIN, end = INT64_MIN, first_end = INT64_MAX;
  for (int of = 0; of < ranks; of++) {
    if (seats[of].begins[at] > begin) begin = seats[of].begins[at];
    if (seats[of].ends[at] > end) end = seats[of].ends[at];
    if (seats[of].ends[at] < first_end) first_end = seats[of].ends[at];
  }
  if (strcmp(verb, "coll-barrier") == 0 && first_end < begin) fail(verb, "a rank left before the last one had come");
  return end - begin - cost;
}

static long long batch(const struct call *call, const struct order *order) {
  long long sum = 0;
  for (int done = 0; done < order->exchanges;) {
    int count = order->exchanges - done < CHUNK ? order->exchanges - done : CHUNK;
    for (int at = 0; at < count; at++) one_call(call, order->verb, at);
    meet(); /* all times are there */
    for (int at = 0; rank == 0 && at < count; at++) sum += slowest(order->verb, at);
    done += count;
  }
  return sum;
}

static size_t stride_of(int times, int bytes) {
  return touch_stride((uint64_t)bytes * (uint64_t)(times < 0 ? ranks : times));
}

static void ensure_buffers(const struct call *call, int bytes) {
  static size_t in_held, out_held;
  elements = bytes / (int)sizeof(double);
  in_stride = stride_of(call->in_ranks, bytes);
  out_stride = stride_of(call->out_ranks, bytes);
  turns = touch_buffers(in_stride > out_stride ? in_stride : out_stride);
  grow(&input, &in_held, in_stride * turns);
  grow(&output, &out_held, out_stride * turns);
}

/* One call, untimed, all elements of which are looked at. */
static void verify(const struct call *call, const char *verb) {
  int turn = (int)(++calls_made % turns), root = root_of(call, verb);
  write_input(call, turn, root);
  call->run(turn, root);
  if (!call->holds(turn, root, 1)) fail(verb, "an element of the output is not what the inputs make");
}

static void run(const struct call *call, const struct order *order) {
  if (cost == 0) cost = clock_cost();
  ensure_buffers(call, order->bytes);
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int at = 0; at < order->batches; at++) times[at] = batch(call, order);
  verify(call, order->verb);
  if (rank == 0) tell(times, order->batches);
  free(times);
}

/* Memory that all ranks have; its pages are there from now on. */
static void share_seats(void) {
  MPI_Win window;
  MPI_Aint size, mine = (MPI_Aint)(sizeof *start + (size_t)ranks * sizeof *seats + LINE_PAIR);
  int unit;
  char *base;
  MPI_Win_allocate_shared(rank == 0 ? mine : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  MPI_Win_shared_query(window, 0, &size, &unit, &base);
  if (rank == 0) memset(base, 0, (size_t)mine);
  start = (struct start *)(((uintptr_t)base + LINE_PAIR - 1) / LINE_PAIR * LINE_PAIR);
  seats = (struct seat *)(start + 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  struct order order;
  begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2 || argc != 1 + ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int a = 0; a < ranks; a++)
    for (int b = 0; b < a; b++) shares_cpu |= strcmp(argv[1 + a], argv[1 + b]) == 0;
  pin(atoi(argv[1 + rank]));
  share_seats();
  while (next(rank, ranks, &order)) {
    const struct call *call = call_of(order.verb);
    if (call == NULL || order.bytes < 0 || order.bytes % (int)sizeof(double) != 0 || order.batches < 1
        || order.exchanges < 1) {
      if (rank == 0) printf("error unknown command '%s'\n", order.verb), fflush(stdout);
      continue;
    }
    run(call, &order);
  }
  MPI_Finalize();
  return 0;
}
