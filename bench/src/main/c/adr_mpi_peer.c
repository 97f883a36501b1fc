/*
 * The ranks of an MPI beside ours: ping-pong, streams and barrier, with the commands and the answers of
 * adrastea-floor and of the bench's workers. Compiled at run time by the mpicc of the MPI under test.
 *
 *   adr_mpi_peer CPU0 CPU1 ...  rank r of n runs on CPUr, -1 leaves it where it is; r and r + n/2 form a pair,
 *                               and all pairs run at once
 *   latency|bandwidth|rate|barrier BYTES BATCHES EXCHANGES   ->   ns T1 T2 ... T<BATCHES>
 *   latency, bandwidth and rate: messages are written before they are sent and read after they came; not those of
 *                               latency-untouched, bandwidth-untouched and rate-untouched
 *
 * Rank 0 has the standard input. It waits there in read(); the others sleep between two looks for the next
 * command, so that none costs the others anything. The end of the input ends all.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { TAG = 2, ACK_TAG = 4, COMMAND_TAG = 9, WINDOW = 64, WINDOW_BYTES = 8 << 20, NAP_US = 200 };
enum { CLOCK_READS = 20000, LINE = 64 };

struct order {
  char verb[24];
  int bytes, batches, exchanges;
};

typedef void exchange_fn(int side, const struct order *order);

static int ranks, peer; /* of all; the other one of this rank's pair */

static char *outgoing;
static char *incoming; /* a whole window of messages */
static int touching;
static volatile long long sum; /* what was read must go somewhere */

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long clock_cost(void) {
  long long begin = now_ns(), last = begin;
  for (int i = 0; i < CLOCK_READS; i++) last = now_ns();
  return (last - begin) / CLOCK_READS;
}

/* A word of each line, another one each time: the bench's own workers do the same. */
static void touch_write(char *message, int bytes) {
  static long long number;
  if (!touching) return;
  number++;
  for (long at = 0; at + (long)sizeof number <= bytes; at += LINE) memcpy(message + at, &number, sizeof number);
}

static void touch_read(const char *message, int bytes) {
  long long read = 0, word;
  if (!touching) return;
  for (long at = 0; at + (long)sizeof word <= bytes; at += LINE) {
    memcpy(&word, message + at, sizeof word);
    read += word;
  }
  sum += read;
}

static void ping(int bytes, int destination) {
  touch_write(outgoing, bytes);
  MPI_Send(outgoing, bytes, MPI_BYTE, destination, TAG, MPI_COMM_WORLD);
}

static void latency(int side, const struct order *order) {
  for (int i = 0; i < order->exchanges; i++) {
    if (side == 0) ping(order->bytes, peer);
    MPI_Recv(incoming, order->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    touch_read(incoming, order->bytes);
    if (side == 1) ping(order->bytes, peer);
  }
}

/* As many outstanding as in the bench's own stream. */
static int window_of(int bytes) {
  int window = bytes > 0 ? WINDOW_BYTES / bytes : WINDOW;
  return window < 2 ? 2 : window > WINDOW ? WINDOW : window;
}

static void post(int side, const struct order *order, int slot, MPI_Request *request) {
  if (side == 0) {
    /* One buffer serves all messages, unless it is written while they are under way. */
    char *from = outgoing + (touching ? (size_t)slot * order->bytes : 0);
    touch_write(from, order->bytes);
    MPI_Isend(from, order->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, request);
  } else {
    char *to = incoming + (size_t)slot * order->bytes;
    MPI_Irecv(to, order->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, request);
  }
}

/* Side 1 has the message of a slot. */
static void arrived(int side, const struct order *order, int slot) {
  if (side == 1) touch_read(incoming + (size_t)slot * order->bytes, order->bytes);
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
    if (i >= window) {
      MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
      arrived(side, order, slot);
    }
    post(side, order, slot, &requests[slot]);
    slot = slot + 1 == window ? 0 : slot + 1;
  }
  int outstanding = order->exchanges < window ? order->exchanges : window;
  MPI_Waitall(outstanding, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < outstanding; i++) arrived(side, order, i);
  acknowledge(side);
}

/* Both calls block; every message overwrites the last. */
static void rate(int side, const struct order *order) {
  for (int i = 0; i < order->exchanges; i++) {
    if (side == 0) {
      ping(order->bytes, peer);
    } else {
      MPI_Recv(incoming, order->bytes, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      touch_read(incoming, order->bytes);
    }
  }
  acknowledge(side);
}

static void barrier(int side, const struct order *order) {
  (void)side;
  for (int i = 0; i < order->exchanges; i++) MPI_Barrier(MPI_COMM_WORLD);
}

static int is_untouched(const char *end) { return strcmp(end, "-untouched") == 0; }

static int is_end(const char *end) { return *end == 0 || is_untouched(end); }

static exchange_fn *exchange_of(const char *verb) {
  if (strncmp(verb, "latency", 7) == 0 && is_end(verb + 7)) return latency;
  if (strncmp(verb, "bandwidth", 9) == 0 && is_end(verb + 9)) return bandwidth;
  if (strncmp(verb, "rate", 4) == 0 && is_end(verb + 4)) return rate;
  return strcmp(verb, "barrier") == 0 ? barrier : NULL;
}

static void grow(char **buffer, size_t *held, size_t needed) {
  if (needed <= *held) return;
  *buffer = realloc(*buffer, needed);
  if (*buffer == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(*buffer, 1, needed); /* touch the pages */
  *held = needed;
}

static void ensure_buffers(const struct order *order) {
  static size_t out_held, in_held;
  size_t bytes = (size_t)order->bytes;
  grow(&outgoing, &out_held, bytes * (touching ? (size_t)window_of(order->bytes) : 1) + 64);
  grow(&incoming, &in_held, bytes * (size_t)window_of(order->bytes) + 64);
}

/* Other bytes in each message than in the one before: what arrives is what was sent. */
static void verify(int side, const struct order *order) {
  static unsigned char seed;
  touching = 0; /* these contents are to be sent */
  struct order once = {"latency", order->bytes, 1, 1};
  seed++;
  memset(outgoing, seed, (size_t)order->bytes);
  latency(side, &once);
  for (int i = 0; i < order->bytes; i++) {
    if ((unsigned char)incoming[i] == seed) continue;
    fprintf(stderr, "a message of %d bytes arrived with a wrong byte at %d\n", order->bytes, i);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

static void run(int rank, const struct order *order, exchange_fn *exchange) {
  int side = rank / (ranks / 2);
  static long long cost = -1;
  if (cost < 0) cost = clock_cost();
  touching = strchr(order->verb, '-') == NULL;
  ensure_buffers(order);
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int batch = 0; batch < order->batches; batch++) {
    long long begin = now_ns();
    exchange(side, order);
    times[batch] = now_ns() - begin - cost;
  }
  verify(side, order);
  if (rank == 0) {
    fputs("ns", stdout);
    for (int batch = 0; batch < order->batches; batch++) printf(" %lld", times[batch]);
    puts("");
    fflush(stdout);
  }
  free(times);
}

/* The next command, the same on all ranks; false at the end of the input. */
static int next(int rank, struct order *order) {
  if (rank == 0) {
    char line[128];
    memset(order, 0, sizeof *order);
    if (fgets(line, sizeof line, stdin) != NULL)
      sscanf(line, "%23s %d %d %d", order->verb, &order->bytes, &order->batches, &order->exchanges);
    for (int other = 1; other < ranks; other++)
      MPI_Send(order, sizeof *order, MPI_BYTE, other, COMMAND_TAG, MPI_COMM_WORLD);
  } else {
    for (int here = 0; !here; here || usleep(NAP_US))
      MPI_Iprobe(0, COMMAND_TAG, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
    MPI_Recv(order, sizeof *order, MPI_BYTE, 0, COMMAND_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return order->verb[0] != 0;
}

static void pin(int cpu) {
  cpu_set_t set;
  if (cpu < 0) return;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) perror("sched_setaffinity");
}

int main(int argc, char **argv) {
  int rank;
  struct order order;
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* no orphan that spins when its mpirun was killed */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks % 2 != 0 || argc != 1 + ranks) MPI_Abort(MPI_COMM_WORLD, 2);
  pin(atoi(argv[1 + rank]));
  peer = (rank + ranks / 2) % ranks;
  while (next(rank, &order)) {
    exchange_fn *exchange = exchange_of(order.verb);
    if (exchange == NULL || order.bytes < 0 || order.batches < 1 || order.exchanges < 1) {
      if (rank == 0) printf("error unknown command '%s'\n", order.verb), fflush(stdout);
      continue;
    }
    run(rank, &order, exchange);
  }
  MPI_Finalize();
  return 0;
}
