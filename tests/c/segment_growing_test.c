/* Attaching while the creator is still at work. fstat is put in front of the system's own: when a joiner has asked for
 * the file's size for the first time, the creator goes on as far as it is told. */
#include <fcntl.h>
#include <sys/stat.h>

#include "job.h"

enum { RANKS = 2, CELLS = 4, PAYLOAD = 64 };

static char directory[64];
static struct adr_segment made;
static void (*next_step)(void); /* what the creator does after the next look at the file's size */

int fstat(int fd, struct stat *found) {
  int status = fstatat(fd, "", found, AT_EMPTY_PATH);
  void (*step)(void) = next_step;
  next_step = NULL;
  if (step != NULL) { step(); }
  return status;
}

static int attach(void) {
  struct adr_segment other;
  int status = adr_segment_attach(&other, directory, JOB_ID, 0);
  if (status == 0) { adr_segment_close(&other); }
  return status;
}

/* Makes a segment as far as its creator is when a rank joins: the header's page is there, and empty. */
static void make_a_part(void) {
  job_directory(directory);
  CHECK_EQUAL(0, adr_segment_create(&made, directory, JOB_ID, 0, RANKS, CELLS, PAYLOAD, ADR_BOX_DEFAULTS));
  adr_store_relaxed_u64(&adr_segment_header_of(&made)->magic, 0);
  CHECK_EQUAL(0, ftruncate(made.fd, ADR_PAGE));
}

static void remove_all(void) {
  CHECK(next_step == NULL); /* the joiner has asked */
  adr_segment_unlink(&made);
  adr_segment_close(&made);
  CHECK_EQUAL(0, rmdir(directory));
}

static void grow(void) { CHECK_EQUAL(0, ftruncate(made.fd, (off_t)made.shape.segment_bytes)); }
static void finish(void) {
  grow();
  adr_store_release_u64(&adr_segment_header_of(&made)->magic, ADR_MAGIC);
}
static void show_the_magic_only(void) { adr_store_release_u64(&adr_segment_header_of(&made)->magic, ADR_MAGIC); }

static void a_joiner_that_saw_the_file_short_takes_it_when_it_is_whole(void) {
  make_a_part();
  next_step = finish;
  CHECK_EQUAL(0, attach());
  remove_all();
}

static void a_joiner_waits_for_the_magic_however_long_the_file_is(void) {
  make_a_part();
  next_step = grow;
  CHECK_EQUAL(ADR_AGAIN, attach());
  CHECK_EQUAL(ADR_AGAIN, attach());
  remove_all();
}

/* No creator does that: the file was cut. */
static void a_file_that_is_short_behind_its_magic_is_refused(void) {
  make_a_part();
  next_step = show_the_magic_only;
  CHECK_EQUAL(ADR_SEGMENT_SIZES, attach());
  remove_all();
}

int main(void) {
  RUN(a_joiner_that_saw_the_file_short_takes_it_when_it_is_whole);
  RUN(a_joiner_waits_for_the_magic_however_long_the_file_is);
  RUN(a_file_that_is_short_behind_its_magic_is_refused);
  return 0;
}
