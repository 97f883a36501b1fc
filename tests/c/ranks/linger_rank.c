/* A rank that says `ready` with its process number once it has joined, and then waits for the rank named by its first
 * argument: for a message, which never comes, or as its second argument says. It tells how the wait ended. With `quit`
 * the program ends at once, well, without leaving the job. */
#include <unistd.h>

#include "member.h"

enum { LARGE = 4 << 20 /* more than all cells hold */ };

static int await(int peer, const char *way) {
  static char contents[LARGE];
  adr_message piece;
  while (strcmp(way, "nothing") == 0) { pause(); }
  if (strcmp(way, "send") == 0) { return adr_send(job, peer, ADR_MATCH(0, 5), contents, LARGE); }
  if (strcmp(way, "barrier") == 0) { return adr_barrier(job); }
  if (strcmp(way, "any") == 0) { return adr_wait(job, ADR_ANY, &piece); }
  return adr_wait(job, peer, &piece);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) { return 2; }
  const char *way = argc == 3 ? argv[2] : "wait";
  member_join();
  printf("ready %d\n", (int)getpid());
  fflush(stdout);
  if (strcmp(way, "quit") == 0) { return 0; }
  int status = await(atoi(argv[1]), way);
  if (status == ADR_ERROR_RANK_FAILED) {
    printf("%s failed: rank %d\n", way, adr_job_failed_rank(job));
  } else {
    printf("%s\n", status < 0 ? adr_job_error(job) : "a message came");
  }
  adr_job_leave(job);
  return 0;
}
