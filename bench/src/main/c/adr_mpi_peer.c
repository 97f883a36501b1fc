/*
 * The ranks of an MPI beside ours: ping-pong, streams and barrier, with the commands and the answers of
 * adrastea-floor and of the bench's workers. Compiled at run time by the mpicc of the MPI under test.
 *
 *   adr_mpi_peer CPU0 CPU1 ...  rank r of n runs on CPUr, -1 leaves it where it is; r and r + n/2 form a pair,
 *                               and all pairs run at once
 *   latency|bandwidth|rate|barrier BYTES BATCHES EXCHANGES   ->   ns T1 T2 ... T<BATCHES>
 *   windows-latency|windows-barrier|windows-allreduce BYTES MILLIS WINDOW_US   ->   windows 0 N1/T1 N2/T2 ...
 *                               exchanges for so long, in windows of about so long: how many each had, and its time
 *   steps-latency BYTES STEPS EXCHANGES   ->   windows 0 N1/T1 ... N<STEPS>/T<STEPS>   from the first exchange on
 *   latency, bandwidth and rate: messages are written before they are sent and read after they came; not those of
 *                               latency-untouched, bandwidth-untouched and rate-untouched
 *
 * Rank 0 has the standard input. It waits there in read(); the others sleep between two looks for the next
 * command, so that none costs the others anything. The end of the input ends all.
 */
#include "adr_mpi_rank.h"
#include "adr_touch.h"

#include <poll.h>

enum { TAG = 2, ACK_TAG = 4, COUNT_TAG = 5, WINDOW = 64, WINDOW_BYTES = 8 << 20, MOST_EXCHANGES = 1 << 28 };

typedef void exchange_fn(int side, const struct order *order);

static int ranks, peer; /* of all; the other one of this rank's pair */

static char *outgoing; /* messages take turns in these */
static char *incoming;
static size_t stride, turns;  /* from one to the next; how many */
static size_t sent, received; /* the turn of the next one that is sent or posted, and of the next one that comes */
static struct touch touch;

/* The message that is due of those that take turns. */
static char *next_of(char *messages, size_t *turn) {
  char *message = messages + *turn * stride;
  *turn = *turn + 1 == turns ? 0 : *turn + 1;
  return message;
}

static void send_one(int bytes) {
  char *message = next_of(outgoing, &sent);
  touch_write(&touch, message, (uint64_t)bytes);
  MPI_Send(message, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD);
}

static void receive_one(int bytes) {
  char *message = next_of(incoming, &received);
  MPI_Recv(message, bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  touch_read(&touch, message, (uint64_t)bytes);
}

static void latency(int side, const struct order *order) {
  for (int i = 0; i < order->exchanges; i++) {
    if (side == 0) send_one(order->bytes);
    receive_one(order->bytes);
    if (side == 1) send_one(order->bytes);
  }
}

/* Returns as many outstanding messages as in the bench's own stream. */
static int window_of(int bytes) {
  int window = bytes > 0 ? WINDOW_BYTES / bytes : WINDOW;
  return window < 2 ? 2 : window > WINDOW ? WINDOW : window;
}

static void post(int side, const struct order *order, MPI_Request *request) {
  if (side == 0) {
    char *message = next_of(outgoing, &sent);
    touch_write(&touch, message, (uint64_t)order->bytes);
    MPI_Isend(message, order->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, request);
  } else {
    MPI_Irecv(next_of(incoming, &sent), order->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, request);
  }
}

/* Waits for the oldest outstanding message. */
static void await_one(int side, const struct order *order, MPI_Request *request) {
  MPI_Wait(request, MPI_STATUS_IGNORE);
  if (side == 1) touch_read(&touch, next_of(incoming, &received), (uint64_t)order->bytes);
}

/* Side 1 has the last message of a stream. */
static void acknowledge(int side) {
  if (side == 1) MPI_Send(outgoing, 0, MPI_BYTE, peer, ACK_TAG, MPI_COMM_WORLD);
  if (side == 0) MPI_Recv(incoming, 0, MPI_BYTE, peer, ACK_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void bandwidth(int side, const struct order *order) {
  MPI_Request requests[WINDOW];
  int window = window_of(order->bytes), slot = 0;
  for (int i = 0; i < order->exchanges; i++) {
    if (i >= window) await_one(side, order, &requests[slot]);
    post(side, order, &requests[slot]);
    slot = slot + 1 == window ? 0 : slot + 1;
  }
  int left = order->exchanges < window ? order->exchanges : window;
  for (int i = order->exchanges - left; i < order->exchanges; i++) await_one(side, order, &requests[i % window]);
  acknowledge(side);
}

/* Both calls block. */
static void rate(int side, const struct order *order) {
  for (int i = 0; i < order->exchanges; i++) {
    if (side == 0) {
      send_one(order->bytes);
    } else {
      receive_one(order->bytes);
    }
  }
  acknowledge(side);
}

static void barrier(int side, const struct order *order) {
  (void)side;
  for (int i = 0; i < order->exchanges; i++) MPI_Barrier(MPI_COMM_WORLD);
}

/* Combines doubles; a part has `bytes`. */
static void allreduce(int side, const struct order *order) {
  (void)side;
  int count = order->bytes / (int)sizeof(double);
  for (int i = 0; i < order->exchanges; i++)
    MPI_Allreduce(outgoing, incoming, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static int is_untouched(const char *end) { return strcmp(end, "-untouched") == 0; }

static int is_end(const char *end) { return *end == 0 || is_untouched(end); }

static exchange_fn *exchange_of(const char *verb) {
  if (strncmp(verb, "latency", 7) == 0 && is_end(verb + 7)) return latency;
  if (strncmp(verb, "bandwidth", 9) == 0 && is_end(verb + 9)) return bandwidth;
  if (strncmp(verb, "rate", 4) == 0 && is_end(verb + 4)) return rate;
  if (strcmp(verb, "allreduce") == 0) return allreduce;
  return strcmp(verb, "barrier") == 0 ? barrier : NULL;
}

/* Messages begin at a line; a stream has at least as many buffers as are outstanding. */
static void ensure_buffers(const struct order *order) {
  static size_t out_held, in_held;
  size_t window = strncmp(order->verb, "bandwidth", 9) == 0 ? (size_t)window_of(order->bytes) : 1;
  stride = touch_stride((uint64_t)order->bytes);
  turns = touch_buffers((uint64_t)order->bytes);
  if (turns < window) turns = window;
  sent = received = 0;
  grow(&outgoing, &out_held, stride * turns);
  grow(&incoming, &in_held, stride * turns);
}

/* Other bytes in each message than in the one before: what arrives is what was sent. */
static void verify(int side, const struct order *order) {
  static unsigned char seed;
  touch.on = false; /* these contents are to be sent */
  struct order once = {"latency", order->bytes, 1, 1};
  seed++;
  sent = received = 0;
  memset(outgoing, seed, (size_t)order->bytes);
  latency(side, &once);
  for (int i = 0; i < order->bytes; i++) {
    if ((unsigned char)incoming[i] == seed) continue;
    fprintf(stderr, "a message of %d bytes arrived with a wrong byte at %d\n", order->bytes, i);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* What was read in a batch is what was written. */
static void check(const struct order *order) {
  if (touch_check(&touch)) return;
  fprintf(stderr, "messages of %d bytes were not read as they were written\n", order->bytes);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void run(int rank, const struct order *order, exchange_fn *exchange) {
  int side = rank / (ranks / 2);
  static long long cost = -1;
  if (cost < 0) cost = clock_cost();
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int batch = 0; batch < order->batches; batch++) {
    long long begin = now_ns();
    exchange(side, order);
    times[batch] = now_ns() - begin - cost;
    check(order);
  }
  verify(side, order);
  if (rank == 0) tell(times, order->batches);
  free(times);
}

/* Every element of a sum is what the ranks' parts make. */
static void verify_sum(int rank, const struct order *order) {
  struct order once = {"allreduce", order->bytes, 1, 1};
  double *in = (double *)outgoing, *out = (double *)incoming, sum = ranks * (ranks + 1) / 2.0;
  int count = order->bytes / (int)sizeof(double);
  for (int i = 0; i < count; i++) in[i] = rank + 1;
  allreduce(0, &once);
  for (int i = 0; i < count; i++) {
    if (out[i] == sum) continue;
    fprintf(stderr, "a sum of %d elements is %g at %d, not %g\n", count, out[i], i, sum);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* Exchanges that were timed together. */
struct window {
  long long exchanges, ns;
};

static struct window *windows;
static size_t windows_held, windows_made;

static void note(long long exchanges, long long ns) {
  if (windows_made == windows_held) {
    windows_held = windows_held == 0 ? 1024 : 2 * windows_held;
    windows = realloc(windows, windows_held * sizeof *windows);
    if (windows == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  windows[windows_made++] = (struct window){exchanges, ns};
}

/* An MPI in C has no compilers at work while it runs. */
static void tell_windows(void) {
  fputs("windows 0", stdout);
  for (size_t i = 0; i < windows_made; i++) printf(" %lld/%lld", windows[i].exchanges, windows[i].ns);
  puts("");
  fflush(stdout);
}

/* Rank 0 tells all how many exchanges come next; 0: no more. */
static int agreed(int rank, int exchanges) {
  for (int other = 1; rank == 0 && other < ranks; other++)
    MPI_Send(&exchanges, 1, MPI_INT, other, COUNT_TAG, MPI_COMM_WORLD);
  if (rank != 0) MPI_Recv(&exchanges, 1, MPI_INT, 0, COUNT_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return exchanges;
}

static void run_window(int side, struct order *order, exchange_fn *exchange) {
  MPI_Barrier(MPI_COMM_WORLD);
  long long begin = now_ns();
  exchange(side, order);
  note(order->exchanges, now_ns() - begin);
  check(order);
}

/* Returns as many exchanges as would have taken a window's time; at most four times as many as in the last window. */
static int next_count(int last, long long took_ns, long long window_ns) {
  double fit = (double)last * (double)window_ns / (double)(took_ns < 1 ? 1 : took_ns);
  double most = last < MOST_EXCHANGES / 4 ? 4.0 * last : MOST_EXCHANGES;
  return fit < 1 ? 1 : (int)(fit < most ? fit : most);
}

/* Whether the bench has ended: commands come through a pipe, whose other end it holds. */
static int has_input_ended(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) > 0 && (input.revents & POLLHUP) != 0;
}

/* Does the same as io.adrastea.bench.crowd.CrowdRank. */
static void run_windows(int rank, const struct order *asked, exchange_fn *exchange) {
  struct order order = *asked;
  long long end = now_ns() + asked->batches * 1000000LL, window_ns = asked->exchanges * 1000LL;
  windows_made = 0;
  order.exchanges = agreed(rank, 1);
  while (order.exchanges > 0) {
    run_window(rank / (ranks / 2), &order, exchange);
    int next = next_count(order.exchanges, windows[windows_made - 1].ns, window_ns);
    order.exchanges = agreed(rank, rank == 0 && now_ns() < end && !has_input_ended() ? next : 0);
  }
}

static void run_steps(int rank, const struct order *order, exchange_fn *exchange) {
  windows_made = 0;
  for (int step = 0; step < order->batches; step++) {
    long long begin = now_ns();
    exchange(rank / (ranks / 2), order);
    note(order->exchanges, now_ns() - begin);
  }
}

/* How an order is run; the word for it goes before the verb. */
enum span { BATCHES, WINDOWS, STEPS };

/* Takes that word away. */
static enum span take_span(struct order *order) {
  static const char *const words[] = {"", "windows-", "steps-"};
  for (enum span span = WINDOWS; span <= STEPS; span++) {
    size_t length = strlen(words[span]);
    if (strncmp(order->verb, words[span], length) != 0) continue;
    memmove(order->verb, order->verb + length, strlen(order->verb + length) + 1);
    return span;
  }
  return BATCHES;
}

static void obey(int rank, const struct order *order, enum span span, exchange_fn *exchange) {
  touch_begin(&touch, (uint64_t)order->bytes, strchr(order->verb, '-') == NULL);
  ensure_buffers(order);
  if (span == BATCHES) {
    run(rank, order, exchange);
    return;
  }
  (span == WINDOWS ? run_windows : run_steps)(rank, order, exchange);
  if (exchange == allreduce)
    verify_sum(rank, order);
  else
    verify(rank / (ranks / 2), order);
  if (rank == 0) tell_windows();
}

int main(int argc, char **argv) {
  int rank;
  struct order order;
  begin(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks % 2 != 0 || argc != 1 + ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  pin(atoi(argv[1 + rank]));
  peer = (rank + ranks / 2) % ranks;
  while (next(rank, ranks, &order)) {
    enum span span = take_span(&order);
    exchange_fn *exchange = exchange_of(order.verb);
    if (exchange == NULL || order.bytes < 0 || order.batches < 1 || order.exchanges < 1) {
      if (rank == 0) printf("error unknown command '%s'\n", order.verb), fflush(stdout);
      continue;
    }
    obey(rank, &order, span, exchange);
  }
  MPI_Finalize();
  return 0;
}
