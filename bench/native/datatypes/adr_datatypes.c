/* adrastea-datatypes FILE CPU: what it takes to pack a message by a loop that is written for its shape; `bench
 * datatypes` shows it beside the library's pack. FILE describes the cases (adr_shapes.h). Reads a command a line,
 *   GROUP-loop NUMBER BATCHES EXCHANGES
 * and answers with `ns T1 ... T<BATCHES>`, nanoseconds of each batch of EXCHANGES, or with `error TEXT`. Messages take
 * turns in as many copies of their memory as those of adr_touch.h. Ends at the end of its input. */
#include "datatypes/adr_shapes.h"

#include <inttypes.h>
#include <sched.h>
#include <time.h>

#include "touch/adr_touch.h"

enum { PAGE = 4096, CLOCK_READS = 20000, MOST_BATCHES = 1 << 20, VERB = 48 };

static struct shape *shapes;
static int64_t shape_count;
static char *memory;
static size_t memory_held;
static char *packed;
static size_t packed_held;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static int64_t clock_cost(void) {
  int64_t begin = now_ns();
  int64_t last = begin;
  for (int i = 0; i < CLOCK_READS; i++) { last = now_ns(); }
  return (last - begin) / CLOCK_READS;
}

static void grow(char **room, size_t *held, size_t needed) {
  if (needed <= *held) { return; }
  free(*room);
  *room = aligned_alloc(PAGE, (needed + PAGE - 1) / PAGE * PAGE);
  if (*room == NULL) { shape_fail("no memory for a message"); }
  memset(*room, 1, needed);
  *held = needed;
}

static void run(const struct shape *shape, int64_t batches, int64_t exchanges, int64_t cost) {
  uint64_t stride = touch_stride((uint64_t)shape->memory_bytes);
  uint64_t turns = touch_buffers((uint64_t)shape->memory_bytes);
  uint64_t turn = 0;
  grow(&memory, &memory_held, stride * turns);
  grow(&packed, &packed_held, (size_t)shape->bytes);
  printf("ns");
  for (int64_t batch = 0; batch < batches; batch++) {
    int64_t begin = now_ns();
    for (int64_t i = 0; i < exchanges; i++) {
      shape_pack(&shape->send.loop, memory + turn * stride, packed);
      touch_in_memory(packed);
      turn = turn + 1 == turns ? 0 : turn + 1;
    }
    printf(" %" PRId64, now_ns() - begin - cost);
  }
  printf("\n");
}

static void obey(const char *command, int64_t cost) {
  char verb[VERB];
  int64_t number, batches, exchanges;
  int read = sscanf(command, "%47s %" SCNd64 " %" SCNd64 " %" SCNd64, verb, &number, &batches, &exchanges);
  const char *way = read == 4 ? strrchr(verb, '-') : NULL;
  if (way == NULL || strcmp(way, "-loop") != 0 || batches < 1 || batches > MOST_BATCHES || exchanges < 1) {
    printf("error a command is: GROUP-loop NUMBER BATCHES EXCHANGES\n");
    return;
  }
  struct shape *shape = shape_find(shapes, shape_count, verb, number);
  if (shape == NULL) {
    printf("error there is no case %" PRId64 " for '%s'\n", number, verb);
    return;
  }
  run(shape, batches, exchanges, cost);
}

static void pin(int cpu) {
  cpu_set_t set;
  if (cpu < 0) { return; }
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) { perror("sched_setaffinity"); }
}

int main(int argc, char **argv) {
  char command[256];
  if (argc != 3) {
    fprintf(stderr, "usage: adrastea-datatypes FILE CPU\n");
    return 2;
  }
  shapes = shape_read_all(argv[1], &shape_count);
  pin(atoi(argv[2]));
  int64_t cost = clock_cost();
  while (fgets(command, sizeof command, stdin) != NULL) {
    obey(command, cost);
    fflush(stdout);
  }
  return 0;
}
