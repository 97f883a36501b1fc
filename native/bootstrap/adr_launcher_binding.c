#include "bootstrap/adr_launcher_binding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LIST = 160 };

/* The list of CPUs that the kernel writes for a thread; "": it does not tell. */
static void read_list(const char *path, char list[LIST]) {
  static const char key[] = "Cpus_allowed_list:";
  char line[1024];
  *list = '\0';
  FILE *file = fopen(path, "re");
  if (file == NULL) { return; }
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, key, sizeof key - 1) != 0) { continue; }
    const char *text = line + sizeof key - 1;
    text += strspn(text, " \t");
    snprintf(list, LIST, "%.*s", (int)strcspn(text, "\n"), text);
    break;
  }
  fclose(file);
}

bool adr_launcher_binding(struct adr_process launcher, char words[ADR_BINDING_WORDS]) {
  char path[64];
  char whole[LIST];
  char own[LIST];
  char name[ADR_PROCESS_NAME];
  uint32_t parent;
  if (launcher.pid == 0 || adr_process_look_up(launcher.pid, name, &parent).pid == 0) { return false; }
  snprintf(path, sizeof path, "/proc/%" PRIu32 "/status", launcher.pid);
  read_list(path, whole);
  read_list("/proc/thread-self/status", own);
  if (*whole == '\0' || *own == '\0' || strcmp(whole, own) == 0) { return false; }
  snprintf(words, ADR_BINDING_WORDS, "%s (process %" PRIu32 ", which has CPUs %s) has bound this process to CPUs %s",
           name, launcher.pid, whole, own);
  return true;
}
