/*
 * One of two processes on a TCP connection, in the barest loop that there can be: what a network takes at least.
 * Commands and answers are those of adrastea-floor and of the bench's workers. Compiled at run time.
 *
 *   adr_socket_peer SIDE ADDRESS PORT CPU   side 0 listens at the address, side 1 connects to it
 *   latency|bandwidth|rate[-untouched] BYTES BATCHES EXCHANGES   ->   side 0: ns T1 ... T<BATCHES>, side 1: done
 *   coll-... BYTES BATCHES EXCHANGES   the same; an exchange is a message each way, both under way at once, of one
 *                                      byte at least. It is timed as the collectives beside it: both begin together,
 *                                      and the time goes from the last begin to the last end. Both meet in the file
 *                                      BENCH_START_LINE
 *
 * Calls never block: one that finds nothing to do is made again at once, as MPIs do.
 */
#include "adr_rank.h"
#include "adr_touch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum { CONNECT_TRIES = 2000, CONNECT_NAP_US = 5000, LINE_PAIR = 128, LEAD_NS = 1000, MOST_LOOKS = 10000 };

/* What a side tells the other one in memory. */
struct seat {
  _Alignas(LINE_PAIR) _Atomic uint64_t came; /* the number of the last meeting that it has come to */
  long long begin_at, begin, end;
};

static int side, wire;
static char *outgoing, *incoming; /* messages take turns in these */
static size_t stride, turns, sent, received;
static struct touch touch;
static struct seat *seats;
static uint64_t meetings;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

/* Returns how many bytes went at once; 0: the call has to be made again. */
static size_t push(const char *from, size_t bytes) {
  ssize_t went = send(wire, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (went < 0 && errno != EAGAIN && errno != EINTR) fail("send");
  return went < 0 ? 0 : (size_t)went;
}

static size_t pull(char *to, size_t bytes) {
  ssize_t came = recv(wire, to, bytes, MSG_DONTWAIT);
  if (came == 0 && bytes > 0) exit(1); /* the other side has ended */
  if (came < 0 && errno != EAGAIN && errno != EINTR) fail("recv");
  return came < 0 ? 0 : (size_t)came;
}

static void push_all(const char *from, size_t bytes) {
  for (size_t done = 0; done < bytes;) done += push(from + done, bytes - done);
}

static void pull_all(char *to, size_t bytes) {
  for (size_t done = 0; done < bytes;) done += pull(to + done, bytes - done);
}

static char *next_of(char *messages, size_t *turn) {
  char *message = messages + *turn * stride;
  *turn = *turn + 1 == turns ? 0 : *turn + 1;
  return message;
}

static void send_one(size_t bytes) {
  char *message = next_of(outgoing, &sent);
  touch_write(&touch, message, bytes);
  push_all(message, bytes);
}

static void receive_one(size_t bytes) {
  char *message = next_of(incoming, &received);
  pull_all(message, bytes);
  touch_read(&touch, message, bytes);
}

static void latency(size_t bytes, int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    if (side == 0) send_one(bytes);
    receive_one(bytes);
    if (side == 1) send_one(bytes);
  }
}

static void acknowledge(void) {
  char byte = 0;
  if (side == 1) push_all(&byte, 1);
  if (side == 0) pull_all(&byte, 1);
}

static void stream(size_t bytes, int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    if (side == 0) {
      send_one(bytes);
    } else {
      receive_one(bytes);
    }
  }
  acknowledge();
}

static void both_ways(size_t bytes, int exchanges) {
  for (int i = 0; i < exchanges; i++) {
    char *out = next_of(outgoing, &sent), *in = next_of(incoming, &received);
    touch_write(&touch, out, bytes);
    for (size_t gone = 0, came = 0; gone < bytes || came < bytes;) {
      if (gone < bytes) gone += push(out + gone, bytes - gone);
      if (came < bytes) came += pull(in + came, bytes - came);
    }
    touch_read(&touch, in, bytes);
  }
}

/* Returns when both sides have called it. */
static void meet(void) {
  atomic_store_explicit(&seats[side].came, ++meetings, memory_order_release);
  for (int looks = 0; atomic_load_explicit(&seats[1 - side].came, memory_order_acquire) < meetings; looks++)
    if (looks >= MOST_LOOKS) sched_yield(); /* the other side may be off its CPU */
}

/* The time of exchanges that both begin at the same time, one by one. */
static long long timed_together(size_t bytes, int exchanges) {
  long long sum = 0;
  for (int i = 0; i < exchanges; i++) {
    seats[side].begin_at = now_ns() + LEAD_NS;
    meet();
    long long mine = seats[side].begin_at, other = seats[1 - side].begin_at, at = mine > other ? mine : other;
    while (now_ns() < at) continue;
    seats[side].begin = now_ns();
    both_ways(bytes, 1);
    seats[side].end = now_ns();
    meet();
    long long begin = seats[0].begin > seats[1].begin ? seats[0].begin : seats[1].begin;
    sum += (seats[0].end > seats[1].end ? seats[0].end : seats[1].end) - begin;
  }
  return sum;
}

static void open_line(void) {
  const char *name = getenv("BENCH_START_LINE");
  int file = name == NULL ? -1 : open(name, O_RDWR);
  void *line = file < 0 ? MAP_FAILED : mmap(NULL, 2 * sizeof *seats, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (line == MAP_FAILED) fail("BENCH_START_LINE");
  close(file);
  seats = line;
}

typedef void exchange_fn(size_t bytes, int exchanges);

static int begins(const char *verb, const char *word) { return strncmp(verb, word, strlen(word)) == 0; }

static exchange_fn *exchange_of(const char *verb) {
  if (begins(verb, "latency")) return latency;
  if (begins(verb, "bandwidth") || begins(verb, "rate")) return stream;
  return begins(verb, "coll-") ? both_ways : NULL;
}

static void run(const struct order *order, exchange_fn *exchange) {
  static size_t out_held, in_held;
  size_t bytes = order->bytes < 1 ? 1 : (size_t)order->bytes; /* a stream of bytes has no empty messages */
  long long cost = clock_cost(), *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) fail("calloc");
  stride = touch_stride(bytes);
  turns = touch_buffers(bytes);
  sent = received = 0;
  grow(&outgoing, &out_held, stride * turns);
  grow(&incoming, &in_held, stride * turns);
  touch_begin(&touch, bytes, false);
  both_ways(1, 1); /* no side begins before the other has read the command */
  sent = received = 0;
  touch_begin(&touch, bytes, strstr(order->verb, "-untouched") == NULL);
  for (int batch = 0; batch < order->batches; batch++) {
    long long begin = now_ns();
    if (exchange == both_ways) {
      times[batch] = timed_together(bytes, order->exchanges) - order->exchanges * cost;
    } else {
      exchange(bytes, order->exchanges);
      times[batch] = now_ns() - begin - cost;
    }
    if (!touch_check(&touch)) {
      fprintf(stderr, "messages of %zu bytes were not read as they were written\n", bytes);
      exit(1);
    }
  }
  if (side == 0)
    tell(times, order->batches);
  else
    puts("done"), fflush(stdout);
  free(times);
}

static void connect_sides(const char *address, int port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int one = 1;
  if (inet_pton(AF_INET, address, &at.sin_addr) != 1) fail(address);
  if (side == 0) {
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listening, (struct sockaddr *)&at, sizeof at) != 0 || listen(listening, 1) != 0) fail("listen");
    wire = accept(listening, NULL, NULL);
    if (wire < 0) fail("accept");
    close(listening);
  } else {
    for (int tries = 0;; tries++) {
      wire = socket(AF_INET, SOCK_STREAM, 0);
      if (connect(wire, (struct sockaddr *)&at, sizeof at) == 0) break;
      if (tries == CONNECT_TRIES) fail("connect");
      close(wire);
      usleep(CONNECT_NAP_US); /* the other side may not listen yet */
    }
  }
  if (setsockopt(wire, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0) fail("TCP_NODELAY");
}

int main(int argc, char **argv) {
  struct order order;
  if (argc != 5) return 2;
  end_with_launcher();
  side = atoi(argv[1]);
  open_line();
  connect_sides(argv[2], atoi(argv[3]));
  pin(atoi(argv[4]));
  puts("ready"), fflush(stdout);
  for (read_order(&order); order.verb[0] != 0; read_order(&order)) {
    exchange_fn *exchange = exchange_of(order.verb);
    if (exchange == NULL || order.bytes < 0 || order.batches < 1 || order.exchanges < 1)
      printf("error unknown command '%s'\n", order.verb), fflush(stdout);
    else
      run(&order, exchange);
  }
  return 0;
}
