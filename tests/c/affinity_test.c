/* Binding the calling thread. */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "adrastea/adrastea.h"
#include "affinity/adr_affinity.h"
#include "check.h"

static int first_allowed(void) {
  cpu_set_t set;
  CHECK_EQUAL(0, sched_getaffinity(0, sizeof set, &set));
  int cpu = 0;
  while (!CPU_ISSET(cpu, &set)) { cpu++; }
  return cpu;
}

static void refuses_cpus_that_do_not_exist(void) {
  CHECK_EQUAL(-EINVAL, adr_affinity_bind(-1));
  CHECK_EQUAL(-EINVAL, adr_affinity_bind(65535));
  CHECK_EQUAL(-EINVAL, adr_affinity_bind(1 << 30));
}

static void binds_to_one_cpu(void) {
  int cpu = first_allowed();
  CHECK(adr_affinity_count() >= 1);
  CHECK_EQUAL(0, adr_affinity_bind(cpu));
  CHECK_EQUAL(1, adr_affinity_count());
  CHECK_EQUAL(cpu, first_allowed());
  CHECK_EQUAL(cpu, sched_getcpu());
}

static void tells_its_cpus_bit_by_bit(void) {
  uint64_t words[3] = {1, 1, 1};
  adr_affinity_mask(words, 3);
  int cpu = first_allowed();
  for (int word = 0; word < 3; word++) { CHECK_EQUAL(cpu / 64 == word ? UINT64_C(1) << cpu % 64 : 0, words[word]); }
}

static void tells_its_version(void) { CHECK(strcmp(adr_version(), ADR_VERSION) == 0); }

int main(void) {
  RUN(refuses_cpus_that_do_not_exist);
  RUN(binds_to_one_cpu);
  RUN(tells_its_cpus_bit_by_bit);
  RUN(tells_its_version);
  return 0;
}
