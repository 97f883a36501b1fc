/* Quotas of control groups, on the trees of tests/cgroup; those without any. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "affinity/adr_cpu_quota.h"
#include "check.h"

static char root[64];

static void new_tree(void) {
  strcpy(root, "/tmp/cpu_quota_test.XXXXXX");
  CHECK(mkdtemp(root) != NULL);
}

static void remove_tree(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  CHECK_EQUAL(0, system(command));
}

/* Opens a file below the root, with all its directories. */
static FILE *begin_file(const char *path) {
  char whole[512];
  int length = snprintf(whole, sizeof whole, "%s/%s", root, path);
  CHECK(length > 0 && length < (int)sizeof whole);
  for (char *end = strchr(whole + strlen(root) + 1, '/'); end != NULL; end = strchr(end + 1, '/')) {
    *end = '\0';
    mkdir(whole, 0700);
    *end = '/';
  }
  FILE *file = fopen(whole, "w");
  CHECK(file != NULL);
  return file;
}

/* Makes the files of a tree; returns the quota that must be found. */
static long unfold(const char *tree) {
  FILE *in = fopen(tree, "r");
  CHECK(in != NULL);
  FILE *out = NULL;
  long quota = -1;
  char line[512];
  while (fgets(line, sizeof line, in) != NULL) {
    if (strncmp(line, "== ", 3) == 0) {
      if (out != NULL) { fclose(out); }
      line[strcspn(line, "\n")] = '\0';
      out = begin_file(line + 3);
    } else if (out != NULL) {
      fputs(line, out);
    } else if (line[0] != '#') {
      CHECK_EQUAL(1, sscanf(line, "quota %ld", &quota));
    }
  }
  fclose(in);
  CHECK(out != NULL && quota >= 0);
  fclose(out);
  return quota;
}

static void finds_the_quota_of(const char *tree) {
  new_tree();
  long quota = unfold(tree);
  printf("%s: %ld\n", tree, quota);
  CHECK_EQUAL(quota, adr_cpu_quota_read(root));
  remove_tree();
}

static void where_nothing_is_told_there_is_no_limit(void) {
  new_tree();
  CHECK_EQUAL(0, adr_cpu_quota_read(root));
  remove_tree();
}

static void the_lesser_quota_is_the_one_that_leaves_less(void) {
  CHECK_EQUAL(0, adr_cpu_quota_lesser(0, 0));
  CHECK_EQUAL(70, adr_cpu_quota_lesser(0, 70));
  CHECK_EQUAL(70, adr_cpu_quota_lesser(70, 0));
  CHECK_EQUAL(70, adr_cpu_quota_lesser(70, 300));
  CHECK_EQUAL(70, adr_cpu_quota_lesser(300, 70));
}

static void a_quota_is_rounded_up_to_whole_cpus(void) {
  CHECK_EQUAL(8, adr_cpu_quota_limit(0, 8));
  CHECK_EQUAL(1, adr_cpu_quota_limit(1, 8));
  CHECK_EQUAL(1, adr_cpu_quota_limit(100, 8));
  CHECK_EQUAL(2, adr_cpu_quota_limit(101, 8));
  CHECK_EQUAL(8, adr_cpu_quota_limit(900, 8));
}

int main(int count, char **trees) {
  CHECK(count > 1);
  for (int i = 1; i < count; i++) { finds_the_quota_of(trees[i]); }
  RUN(where_nothing_is_told_there_is_no_limit);
  RUN(the_lesser_quota_is_the_one_that_leaves_less);
  RUN(a_quota_is_rounded_up_to_whole_cpus);
  return 0;
}
