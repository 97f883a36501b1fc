/* Which file system a directory is on, as a made-up system tells it, and which types several hosts can mount. */
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "job.h"
#include "segment/adr_mount.h"

enum { PATH = 256 };

static char directory[64];

static void path_of(char path[PATH], const char *name) { snprintf(path, PATH, "%s%s", directory, name); }

static void tell(const char *mounts) {
  char path[PATH];
  path_of(path, "/proc");
  CHECK_EQUAL(0, mkdir(path, 0700));
  path_of(path, "/proc/self");
  CHECK_EQUAL(0, mkdir(path, 0700));
  path_of(path, "/proc/self/mountinfo");
  FILE *file = fopen(path, "we");
  CHECK(file != NULL && fputs(mounts, file) >= 0 && fclose(file) == 0);
}

static void remove_all(void) {
  const char *names[] = {"/proc/self/mountinfo", "/proc/self", "/proc", ""};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char path[PATH];
    path_of(path, names[i]);
    CHECK_EQUAL(0, remove(path));
  }
}

static void is(const char *expected, unsigned major_number, unsigned minor_number) {
  char *told = adr_mount_of(directory, makedev(major_number, minor_number));
  CHECK(expected == NULL ? told == NULL : told != NULL && strcmp(expected, told) == 0);
  free(told);
}

static void the_line_of_the_device_tells(void) {
  tell("25 24 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=64k\n"
       "26 24 0:2 no more\n"
       "30 25 0:27 / /my\\040home rw shared:5 master:1 - nfs4 server:/home rw,vers=4.2\n"
       "31 25 259:300 / /scratch rw - lustre mgs@tcp:/scratch rw\n");
  is("tmpfs tmpfs rw,size=64k", 0, 23);
  is("nfs4 server:/home rw,vers=4.2", 0, 27);
  is("lustre mgs@tcp:/scratch rw", 259, 300);
  is(NULL, 0, 2);
  is(NULL, 0, 28);
}

static void a_system_that_tells_nothing_is_none(void) { CHECK(adr_mount_of("/nowhere", makedev(0, 23)) == NULL); }

static void networks_are_of_several_hosts(void) {
  const char *of_several[] = {"nfs", "nfs4", "cifs", "smb3", "lustre", "ceph", "gpfs", "fuse.sshfs"};
  const char *of_one[] = {"", "tmpfs", "ramfs", "ext4", "xfs", "btrfs", "overlay", "fuse.fuse-overlayfs", "fuse", "9p"};
  for (size_t i = 0; i < sizeof of_several / sizeof of_several[0]; i++) {
    CHECK(adr_mount_is_of_several_hosts(of_several[i]));
  }
  for (size_t i = 0; i < sizeof of_one / sizeof of_one[0]; i++) { CHECK(!adr_mount_is_of_several_hosts(of_one[i])); }
}

int main(void) {
  job_directory(directory);
  RUN(the_line_of_the_device_tells);
  RUN(a_system_that_tells_nothing_is_none);
  RUN(networks_are_of_several_hosts);
  remove_all();
  return 0;
}
