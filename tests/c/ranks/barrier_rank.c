/* In each round every rank writes its place of an array in a file that all map, comes to the barrier and reads the
 * places of all. Twin of io.adrastea.it.BarrierRank. Arguments: the file, rounds. */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "member.h"

enum { LINE = 128 };

static volatile uint8_t *map(const char *path, uint64_t bytes) {
  int fd = open(path, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || (lseek(fd, 0, SEEK_END) < (off_t)bytes && ftruncate(fd, (off_t)bytes) != 0)) { exit(1); }
  void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (mapped == MAP_FAILED) { exit(1); }
  return mapped;
}

static volatile int64_t *place(volatile uint8_t *array, int rank) { return (volatile int64_t *)(array + rank * LINE); }

static void check(int round, int rank, int64_t written) {
  if (written != round) {
    fprintf(stderr, "left the barrier of round %d when rank %d had written %lld\n", round, rank, (long long)written);
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) { return 2; }
  int rounds = atoi(argv[2]);
  member_join();
  int size = adr_job_size(job);
  volatile uint8_t *arrays = map(argv[1], 2 * (uint64_t)size * LINE);
  for (int round = 1; round <= rounds; round++) {
    volatile uint8_t *array = arrays + round % 2 * size * LINE;
    *place(array, adr_job_rank(job)) = round;
    require(adr_barrier(job));
    for (int rank = 0; rank < size; rank++) { check(round, rank, *place(array, rank)); }
  }
  printf("c: %d rounds\n", rounds);
  return require(adr_job_leave(job));
}
