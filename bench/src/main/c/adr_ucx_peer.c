/*
 * Two processes over UCX's own interface (UCP, tag matching): ping-pong and streams, with the commands and the answers
 * of adrastea-floor and of the bench's workers. Compiled at run time against the UCX that is installed.
 *
 *   adr_ucx_peer CPU0 CPU1      the CPU of each side, -1 leaves it where it is
 *   latency|bandwidth|rate BYTES BATCHES EXCHANGES   ->   ns T1 T2 ... T<BATCHES>
 *   latency, bandwidth and rate: messages are written before they are sent and read after they came; not those of
 *                               latency-untouched, bandwidth-untouched and rate-untouched
 *
 * Side 0 has the standard input. It waits there in read(), side 1 in a read of its own, so that none costs the other
 * anything between commands. The end of the input ends both.
 */
#define _GNU_SOURCE
#include "adr_touch.h"
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <ucp/api/ucp.h>
#include <unistd.h>

enum { TAG = 2, ACK_TAG = 4, VERIFY_TAG = 5, WINDOW = 64, WINDOW_BYTES = 8 << 20, CLOCK_READS = 20000, PAGE = 4096 };

struct order {
  char verb[24];
  int bytes, batches, exchanges;
};

typedef void exchange_fn(const struct order *order);

static int side, other; /* 0 or 1; a socket to the other side's process, for what is not timed */
static ucp_worker_h worker;
static ucp_ep_h endpoint;

static char *outgoing; /* messages take turns in these */
static char *incoming;
static size_t stride, turns;  /* from one to the next; how many */
static size_t sent, received; /* the turn of the next one that is sent or posted, and of the next one that comes */
static struct touch touch;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("adr_ucx_peer: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  _exit(1);
}

static void must(const char *what, ucs_status_t status) {
  if (status != UCS_OK) fail("%s: %s", what, ucs_status_string(status));
}

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

/* What UCX returns for an operation: NULL when it is complete. */
static void await(ucs_status_ptr_t request) {
  if (request == NULL) return;
  if (UCS_PTR_IS_ERR(request)) must("an operation", UCS_PTR_STATUS(request));
  ucs_status_t status;
  while ((status = ucp_request_check_status(request)) == UCS_INPROGRESS) ucp_worker_progress(worker);
  must("a message", status);
  ucp_request_free(request);
}

/* UCX need not look up what kind of memory each message lies in. */
static const ucp_request_param_t host = {
    .op_attr_mask = UCP_OP_ATTR_FIELD_MEMORY_TYPE,
    .memory_type = UCS_MEMORY_TYPE_HOST,
};

static ucs_status_ptr_t start_send(const void *message, int bytes, ucp_tag_t tag) {
  return ucp_tag_send_nbx(endpoint, message, (size_t)bytes, tag, &host);
}

static ucs_status_ptr_t start_receive(void *message, int bytes, ucp_tag_t tag) {
  return ucp_tag_recv_nbx(worker, message, (size_t)bytes, tag, (ucp_tag_t)-1, &host);
}

/* The message that is due of those that take turns. */
static char *next_of(char *messages, size_t *turn) {
  char *message = messages + *turn * stride;
  *turn = *turn + 1 == turns ? 0 : *turn + 1;
  return message;
}

static void send_one(int bytes) {
  char *message = next_of(outgoing, &sent);
  touch_write(&touch, message, (uint64_t)bytes);
  await(start_send(message, bytes, TAG));
}

static void receive_one(int bytes) {
  char *message = next_of(incoming, &received);
  await(start_receive(message, bytes, TAG));
  touch_read(&touch, message, (uint64_t)bytes);
}

static void latency(const struct order *order) {
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

static ucs_status_ptr_t post(const struct order *order) {
  if (side == 1) return start_receive(next_of(incoming, &sent), order->bytes, TAG);
  char *message = next_of(outgoing, &sent);
  touch_write(&touch, message, (uint64_t)order->bytes);
  return start_send(message, order->bytes, TAG);
}

/* Waits for the oldest outstanding message. */
static void await_one(const struct order *order, ucs_status_ptr_t request) {
  await(request);
  if (side == 1) touch_read(&touch, next_of(incoming, &received), (uint64_t)order->bytes);
}

/* Side 1 has the last message of a stream. */
static void acknowledge(void) {
  char nothing;
  if (side == 1) await(start_send(&nothing, 0, ACK_TAG));
  if (side == 0) await(start_receive(&nothing, 0, ACK_TAG));
}

static void bandwidth(const struct order *order) {
  ucs_status_ptr_t requests[WINDOW];
  int window = window_of(order->bytes), slot = 0;
  for (int i = 0; i < order->exchanges; i++) {
    if (i >= window) await_one(order, requests[slot]);
    requests[slot] = post(order);
    slot = slot + 1 == window ? 0 : slot + 1;
  }
  int left = order->exchanges < window ? order->exchanges : window;
  for (int i = order->exchanges - left; i < order->exchanges; i++) await_one(order, requests[i % window]);
  acknowledge();
}

/* Both sides complete each message before the next. */
static void rate(const struct order *order) {
  for (int i = 0; i < order->exchanges; i++) {
    if (side == 0) {
      send_one(order->bytes);
    } else {
      receive_one(order->bytes);
    }
  }
  acknowledge();
}

static int is_end(const char *end) { return *end == 0 || strcmp(end, "-untouched") == 0; }

static exchange_fn *exchange_of(const char *verb) {
  if (strncmp(verb, "latency", 7) == 0 && is_end(verb + 7)) return latency;
  if (strncmp(verb, "bandwidth", 9) == 0 && is_end(verb + 9)) return bandwidth;
  return strncmp(verb, "rate", 4) == 0 && is_end(verb + 4) ? rate : NULL;
}

static void grow(char **buffer, size_t *held, size_t needed) {
  if (needed <= *held) return;
  free(*buffer);
  *buffer = aligned_alloc(PAGE, (needed + PAGE - 1) / PAGE * PAGE);
  if (*buffer == NULL) fail("no memory for messages: %zu bytes", needed);
  memset(*buffer, 1, needed); /* touch the pages */
  *held = needed;
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

/* One message each way, which also holds both sides together. */
static void swap(int bytes, ucp_tag_t tag) {
  ucs_status_ptr_t request = start_send(outgoing, bytes, tag);
  await(start_receive(incoming, bytes, tag));
  await(request);
}

/* Other bytes in each message than in the one before: what arrives is what was sent. */
static void verify(const struct order *order) {
  static unsigned char seed;
  seed++;
  memset(outgoing, seed, (size_t)order->bytes);
  swap(order->bytes, VERIFY_TAG);
  for (int i = 0; i < order->bytes; i++) {
    if ((unsigned char)incoming[i] != seed)
      fail("a message of %d bytes arrived with a wrong byte at %d", order->bytes, i);
  }
}

static void run(const struct order *order, exchange_fn *exchange) {
  static long long cost = -1;
  if (cost < 0) cost = clock_cost();
  touch_begin(&touch, (uint64_t)order->bytes, strchr(order->verb, '-') == NULL);
  ensure_buffers(order);
  long long *times = calloc((size_t)order->batches, sizeof *times);
  if (times == NULL) fail("no memory for %d times", order->batches);
  swap(0, VERIFY_TAG); /* no side begins before the other has read the command */
  for (int batch = 0; batch < order->batches; batch++) {
    long long begin = now_ns();
    exchange(order);
    times[batch] = now_ns() - begin - cost;
    if (!touch_check(&touch)) fail("messages of %d bytes were not read as they were written", order->bytes);
  }
  verify(order);
  if (side == 0) {
    fputs("ns", stdout);
    for (int batch = 0; batch < order->batches; batch++) printf(" %lld", times[batch]);
    puts("");
    fflush(stdout);
  }
  free(times);
}

static int whole(int got, size_t wanted) { return got == (int)wanted; }

/* The next command, the same on both sides; false at the end of the input. */
static int next(struct order *order) {
  char line[128];
  if (side == 1) return whole((int)recv(other, order, sizeof *order, MSG_WAITALL), sizeof *order);
  memset(order, 0, sizeof *order);
  if (fgets(line, sizeof line, stdin) == NULL) return 0;
  sscanf(line, "%23s %d %d %d", order->verb, &order->bytes, &order->batches, &order->exchanges);
  return 1;
}

static void serve(void) {
  struct order order;
  while (next(&order)) {
    exchange_fn *exchange = exchange_of(order.verb);
    if (exchange == NULL || order.bytes < 0 || order.batches < 1 || order.exchanges < 1) {
      printf("error unknown command '%s'\n", order.verb);
      fflush(stdout);
      continue;
    }
    if (side == 0 && !whole((int)send(other, &order, sizeof order, MSG_NOSIGNAL), sizeof order))
      fail("the other side died");
    run(&order, exchange);
  }
}

static void pin(const char *text) {
  cpu_set_t set;
  int cpu = atoi(text);
  if (cpu < 0) return;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) perror("sched_setaffinity");
}

/* The address of the other side's worker, in memory that stays. */
static ucp_address_t *swap_addresses(void) {
  ucp_address_t *mine;
  size_t length, theirs;
  must("ucp_worker_get_address", ucp_worker_get_address(worker, &mine, &length));
  if (!whole((int)send(other, &length, sizeof length, 0), sizeof length)
      || !whole((int)send(other, mine, length, 0), length)
      || !whole((int)recv(other, &theirs, sizeof theirs, MSG_WAITALL), sizeof theirs))
    fail("the other side died");
  ucp_address_t *address = malloc(theirs);
  if (address == NULL || !whole((int)recv(other, address, theirs, MSG_WAITALL), theirs)) fail("the other side died");
  ucp_worker_release_address(worker, mine);
  return address;
}

static void connect_sides(void) {
  ucp_context_h context;
  ucp_config_t *config;
  ucp_params_t features = {.field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_ESTIMATED_NUM_EPS,
                           .features = UCP_FEATURE_TAG,
                           .estimated_num_eps = 1};
  ucp_worker_params_t threads = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                 .thread_mode = UCS_THREAD_MODE_SINGLE};
  must("ucp_config_read", ucp_config_read(NULL, NULL, &config));
  must("ucp_init", ucp_init(&features, config, &context));
  ucp_config_release(config);
  must("ucp_worker_create", ucp_worker_create(context, &threads, &worker));
  ucp_ep_params_t to = {.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS, .address = swap_addresses()};
  must("ucp_ep_create", ucp_ep_create(worker, &to, &endpoint));
}

int main(int argc, char **argv) {
  int ends[2];
  pid_t parent = getpid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc != 3) fail("usage: adr_ucx_peer CPU0 CPU1");
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) fail("no socket pair");
  pid_t child = fork(); /* before UCX is in use: it does not stand a fork */
  if (child < 0) fail("no second process");
  side = child == 0;
  if (side == 1) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 1;
  }
  other = ends[side];
  close(ends[1 - side]);
  pin(argv[1 + side]);
  connect_sides();
  serve();
  fflush(stdout);
  _exit(0); /* side 1 ends with the socket, and UCX's files have no names any more */
}
