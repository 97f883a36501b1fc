#include "segment/adr_mount.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

/* A type of FUSE is here when it is a network's: a container's own files may lie on another one. */
static const char *const of_several_hosts[] = {
    "afs",         "beegfs",    "ceph",       "cifs",  "coda", "fuse.ceph-fuse", "fuse.glusterfs", "fuse.juicefs",
    "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "gfs2",  "gpfs", "lustre",         "ncpfs",          "nfs",
    "nfs4",        "ocfs2",     "panfs",      "pvfs2", "smb3", "smbfs",
};

bool adr_mount_is_of_several_hosts(const char *type) {
  for (size_t i = 0; i < sizeof of_several_hosts / sizeof of_several_hosts[0]; i++) {
    if (strcmp(of_several_hosts[i], type) == 0) { return true; }
  }
  return false;
}

/* A line is `ID PARENT MAJOR:MINOR ROOT POINT OPTIONS ... - TYPE SOURCE OPTIONS`. */
static const char *parse(const char *line, dev_t device) {
  unsigned major_number;
  unsigned minor_number;
  if (sscanf(line, "%*s %*s %u:%u ", &major_number, &minor_number) != 2) { return NULL; }
  if (major_number != major(device) || minor_number != minor(device)) { return NULL; }
  const char *found = strstr(line, " - ");
  return found == NULL ? NULL : found + 3;
}

char *adr_mount_of(const char *root, dev_t device) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
  FILE *mounts = length > 0 && length < (int)sizeof path ? fopen(path, "re") : NULL;
  char *line = NULL;
  size_t capacity = 0;
  const char *found = NULL;
  if (mounts == NULL) { return NULL; }
  while (found == NULL && getline(&line, &capacity, mounts) > 0) { found = parse(line, device); }
  char *told = found == NULL ? NULL : strdup(found);
  free(line);
  fclose(mounts);
  if (told != NULL) { told[strcspn(told, "\n")] = '\0'; }
  return told;
}
