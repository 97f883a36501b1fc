/*
 * The ranks of an MPI in collective calls, with the loop, the buffers and the definition of the time of
 * io.adrastea.bench.collectives. Compiled at run time by the mpicc of the MPI under test.
 *
 *   adr_mpi_collectives CPU0 CPU1 ...   rank r runs on CPUr, -1 leaves it where it is
 *   coll[-FORM]-WORD[-ROOT] BYTES BATCHES CALLS   ->   ns T1 T2 ... T<BATCHES>
 *   WORD: one of the calls below   ROOT, of those that have one: the number of a rank, or `moving`: another one in
 *   each call   FORM: one of the forms below, blocking without one
 *
 * Bytes are those of one part: what a rank gives one other rank, or all. Before each call every rank writes its
 * input, all meet at a line in shared memory, and all begin at the same time (where each has a CPU). The time of a
 * call goes from the last rank's begin to the last rank's end; that of a batch is the sum over its calls.
 */
#include "adr_mpi_rank.h"
#include "adr_touch.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

/* Persistent collectives are of MPI 4; Open MPI had them before as an extension. */
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#if MPI_VERSION >= 4
#define PERSISTENT(name) MPI_##name
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define PERSISTENT(name) MPIX_##name
#endif

enum { LINE_PAIR = 128, CHUNK = 256, LEAD_NS = 1000, MOST_LOOKS = 10000, ELEMENTS_TOLD = 64, LINE_DOUBLES = 8 };
enum { OUTSTANDING = 16, MAX_RANKS = 64, TRIALS = CHUNK };
enum { TRIAL_STEPS = 20000, TRIALS_NS = 200000000 };

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

/* What a rank's input, or its output, holds. */
enum row { NOTHING, ONE, ALL }; /* ALL: a part for each rank, or of each */

struct call {
  const char *word;
  void (*run)(int turn, int root);
  void (*start)(int turn, int root, MPI_Request *request);
  void (*init)(int turn, int root, MPI_Request *request);
  enum row in, out;
  enum { NO_ROOT, FROM_ROOT, TO_ROOT } rooted;
  int folds, uneven; /* folds: combines parts; uneven: parts differ in length */
};

/* How a call is made. */
enum form { BLOCKING, STARTED, PERSISTENT_FORM, IN_TURN, ALL_OUTSTANDING, ALONE, COMPUTING, BOTH, FORMS };
static const char *const form_words[FORMS] = {"blocking",    "started", "persistent", "inturn",
                                              "outstanding", "alone",   "compute",    "both"};

/* What a command asks for. */
struct what {
  const struct call *call;
  enum form form;
  int root; /* -1: there is none */
  int moving;
};

static int rank, ranks, shares_cpu;
static struct start *start;
static struct seat *seats;
static uint64_t meetings; /* that this rank has come to */
static long long cost;
static char *input, *output;
static size_t in_stride, out_stride, turns;
static int elements, mine; /* of a part, of this rank's */
static int in_counts[MAX_RANKS], in_at[MAX_RANKS], out_counts[MAX_RANKS], out_at[MAX_RANKS]; /* of parts, in elements */
static uint32_t calls_made;
static MPI_Request (*prepared)[MAX_RANKS]; /* persistent calls of each turn and root */

static double *in_of(int turn) { return (double *)(input + (size_t)turn * in_stride); }

static double *out_of(int turn) { return (double *)(output + (size_t)turn * out_stride); }

/* The first element that a rank writes for a call; the others are up to ELEMENTS_TOLD - 1 more. */
static double first_of(uint32_t number, int of) { return (double)(number % 1024 * 2 + (uint32_t)of); }

/* One collective in its three forms: the arguments are the same in all. */
#ifdef PERSISTENT
#define INIT(upper, ...) PERSISTENT(upper##_init)(__VA_ARGS__ MPI_COMM_WORLD, MPI_INFO_NULL, request)
#else
#define INIT(upper, ...) (void)turn, (void)root, (void)request
#endif
#define FORMS_OF(lower, upper, ...) \
  static void run_##lower(int turn, int root) { \
    (void)turn, (void)root; \
    MPI_##upper(__VA_ARGS__ MPI_COMM_WORLD); \
  } \
  static void start_##lower(int turn, int root, MPI_Request *request) { \
    (void)turn, (void)root; \
    MPI_I##lower(__VA_ARGS__ MPI_COMM_WORLD, request); \
  } \
  static void init_##lower(int turn, int root, MPI_Request *request) { \
    (void)turn, (void)root; \
    INIT(upper, __VA_ARGS__); \
  }
#define IN in_of(turn)
#define OUT out_of(turn)
#define EACH elements, MPI_DOUBLE
#define MINE mine, MPI_DOUBLE
#define GIVEN in_counts, in_at, MPI_DOUBLE
#define TAKEN out_counts, out_at, MPI_DOUBLE

FORMS_OF(barrier, Barrier, )
FORMS_OF(bcast, Bcast, IN, EACH, root, )
FORMS_OF(allreduce, Allreduce, IN, OUT, EACH, MPI_SUM, )
FORMS_OF(allgather, Allgather, IN, EACH, OUT, EACH, )
FORMS_OF(reduce, Reduce, IN, OUT, EACH, MPI_SUM, root, )
FORMS_OF(reduce_scatter_block, Reduce_scatter_block, IN, OUT, EACH, MPI_SUM, )
FORMS_OF(reduce_scatter, Reduce_scatter, IN, OUT, in_counts, MPI_DOUBLE, MPI_SUM, )
FORMS_OF(scan, Scan, IN, OUT, EACH, MPI_SUM, )
FORMS_OF(exscan, Exscan, IN, OUT, EACH, MPI_SUM, )
FORMS_OF(gather, Gather, IN, EACH, OUT, EACH, root, )
FORMS_OF(scatter, Scatter, IN, EACH, OUT, EACH, root, )
FORMS_OF(alltoall, Alltoall, IN, EACH, OUT, EACH, )
FORMS_OF(allgatherv, Allgatherv, IN, MINE, OUT, TAKEN, )
FORMS_OF(gatherv, Gatherv, IN, MINE, OUT, TAKEN, root, )
FORMS_OF(scatterv, Scatterv, IN, GIVEN, OUT, MINE, root, )
FORMS_OF(alltoallv, Alltoallv, IN, GIVEN, OUT, TAKEN, )

#define THE(lower) run_##lower, start_##lower, init_##lower
static const struct call calls[] = {
    {"barrier", THE(barrier), NOTHING, NOTHING, NO_ROOT, 0, 0},
    {"bcast", THE(bcast), ONE, NOTHING, FROM_ROOT, 0, 0},
    {"allreduce", THE(allreduce), ONE, ONE, NO_ROOT, 1, 0},
    {"allgather", THE(allgather), ONE, ALL, NO_ROOT, 0, 0},
    {"reduce", THE(reduce), ONE, ONE, TO_ROOT, 1, 0},
    {"reduceScatterBlock", THE(reduce_scatter_block), ALL, ONE, NO_ROOT, 1, 0},
    {"reduceScatter", THE(reduce_scatter), ALL, ONE, NO_ROOT, 1, 1},
    {"scan", THE(scan), ONE, ONE, NO_ROOT, 1, 0},
    {"exscan", THE(exscan), ONE, ONE, NO_ROOT, 1, 0},
    {"gather", THE(gather), ONE, ALL, TO_ROOT, 0, 0},
    {"scatter", THE(scatter), ALL, ONE, FROM_ROOT, 0, 0},
    {"alltoall", THE(alltoall), ALL, ALL, NO_ROOT, 0, 0},
    {"allgatherv", THE(allgatherv), ONE, ALL, NO_ROOT, 0, 1},
    {"gatherv", THE(gatherv), ONE, ALL, TO_ROOT, 0, 1},
    {"scatterv", THE(scatterv), ALL, ONE, FROM_ROOT, 0, 1},
    {"alltoallv", THE(alltoallv), ALL, ALL, NO_ROOT, 0, 1},
};

static int is(const struct call *call, const char *word) { return strcmp(call->word, word) == 0; }

/* Elements of the part that one rank gives another. Uneven ones with even numbers are half as long, the others one and
 * a half times: of one element none and two. */
static int part(const struct call *call, int from, int to) {
  if (!call->uneven) return elements;
  int number = call->in == ALL && call->out == ALL ? from + to : call->in == ALL ? to : from;
  return number % 2 == 0 ? elements / 2 : 2 * elements - elements / 2;
}

/* Where that part begins in its giver's input. */
static int given_at(const struct call *call, int from, int to) {
  int at = 0;
  for (int before = 0; call->in == ALL && before < to; before++) at += part(call, from, before);
  return at;
}

/* Where the command's words lie, if it is one. */
static int what_of(const char *verb, struct what *what) {
  char copy[sizeof((struct order *)0)->verb];
  char *words[4] = {0}, *rest = NULL;
  int count = 0;
  snprintf(copy, sizeof copy, "%s", verb);
  for (char *word = strtok_r(copy, "-", &rest); word != NULL; word = strtok_r(NULL, "-", &rest)) {
    if (count == 4) return 0;
    words[count++] = word;
  }
  if (count < 2 || strcmp(words[0], "coll") != 0) return 0;
  int at = 1;
  what->form = BLOCKING;
  for (int form = STARTED; form < FORMS; form++)
    if (strcmp(words[at], form_words[form]) == 0) what->form = (enum form)form;
  if (what->form != BLOCKING) at++;
  what->call = NULL;
  for (size_t i = 0; at < count && i < sizeof calls / sizeof *calls; i++)
    if (is(&calls[i], words[at])) what->call = &calls[i];
  if (what->call == NULL || count != at + 1 + (what->call->rooted != NO_ROOT)) return 0;
  what->moving = what->call->rooted && strcmp(words[at + 1], "moving") == 0;
  what->root = what->call->rooted ? atoi(words[at + 1]) % ranks : -1;
  return 1;
}

/* The root of the call of this number; -1: there is none. */
static int root_of(const struct what *what, uint32_t number) {
  return what->moving ? (int)(number % (uint32_t)ranks) : what->root;
}

static int is_row(const double *row, int count, int phase, double first, double factor, int step) {
  for (int i = 0; i < count; i += step)
    if (row[i] != first + factor * ((phase + i) % ELEMENTS_TOLD)) return 0;
  return 1;
}

/* Whether every step-th element is the sum of those of the first so many ranks. */
static int holds_fold(const struct call *call, int turn, uint32_t number, int of, int step) {
  double first = of * first_of(number, 0) + of * (of - 1) / 2;
  return of == 0 || is_row(out_of(turn), mine, given_at(call, 0, rank), first, of, step);
}

static int holds_parts(const struct call *call, int turn, uint32_t number, int root, int step) {
  if (call->out == NOTHING) return is_row(in_of(turn), mine, 0, first_of(number, root), 1, step);
  for (int from = 0; from < ranks; from++) {
    if (call->out == ONE && from != root) continue;
    if (!is_row(out_of(turn) + out_at[from], part(call, from, rank), given_at(call, from, rank), first_of(number, from),
                1, step))
      return 0;
  }
  return 1;
}

/* Whether every step-th element of the output is what it has to be; all of those that this rank gets none of are. */
static int holds(const struct what *what, uint32_t number, int step) {
  const struct call *call = what->call;
  int turn = (int)(number % turns), root = root_of(what, number);
  if (call->in == NOTHING || what->form == COMPUTING) return 1;
  if (call->rooted == TO_ROOT && root != rank) return 1;
  if (!call->folds) return holds_parts(call, turn, number, root, step);
  int of = is(call, "scan") ? rank + 1 : is(call, "exscan") ? rank : ranks;
  return holds_fold(call, turn, number, of, step);
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

static void fail(const struct what *what, const char *text) {
  fprintf(stderr, "%s %s: %s\n", form_words[what->form], what->call->word, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static uint64_t compute_state = 1;

/* Computing that uses no memory: steps of a random number generator, each in need of the last. */
static void compute(long long steps) {
  uint64_t x = compute_state;
  for (long long step = 0; step < steps; step++) x = x * 6364136223846793005ULL + 1442695040888963407ULL;
  compute_state = x;
  __asm__ __volatile__("" ::"r"(&compute_state) : "memory");
}

/* Steps that take so long: the fastest of many trials counts. */
static long long steps_in(long long ns) {
  long long best = INT64_MAX, begin = now_ns(), end = begin + TRIALS_NS;
  for (; begin < end; begin = now_ns()) {
    compute(TRIAL_STEPS);
    long long took = now_ns() - begin;
    if (took < best) best = took < 1 ? 1 : took;
  }
  long long steps = ns * TRIAL_STEPS / best;
  return steps < 1 ? 1 : steps;
}

/* Steps of a call at a size; agreed upon once. */
static long long agreed_steps;

static int calls_each(enum form form) { return form == IN_TURN || form == ALL_OUTSTANDING ? OUTSTANDING : 1; }

/* Makes the calls after `made` in their form. */
static void run_form(const struct what *what, uint32_t made) {
  MPI_Request requests[OUTSTANDING]; /* of calls that are started */
  int each = calls_each(what->form);
  for (int i = 0; i < each; i++) {
    uint32_t number = made + 1 + (uint32_t)i;
    int turn = (int)(number % turns), root = root_of(what, number);
    switch (what->form) {
    case BLOCKING:
      what->call->run(turn, root);
      break;
    case PERSISTENT_FORM:
      MPI_Start(&prepared[turn][root < 0 ? 0 : root]);
      MPI_Wait(&prepared[turn][root < 0 ? 0 : root], MPI_STATUS_IGNORE);
      break;
    case COMPUTING:
      compute(agreed_steps);
      break;
    case ALL_OUTSTANDING:
      what->call->start(turn, root, &requests[i]);
      break;
    default:
      what->call->start(turn, root, requests);
      if (what->form == BOTH) compute(agreed_steps);
      MPI_Wait(requests, MPI_STATUS_IGNORE);
    }
  }
  if (what->form == ALL_OUTSTANDING) MPI_Waitall(each, requests, MPI_STATUSES_IGNORE);
}

/* Writes this rank's inputs of the next calls, and makes ready what is prepared once. */
static void write_inputs(const struct what *what) {
  for (int i = 1; i <= calls_each(what->form); i++) {
    uint32_t number = calls_made + (uint32_t)i;
    int turn = (int)(number % turns), root = root_of(what, number);
    if (what->form == PERSISTENT_FORM && prepared[turn][root < 0 ? 0 : root] == MPI_REQUEST_NULL)
      what->call->init(turn, root, &prepared[turn][root < 0 ? 0 : root]);
    int gives = what->call->in != NOTHING && (what->call->rooted != FROM_ROOT || root == rank);
    double *row = in_of(turn), first = first_of(number, rank);
    int count = what->call->in == ALL ? in_at[ranks - 1] + in_counts[ranks - 1] : mine;
    for (int e = 0; gives && e < count; e++) row[e] = first + e % ELEMENTS_TOLD;
  }
}

/* Looks at the outputs of the calls that were made last. */
static void check(const struct what *what, int step) {
  for (int i = 1; i <= calls_each(what->form); i++)
    if (!holds(what, calls_made + (uint32_t)i, step)) fail(what, "the output is not what the inputs make");
  calls_made += (uint32_t)calls_each(what->form);
}

static void timed(const struct what *what, int at) {
  write_inputs(what);
  meet();
  int64_t begin = now_ns();
  run_form(what, calls_made);
  seats[rank].ends[at] = now_ns();
  seats[rank].begins[at] = begin;
  check(what, LINE_DOUBLES);
}

/* The time of a call, from the last begin to the last end. */
static long long slowest(const struct what *what, int at) {
  int64_t begin = INT64_MIN, end = INT64_MIN, first_end = INT64_MAX;
  for (int of = 0; of < ranks; of++) {
    if (seats[of].begins[at] > begin) begin = seats[of].begins[at];
    if (seats[of].ends[at] > end) end = seats[of].ends[at];
    if (seats[of].ends[at] < first_end) first_end = seats[of].ends[at];
  }
  if (is(what->call, "barrier") && what->form != COMPUTING && first_end < begin)
    fail(what, "a rank left before the last one had come");
  return end - begin - cost;
}

static long long batch(const struct what *what, int count) {
  long long sum = 0;
  for (int done = 0; done < count;) {
    int some = count - done < CHUNK ? count - done : CHUNK;
    for (int at = 0; at < some; at++) timed(what, at);
    meet(); /* all times are there */
    for (int at = 0; rank == 0 && at < some; at++) sum += slowest(what, at);
    done += some;
  }
  return sum;
}

static int compare_times(const void *one, const void *other) {
  long long a = *(const long long *)one, b = *(const long long *)other;
  return (a > b) - (a < b);
}

/* The median time of calls that are made now, as all are timed; not of the first half of them. */
static long long median_time(const struct what *what) {
  long long times[TRIALS];
  for (int at = 0; at < TRIALS; at++) timed(what, at);
  meet(); /* all times are there */
  for (int at = 0; at < TRIALS; at++) times[at] = slowest(what, at);
  qsort(times + TRIALS / 2, TRIALS / 2, sizeof *times, compare_times);
  return times[TRIALS - TRIALS / 4];
}

/* How many steps take as long as a call that is started and waited for; the same in all forms, since it is kept. */
static void agree_on_steps(const struct what *what, int bytes) {
  static struct kept {
    const struct call *call;
    int bytes;
    long long steps;
  } * kept;
  static size_t count;
  for (size_t i = 0; i < count; i++)
    if (kept[i].call == what->call && kept[i].bytes == bytes) {
      agreed_steps = kept[i].steps;
      return;
    }
  struct what alone = *what;
  alone.form = ALONE;
  agreed_steps = steps_in(median_time(&alone));
  MPI_Bcast(&agreed_steps, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  kept = realloc(kept, (count + 1) * sizeof *kept);
  if (kept == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  kept[count++] = (struct kept){what->call, bytes, agreed_steps};
}

static void forget_prepared(void) {
  for (size_t turn = 0; prepared != NULL && turn < turns; turn++)
    for (int root = 0; root < ranks; root++)
      if (prepared[turn][root] != MPI_REQUEST_NULL) MPI_Request_free(&prepared[turn][root]);
  free(prepared);
  prepared = NULL;
}

static void prepare_requests(void) {
  prepared = malloc(turns * sizeof *prepared);
  if (prepared == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t turn = 0; turn < turns; turn++)
    for (int root = 0; root < ranks; root++) prepared[turn][root] = MPI_REQUEST_NULL;
}

static void lay_out_parts(const struct call *call) {
  int in = 0, out = 0;
  for (int other = 0; other < ranks; other++) {
    in_counts[other] = part(call, rank, other);
    out_counts[other] = part(call, other, rank);
    in_at[other] = call->in == ALL ? in : 0;
    out_at[other] = call->out == ALL ? out : 0;
    in += in_counts[other];
    out += out_counts[other];
  }
  mine = call->in == ONE ? in_counts[0] : call->out == ONE ? out_counts[0] : elements;
  in_stride = touch_stride((uint64_t)(call->in == ALL ? in : mine) * sizeof(double));
  out_stride = touch_stride((uint64_t)(call->out == ALL ? out : mine) * sizeof(double));
}

static void ensure_buffers(const struct what *what, int bytes) {
  static size_t in_held, out_held;
  forget_prepared();
  elements = bytes / (int)sizeof(double);
  lay_out_parts(what->call);
  turns = calls_each(what->form) > 1 ? OUTSTANDING : touch_buffers(in_stride > out_stride ? in_stride : out_stride);
  grow(&input, &in_held, in_stride * turns);
  grow(&output, &out_held, out_stride * turns);
  prepare_requests();
}

/* Untimed calls, all elements of which are looked at. */
static void verify(const struct what *what) {
  write_inputs(what);
  run_form(what, calls_made);
  check(what, 1);
}

static void run(const struct what *what, const struct order *order) {
  if (cost == 0) cost = clock_cost();
  ensure_buffers(what, order->bytes);
  if (what->form == COMPUTING || what->form == BOTH) agree_on_steps(what, order->bytes);
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int at = 0; at < order->batches; at++) times[at] = batch(what, order->exchanges);
  verify(what);
  if (rank == 0) tell(times, order->batches);
  free(times);
}

/* A file that the bench has made for ranks of several hosts, full of zeros. */
static char *map_file(const char *name, size_t bytes) {
  int file = open(name, O_RDWR);
  char *base = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (base == MAP_FAILED) {
    perror(name);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  close(file);
  return base;
}

/* Memory of the ranks of one host; its pages are there from now on. */
static char *allocate_shared(size_t own) {
  MPI_Win window;
  MPI_Aint size;
  int unit;
  char *base;
  MPI_Win_allocate_shared(rank == 0 ? (MPI_Aint)own : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  MPI_Win_shared_query(window, 0, &size, &unit, &base);
  if (rank == 0) memset(base, 0, own);
  return base;
}

/* Memory that all ranks have. */
static void share_seats(void) {
  const char *file = getenv("BENCH_START_LINE");
  size_t own = sizeof *start + (size_t)ranks * sizeof *seats + LINE_PAIR;
  char *base = file == NULL ? allocate_shared(own) : map_file(file, own);
  start = (struct start *)(((uintptr_t)base + LINE_PAIR - 1) / LINE_PAIR * LINE_PAIR);
  seats = (struct seat *)(start + 1);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Says why an order is not valid, and does so on one rank; NULL: it is. */
static const char *refusal(const struct order *order, struct what *what) {
  if (!what_of(order->verb, what) || order->bytes < 0 || order->bytes % (int)sizeof(double) != 0 || order->batches < 1
      || order->exchanges < 1)
    return "unknown command";
#ifndef PERSISTENT
  if (what->form == PERSISTENT_FORM) return "this MPI has no persistent collectives, which came with MPI 4:";
#endif
  return NULL;
}

int main(int argc, char **argv) {
  struct order order;
  begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2 || ranks > MAX_RANKS || argc != 1 + ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int a = 0; a < ranks; a++)
    for (int b = 0; b < a; b++) shares_cpu |= strcmp(argv[1 + a], argv[1 + b]) == 0;
  pin(atoi(argv[1 + rank]));
  share_seats();
  while (next(rank, ranks, &order)) {
    struct what what;
    const char *refused = refusal(&order, &what);
    if (refused == NULL)
      run(&what, &order);
    else if (rank == 0)
      printf("error %s '%s'\n", refused, order.verb), fflush(stdout);
  }
  forget_prepared();
  MPI_Finalize();
  return 0;
}
