/* How the stand-in shows a process's memory: the files that it has mapped, mapped here as well. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xpmem_standin.h"

/* A line of /proc/<pid>/maps. */
struct mapped {
  uint64_t start;
  uint64_t end;
  uint64_t offset; /* in the file */
  uint64_t inode;
  char access[5];
  char name[512];
};

static bool parse(const char *line, struct mapped *mapped) {
  mapped->name[0] = '\0';
  return sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %" SCNu64 " %511[^\n]", &mapped->start, &mapped->end,
                mapped->access, &mapped->offset, &mapped->inode, mapped->name)
         >= 5;
}

/* Opens that file among those that the process has open. */
static int open_among_files(int32_t pid, const struct mapped *mapped) {
  char path[64];
  char name[512];
  int found = -1;
  struct stat file;
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  DIR *files = opendir(path);
  const struct dirent *entry;
  while (files != NULL && found < 0 && (entry = readdir(files)) != NULL) {
    ssize_t length = readlinkat(dirfd(files), entry->d_name, name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    if (strcmp(name, mapped->name) == 0 && fstatat(dirfd(files), entry->d_name, &file, 0) == 0
        && file.st_ino == mapped->inode) {
      found = openat(dirfd(files), entry->d_name, O_RDWR | O_CLOEXEC);
    }
  }
  if (files != NULL) { closedir(files); }
  return found;
}

static int open_mapped(int32_t pid, const struct mapped *mapped) {
  char path[96];
  snprintf(path, sizeof path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, mapped->start, mapped->end);
  int file = open(path, O_RDWR | O_CLOEXEC); /* needs a capability */
  if (file < 0) { file = open_among_files(pid, mapped); }
  return file < 0 ? open(mapped->name, O_RDWR | O_CLOEXEC) : file;
}

static void map(int32_t pid, const struct mapped *mapped, uint64_t start, uint64_t end, char *here) {
  uint64_t from = mapped->start > start ? mapped->start : start;
  uint64_t to = mapped->end < end ? mapped->end : end;
  if (from >= to || strcmp(mapped->access, "rw-s") != 0) { return; }
  int file = open_mapped(pid, mapped);
  if (file < 0) { return; }
  mmap(here + (from - start), to - from, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
       (off_t)(mapped->offset + (from - mapped->start)));
  close(file);
}

void standin_map(int32_t pid, uint64_t start, uint64_t bytes, char *here) {
  char line[1024];
  struct mapped mapped;
  snprintf(line, sizeof line, "/proc/%d/maps", pid);
  FILE *maps = fopen(line, "re");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    if (parse(line, &mapped)) { map(pid, &mapped, start, start + bytes, here); }
  }
  if (maps != NULL) { fclose(maps); }
}
