/* Collectives of C ranks beside Java ranks: drawn at random, the same ones at all ranks, and checked. Twin of
 * io.adrastea.it.CollectiveRank. Arguments: `operator`: Java ranks call with one of their own; or `mixed`, rounds, and
 * `survivors`, after these: the last rank leaves, and the others go on without it. */
#include "filling.h"
#include "member.h"

enum { COMMS = 3, MOST_RANKS = 16, MOST_WORDS = 20000 };

static struct members {
  adr_comm *comm;
  int size;
  int ranks[MOST_RANKS]; /* in the job */
} all[COMMS];

static uint64_t in[MOST_WORDS], out[MOST_WORDS * MOST_RANKS], part[MOST_WORDS], expected[MOST_WORDS];

static uint64_t number(int rank, uint64_t round) { return round * 1000 + (uint64_t)rank; }

static void add(struct members *members, int rank) { members->ranks[members->size++] = rank; }

/* The world, one like it, and the even or the odd ranks in reverse order. */
static void make_comms(void) {
  const int size = adr_job_size(job);
  const int self = adr_job_rank(job);
  all[0].comm = adr_job_world(job);
  require(adr_comm_dup(all[0].comm, &all[1].comm));
  require(adr_comm_split(all[1].comm, self % 2, size - self, &all[2].comm));
  for (int rank = 0; rank < size; rank++) {
    add(&all[0], rank);
    add(&all[1], rank);
  }
  for (int rank = size - 1; rank >= 0; rank--) {
    if (rank % 2 == self % 2) { add(&all[2], rank); }
  }
}

static int64_t words_of(uint64_t choice, uint64_t drawn) {
  return (int64_t)(drawn % (choice % 3 == 0 ? 7 : choice % 3 == 1 ? 512 : MOST_WORDS));
}

static void must(int right, const char *what, uint64_t round) {
  if (!right) {
    fprintf(stderr, "%s of round %llu is wrong\n", what, (unsigned long long)round);
    exit(1);
  }
}

static double real(uint64_t word) { return (double)(int64_t)word * 0x1p-40; }

static double as_double(uint64_t word) {
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static uint64_t bits_of(double value) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

/* How elements are combined: sums of integers, sums of doubles, the greatest doubles. */
static uint64_t combined(int way, uint64_t a, uint64_t b) {
  if (way == 0) { return a + b; }
  if (way == 1) { return bits_of(as_double(a) + as_double(b)); }
  return as_double(a) > as_double(b) ? a : b;
}

static void write_operand(uint64_t *words, int64_t count, int way, uint64_t seed) {
  filling_write((uint8_t *)words, (uint64_t)count * 8, seed);
  for (int64_t i = 0; way > 0 && i < count; i++) { words[i] = bits_of(real(words[i])); }
}

enum kind { ALLREDUCE, REDUCE, SCAN, EXSCAN, REDUCE_SCATTER, KINDS };

static struct {
  int64_t count[MOST_RANKS]; /* elements of each part */
  int64_t total;
} parts;

static void cut(int size, int64_t count, uint64_t round) {
  parts.total = 0;
  for (int rank = 0; rank < size; rank++) {
    parts.count[rank] = (int64_t)(filling_word(round, 8 + (uint64_t)rank) % (uint64_t)(count / size + 1));
    parts.total += parts.count[rank];
  }
}

/* Calls it, and says where in what all operands give this rank's result begins, and how long it is. */
static int64_t call(adr_comm *comm, enum kind kind, int64_t count, int32_t element, int32_t op, int root,
                    int64_t *begin) {
  const int self = adr_comm_rank(comm);
  *begin = 0;
  switch (kind) {
  case ALLREDUCE:
    require(adr_comm_allreduce(comm, in, out, count, element, op));
    return count;
  case REDUCE:
    require(adr_comm_reduce(comm, in, out, count, element, op, root));
    return self == root ? count : 0;
  case SCAN:
    require(adr_comm_scan(comm, in, out, count, element, op));
    return count;
  case EXSCAN:
    require(adr_comm_exscan(comm, in, out, count, element, op));
    return self == 0 ? 0 : count;
  default:
    require(adr_comm_reduce_scatter(comm, in, out, parts.count, element, op));
    for (int rank = 0; rank < self; rank++) { *begin += parts.count[rank]; }
    return parts.count[self];
  }
}

static void reduce(const struct members *members, int64_t most, int way, uint64_t round) {
  const enum kind kind = (enum kind)(filling_word(round, 5) % KINDS);
  const int root = (int)(filling_word(round, 6) % (uint64_t)members->size);
  const int self = adr_comm_rank(members->comm);
  cut(members->size, most, round);
  const int64_t count = kind == REDUCE_SCATTER ? parts.total : most;
  int64_t begin;
  write_operand(in, count, way, number(adr_job_rank(job), round));
  const int64_t gets =
      call(members->comm, kind, count, way == 0 ? ADR_INT64 : ADR_DOUBLE, way == 2 ? ADR_MAX : ADR_SUM, root, &begin);
  const int until = kind == SCAN ? self + 1 : kind == EXSCAN ? self : members->size;
  for (int rank = 0; rank < until; rank++) {
    write_operand(part, count, way, number(members->ranks[rank], round));
    for (int64_t i = 0; i < count; i++) { expected[i] = rank == 0 ? part[i] : combined(way, expected[i], part[i]); }
  }
  must(memcmp(expected + begin, out, (size_t)gets * 8) == 0, "the reduction", round);
}

static void gather(const struct members *members, int64_t count, uint64_t round) {
  filling_write((uint8_t *)in, (uint64_t)count * 8, number(adr_job_rank(job), round));
  require(adr_comm_allgather(members->comm, in, out, count * 8));
  for (int rank = 0; rank < members->size; rank++) {
    filling_check((uint8_t *)(out + rank * count), (uint64_t)count * 8, number(members->ranks[rank], round));
  }
}

static void broadcast(const struct members *members, int64_t count, int root, uint64_t round) {
  filling_write((uint8_t *)out, (uint64_t)count * 8, number(adr_job_rank(job), round));
  require(adr_comm_bcast(members->comm, out, count * 8, root));
  filling_check((uint8_t *)out, (uint64_t)count * 8, number(members->ranks[root], round));
}

static void run(uint64_t round) {
  const struct members *members = &all[filling_word(round, 1) % COMMS];
  const int64_t count = words_of(filling_word(round, 2), filling_word(round, 3));
  switch (filling_word(round, 0) % 4) {
  case 0:
    require(adr_comm_barrier(members->comm));
    break;
  case 1:
    broadcast(members, count, (int)(filling_word(round, 4) % (uint64_t)members->size), round);
    break;
  case 2:
    reduce(members, count, (int)(filling_word(round, 4) % 3), round);
    break;
  default:
    gather(members, count, round);
    break;
  }
}

/* No C rank can run what the Java ranks call with: all are told, and the world goes on. */
static void meet_an_operator_of_java(void) {
  double one = 1, sum = 0;
  int status = adr_comm_allreduce(all[1].comm, &one, &sum, 1, ADR_DOUBLE, ADR_SUM);
  printf("%s: %s\n", status == ADR_ERROR_COLLECTIVE ? "refused" : "?", adr_job_error(job));
  require(adr_barrier(job));
}

static void go_on_without_the_last(void) {
  adr_comm *comm = all[1].comm, *rest;
  const int size = adr_job_size(job), self = adr_job_rank(job);
  uint32_t agreed;
  for (uint32_t round = 0; round < 100; round++) {
    require(adr_comm_agree(comm, round | UINT32_C(1) << (8 + self), &agreed));
    must(agreed == round, "what is agreed on", round);
  }
  if (self < size - 1) {
    require(adr_comm_agree(comm, self == 0 ? 3 : 6, &agreed));
    must(agreed == (size == 2 ? 3 : 2), "the flags of those that live", 0);
    if (self == size - 2) { require(adr_comm_revoke(comm)); }
    require(adr_comm_shrink(comm, &rest));
    must(adr_comm_size(rest) == size - 1 && adr_comm_rank(rest) == self, "the communicator of those that live", 0);
    const int64_t one = 1;
    int64_t sum = 0;
    require(adr_comm_allreduce(rest, &one, &sum, 1, ADR_INT64, ADR_SUM));
    must(sum == size - 1, "their sum", 0);
    must(adr_comm_barrier(comm) < 0, "the barrier of what was revoked", 0);
    require(adr_comm_close(rest));
  }
  puts("c: survived");
}

int main(int count, char **arguments) {
  member_join();
  make_comms();
  if (count > 3) {
    const uint64_t rounds = strtoull(arguments[2], NULL, 10);
    for (uint64_t round = 0; round < rounds; round++) { run(round); }
    printf("c: %s rounds\n", arguments[2]);
    go_on_without_the_last();
  } else {
    meet_an_operator_of_java();
  }
  require(adr_comm_close(all[1].comm));
  return require(adr_job_leave(job));
}
