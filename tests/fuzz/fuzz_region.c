/* Regions and shared allocations of a rank, and the rank table, while others write into entries, counts and the file's
 * end. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fuzz_job.h"
#include "ranktable/adr_rank_table.h"
#include "segment/adr_geometry.h"
#include "segment/adr_region.h"
#include "shared/adr_shared.h"

enum { SELF = 0, MOST_HELD = 4, LONGEST = 1 << 14, LONG = 16, MOST_FILE = 1 << 24 };

struct state {
  struct fuzz_job *job;
  struct adr_shared *shared;
  void *held[MOST_HELD];
};

/* A value of errno, or one of ours; never a number that looks like success. */
static int known(int status) {
  fuzz_require(status >= ADR_SEGMENT_REGIONS && status <= ADR_SEGMENT_OWNER ? true : status > -200,
               "a status that the call does not have");
  return status;
}

static void add(struct state *state, struct fuzz_input *in) {
  struct adr_region region;
  void *address;
  struct adr_segment *segment = &state->job->segment;
  struct adr_region_request request = {ADR_REGION_SYMMETRIC, SELF, 1 + fuzz_u16(in) % LONGEST, fuzz_below(in, 4) == 0};
  int index = known(adr_region_add(segment, SELF, &request));
  if (index >= 0) { known(adr_region_map(segment, (uint32_t)index, &region, &address)); }
  known(adr_region_reserve(segment, fuzz_below(in, 4), ADR_PAGE * (uint64_t)fuzz_below(in, 4), ADR_PAGE));
  known(adr_region_release(segment, fuzz_below(in, 4), ADR_PAGE * (uint64_t)fuzz_below(in, 4), ADR_PAGE));
  if (index >= 0 && fuzz_below(in, 2) == 0) { known(adr_region_give_back(segment, SELF, (uint32_t)index)); }
}

static void reach(struct state *state, struct fuzz_input *in) {
  void *memory;
  int32_t rank = (int32_t)fuzz_below(in, FUZZ_RANKS + 1);
  uint64_t pages = fuzz_below(in, 16);
  uint64_t offset = fuzz_below(in, 2) == 0 ? fuzz_value(state->job, in, 0)
                                           : state->job->segment.shape.segment_bytes + pages * ADR_PAGE + fuzz_u8(in);
  uint64_t bytes = fuzz_below(in, 4) == 0 ? fuzz_value(state->job, in, 0) : fuzz_u16(in) % LONGEST;
  if (known(adr_shared_reach(state->shared, rank, offset, bytes, &memory)) == 0) {
    (void)*(volatile uint8_t *)memory;
    (void)*((volatile uint8_t *)memory + bytes - 1);
    struct adr_region region;
    uint64_t found = offset; /* what was given back is not located */
    known(adr_region_locate(&state->job->segment, memory, bytes, &region, &found));
    fuzz_require(found == offset, "memory is located elsewhere than where it was reached");
  }
}

static void allocate(struct state *state, struct fuzz_input *in) {
  void *memory = NULL;
  uint64_t offset;
  uint64_t bytes = 1 + fuzz_u16(in) % LONGEST;
  bytes *= fuzz_below(in, 16) == 0 ? LONG : 1;
  uint64_t alignment = UINT64_C(1) << fuzz_below(in, 13);
  if (known(adr_shared_allocate(state->shared, bytes, alignment, &memory, &offset)) == 0) {
    memset(memory, 1, bytes);
    state->held[fuzz_below(in, MOST_HELD)] = memory;
  }
}

/* Spoils words about regions: entries and their count, the end of the file; or any. */
static void spoil(struct state *state, struct fuzz_input *in) {
  struct fuzz_job *job = state->job;
  uint32_t which = fuzz_below(in, 4);
  uint64_t directory = adr_region_directory_offset(FUZZ_RANKS);
  struct adr_region_entry *entry =
      (struct adr_region_entry *)(void *)(job->segment.base + directory) + fuzz_below(in, 4);
  uint64_t pages = ADR_PAGE * (uint64_t)fuzz_below(in, 8);
  if (which == 0) {
    adr_store_relaxed_u64(&entry->offset, job->segment.shape.segment_bytes + pages);
    adr_store_relaxed_u64(&entry->bytes, ADR_PAGE * (uint64_t)fuzz_below(in, 8));
  } else if (which == 1) {
    adr_store_relaxed_u32(&adr_segment_header_of(&job->segment)->region_count,
                          (uint32_t)fuzz_value(job, in, ADR_MAX_REGIONS));
  } else if (which == 2) {
    struct adr_segment_header *header = adr_segment_header_of(&job->segment);
    adr_store_relaxed_u64(&header->file_end, fuzz_value(job, in, job->segment.shape.segment_bytes + pages));
  } else {
    fuzz_spoil(job, in);
  }
}

static void step(struct state *state, struct fuzz_input *in) {
  struct adr_region region;
  switch (fuzz_below(in, 8)) {
  case 0:
    add(state, in);
    break;
  case 1:
    reach(state, in);
    break;
  case 2:
    allocate(state, in);
    break;
  case 3:
    known(adr_shared_free(state->shared, state->held[fuzz_below(in, MOST_HELD)]));
    break;
  case 4:
    known(adr_region_at(&state->job->segment, fuzz_u8(in), &region));
    break;
  case 5:
    fuzz_require(adr_rank_table_usable_cpus(state->job->segment.base, NULL, FUZZ_RANKS) >= 1, "no CPU");
    (void)adr_rank_table_all_wake(state->job->segment.base, FUZZ_RANKS);
    break;
  default:
    spoil(state, in);
    break;
  }
}

/* The file is memory, which the machine has not without end. */
static void limit_file(void) {
  const struct rlimit limit = {MOST_FILE, MOST_FILE};
  signal(SIGXFSZ, SIG_IGN);
  fuzz_require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "no limit");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz_input in = {bytes, size};
  struct state state = {.job = fuzz_job(0)};
  limit_file();
  struct adr_segment *segment = &state.job->segment;
  fuzz_require(ftruncate(segment->fd, (off_t)segment->shape.segment_bytes) == 0, "no file");
  fuzz_require(adr_shared_open(&state.shared, segment, SELF) == 0, "no shared memory");
  for (int steps = 0; in.left > 0 && steps < FUZZ_STEPS; steps++) { step(&state, &in); }
  adr_shared_close(state.shared);
  adr_region_close(segment); /* the job is used again */
  return 0;
}
