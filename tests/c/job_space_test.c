/* Joining where the file system is too small, in a mount namespace of its own: an error that names the bytes, and no
 * file is left. Skipped where no file system may be mounted. */
#include <dirent.h>
#include <inttypes.h>
#include <sched.h>
#include <sys/mount.h>

#include "ranks.h"
#include "segment/adr_geometry.h"

static void join_and_find_no_room(void) {
  CHECK_EQUAL(-ENOSPC, adr_job_join(&job, 0, &error));
  struct adr_segment_shape shape;
  char needed[64];
  CHECK_EQUAL(0, adr_segment_shape_make(&shape, 1, 64, 8192, ADR_BOX_DEFAULTS)); /* the default settings */
  /* The directory of regions but its first page, and the table of contexts. */
  uint64_t hole = ADR_REGION_DIRECTORY_BYTES - ADR_PAGE + ADR_CONTEXT_ID_TABLE_BYTES;
  snprintf(needed, sizeof needed, "the job needs %" PRIu64 " bytes", shape.segment_bytes - hole);
  check_says(error.text, needed);
  check_says(error.text, "ADRASTEA_SHM_DIR, or lower ADRASTEA_CELLS or ADRASTEA_CELL_BYTES");
}

static void join_with_few_cells(void) {
  set_number("ADRASTEA_CELLS", 4);
  set_number("ADRASTEA_CELL_BYTES", 512);
  join_job();
  CHECK_EQUAL(0, adr_job_leave(job));
}

static int files_left(void) {
  int count = -2; /* . and .. */
  DIR *listing = opendir(ranks_directory);
  CHECK(listing != NULL);
  while (readdir(listing) != NULL) { count++; }
  closedir(listing);
  return count;
}

static void try_in(const char *size, rank_body *body) {
  char options[64];
  snprintf(options, sizeof options, "size=%s", size);
  CHECK_EQUAL(0, mount("none", ranks_directory, "tmpfs", 0, options));
  CHECK_EQUAL(0, end_of(start_unjoined(0, 1, body)));
  CHECK_EQUAL(0, files_left());
  CHECK_EQUAL(0, umount(ranks_directory));
}

static void joining_without_room_names_the_bytes(void) {
  try_in("4k", join_and_find_no_room);
  try_in("128k", join_and_find_no_room);
}

static void fewer_cells_fit(void) { try_in("128k", join_with_few_cells); }

static int may_mount(void) {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) { return 0; }
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) { return 0; }
  if (mount("none", ranks_directory, "tmpfs", 0, "size=16k") != 0) { return 0; }
  return umount(ranks_directory) == 0;
}

int main(void) {
  ranks_begin();
  if (!may_mount()) {
    ranks_end();
    printf("skipped: no file system may be mounted here\n");
    return CHECK_SKIPPED;
  }
  RUN(joining_without_room_names_the_bytes);
  RUN(fewer_cells_fit);
  ranks_end();
  return 0;
}
