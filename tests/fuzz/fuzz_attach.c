/* Attaching to a file whose header, or whose size, is anything: refused, or a job whose memory can be used. mmap and
 * munmap are put in front of the system's own, since attaching reads the header in mappings of its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "adrastea/channel.h"
#include "fuzz_beside.h"

enum { JOB = 0x1234, MOST_BYTES = 2 << 20 };

static char directory[64];
static struct adr_segment made;
static bool exposed; /* the header, in each mapping of the file */

void *mmap(void *wanted, size_t bytes, int protection, int flags, int fd, off_t offset) {
  void *mapping = (void *)syscall(SYS_mmap, wanted, bytes, protection, flags, fd, offset);
  if (exposed && fd >= 0 && mapping != MAP_FAILED) {
    fuzz_beside_expose_mapping(mapping, made.base, ADR_SEGMENT_HEADER_BYTES);
  }
  return mapping;
}

int munmap(void *mapping, size_t bytes) {
  fuzz_beside_hide_mapping(mapping);
  return (int)syscall(SYS_munmap, mapping, bytes);
}

static void clean_up(void) {
  unlink(made.path);
  rmdir(directory);
}

static const int ends[] = {SIGABRT, SIGSEGV, SIGBUS};
enum { ENDS = sizeof ends / sizeof *ends };
static struct sigaction before[ENDS]; /* as they were: the sanitizers have their own */

/* A finding leaves no file either. */
static void clean_up_first(int number) {
  clean_up();
  for (int i = 0; i < ENDS; i++) { sigaction(ends[i], &before[i], NULL); }
  raise(number);
}

/* The file of a job, under its name for as long as this process lives. */
static struct adr_segment_header *fresh_file(void) {
  const struct adr_box_settings boxes = {.slots = 64, .limit = 1024, .threshold = 1, .preallocate_ranks = 0};
  static struct adr_segment_header pristine;
  if (made.base == NULL) {
    fuzz_directory(directory);
    fuzz_require(adr_segment_create(&made, directory, JOB, 0, FUZZ_RANKS, FUZZ_CELLS, FUZZ_PAYLOAD, boxes) == 0,
                 "no segment");
    const struct sigaction clean = {.sa_handler = clean_up_first, .sa_flags = SA_NODEFER};
    atexit(clean_up);
    for (int i = 0; i < ENDS; i++) { fuzz_require(sigaction(ends[i], &clean, &before[i]) == 0, "no handler"); }
    memcpy((void *)&pristine, made.base, sizeof pristine);
  }
  fuzz_require(ftruncate(made.fd, (off_t)made.shape.segment_bytes) == 0, "no file");
  memcpy(made.base, (const void *)&pristine, sizeof pristine);
  return adr_segment_header_of(&made);
}

/* Mostly one of the fields that tell counts, sizes and offsets. */
static void spoil(struct fuzz_job *job, struct fuzz_input *in) {
  uint32_t word = fuzz_below(in, 4) == 0 ? fuzz_below(in, ADR_SEGMENT_HEADER_BYTES / 8) : fuzz_below(in, 16);
  uint32_t half = fuzz_below(in, 4);
  uint64_t *at = (uint64_t *)(void *)made.base + word;
  uint64_t value = fuzz_value(job, in, half == 1 ? *at >> 32 : *at);
  if (half < 2) {
    *((uint32_t *)(void *)at + half) = (uint32_t)value;
  } else {
    *at = value;
  }
}

/* All that attach said is there can be touched. */
static void use(struct adr_segment *other) {
  const struct adr_segment_shape *shape = &other->shape;
  fuzz_require(shape->rank_count >= 1 && shape->segment_bytes <= MOST_BYTES, "sizes that were not checked");
  (void)*(volatile uint8_t *)(other->base + shape->segment_bytes - 1);
  adr_channel *channel =
      adr_channel_open_within(other->base, (int64_t)shape->segment_bytes, (int32_t)shape->rank_count - 1);
  if (channel != NULL) {
    adr_inbound inbound;
    adr_channel_poll(channel, -1, &inbound);
    adr_channel_close(channel);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz_input in = {bytes, size};
  struct fuzz_job *job = fuzz_job(1);
  struct adr_segment other;
  fresh_file();
  uint64_t file_bytes = made.shape.segment_bytes;
  for (uint32_t changes = fuzz_below(&in, 8); changes > 0; changes--) { spoil(job, &in); }
  if (fuzz_below(&in, 4) == 0) {
    file_bytes = fuzz_value(job, &in, file_bytes) % MOST_BYTES;
    uint8_t header[ADR_SEGMENT_HEADER_BYTES];
    memcpy(header, made.base, sizeof header);
    fuzz_require(ftruncate(made.fd, (off_t)file_bytes) == 0, "no file");
    if (file_bytes > 0) { memcpy(made.base, header, sizeof header); }
  }
  exposed = file_bytes >= ADR_SEGMENT_HEADER_BYTES;
  if (exposed) { fuzz_beside_expose(made.base, ADR_SEGMENT_HEADER_BYTES); }
  int status = adr_segment_attach(&other, directory, JOB, 0);
  fuzz_require(status <= 0 && strcmp(adr_segment_strerror(status), "unknown error") != 0, "a refusal without a reason");
  if (status == 0) {
    fuzz_require(other.shape.segment_bytes <= file_bytes, "a file too short");
    use(&other);
    adr_segment_close(&other);
  }
  exposed = false;
  fuzz_beside_hide(); /* the next input cuts the file */
  return 0;
}
