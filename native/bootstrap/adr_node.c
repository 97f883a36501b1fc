#include "bootstrap/adr_node.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_setting.h"

enum { BOOT_TEXT = 65 };

/* The kernel's, or where it does not tell the name of the host. */
static void read_boot(char text[BOOT_TEXT]) {
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
  if (file == NULL || fgets(text, BOOT_TEXT, file) == NULL) { gethostname(text, BOOT_TEXT); }
  if (file != NULL) { fclose(file); }
  text[BOOT_TEXT - 1] = '\0';
  text[strcspn(text, " \t\r\n")] = '\0';
}

int adr_node_identity(char text[ADR_NODE_TEXT], adr_error *error) {
  char directory[PATH_MAX];
  char boot[BOOT_TEXT] = "";
  struct stat found;
  int status = adr_setting_directory(directory, error);
  if (status < 0) { return status; }
  if (stat(directory, &found) != 0) {
    return adr_fail(error, -errno, "there is no directory %s; make it, or choose another (ADRASTEA_SHM_DIR)",
                    directory);
  }
  read_boot(boot);
  snprintf(text, ADR_NODE_TEXT, "%s:%" PRIu64 ":%" PRIu64, boot, (uint64_t)found.st_dev, (uint64_t)found.st_ino);
  return 0;
}

void adr_node_tell_apart(char words[ADR_APART_TEXT], uint32_t rank, const char *node, const char *first) {
  snprintf(words, ADR_APART_TEXT,
           "rank %" PRIu32
           " shares no memory with rank 0: the one is on node %s, the other on %s (start of the kernel, "
           "device and inode of the directory of segments); start all ranks on one host and let "
           "ADRASTEA_SHM_DIR name one directory that all of them see",
           rank, node, first);
}
