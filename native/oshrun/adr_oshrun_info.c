#include "oshrun/adr_oshrun_info.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adrastea/job.h"
#include "adrastea/space.h"
#include "adrastea/version.h"
#include "bootstrap/adr_setting.h"
#include "libshmem/adr_data_segment.h"

enum { WHY = 300 };

static long probe = 1; /* in the variables of this program */

/* A file beside this program, by where it lies when installed. */
static void tell_file(const char *what, const char *below) {
  char self[PATH_MAX], path[PATH_MAX + 64], whole[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length < 0 ? 0 : length] = '\0';
  char *slash = strrchr(self, '/');
  if (slash != NULL) { *slash = '\0'; }
  snprintf(path, sizeof path, "%s/../%s", self, below);
  if (realpath(path, whole) != NULL) {
    printf("%-10s %s\n", what, whole);
  } else {
    printf("%-10s missing: there is no %s\n", what, path);
  }
}

static void tell_memory(void) {
  char directory[PATH_MAX];
  adr_error error;
  struct statvfs room;
  if (adr_setting_directory(directory, &error) < 0) {
    printf("memory     no: %s\n", error.text);
  } else if (statvfs(directory, &room) != 0) {
    printf("memory     no: %s: %s\n", directory, strerrordesc_np(errno));
  } else {
    printf("memory     yes, in %s, %llu MiB free: heap and variables go this way\n", directory,
           (unsigned long long)room.f_bavail * room.f_frsize >> 20);
  }
}

/* Moves the variables of this process, as shmem_init does, and looks whether they are seen in the file. */
static void tell_variables(void) {
  struct adr_data_segment data;
  char why[WHY] = "";
  int status = adr_data_segment_find(&data, why, sizeof why);
  int file = status < 0 ? -1 : memfd_create("variables", MFD_CLOEXEC);
  if (status == 0 && (file < 0 || ftruncate(file, data.bytes) != 0)) {
    status = -errno;
    snprintf(why, sizeof why, "no file in memory: %s", strerrordesc_np(errno));
  }
  if (status == 0) { status = adr_data_segment_move(&data, file, 0, why, sizeof why); }
  if (status == 0) {
    long seen = 0;
    *(volatile long *)&probe = 2;
    ssize_t got = pread(file, &seen, sizeof seen, (char *)&probe - data.start);
    if (got != (ssize_t)sizeof seen || seen != 2) {
      status = -EIO;
      snprintf(why, sizeof why, "what this process wrote to a variable was not seen in the file");
    }
  }
  if (status == 0) {
    printf("variables  symmetric, by mapping the segment over them (tried here, with %lld bytes)\n",
           (long long)data.bytes);
  } else {
    printf("variables  not symmetric: %s\n", why);
  }
  adr_data_segment_return(&data, why, sizeof why);
  close(file);
}

/* Whether one process may read another's memory, here a child's of its parent. */
static void tell_cma(void) {
  long value = 0;
  fflush(stdout);
  pid_t parent = getpid();
  adr_cma_allow(parent);
  pid_t child = fork();
  if (child == 0) {
    int64_t got = adr_cma_read(parent, (int64_t)(uintptr_t)&value, &value, 0, sizeof value);
    _exit(got == (int64_t)sizeof value ? 0 : got < 0 && got > -128 ? (int)-got : 127);
  }
  int status = -1;
  if (child > 0) { waitpid(child, &status, 0); }
  if (status == 0) {
    printf("CMA        allowed between processes of one user; not needed\n");
  } else {
    printf("CMA        no: %s; not needed\n", WIFEXITED(status) ? strerrordesc_np(WEXITSTATUS(status)) : "unknown");
  }
}

int adr_oshrun_info(void) {
  int xpmem = adr_xpmem_status();
  printf("version    Adrastea %s, OpenSHMEM 1.6\n", adr_version());
  tell_file("header", "include/shmem.h");
  tell_file("library", ADR_OSHRUN_LIBRARY);
  tell_memory();
  tell_variables();
  if (xpmem == 0) {
    printf("XPMEM      there; not needed\n");
  } else {
    printf("XPMEM      no: %s; not needed\n", adr_strerror(xpmem));
  }
  tell_cma();
  return 0;
}
