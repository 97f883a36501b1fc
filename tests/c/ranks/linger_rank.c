/* A rank that says `ready` with its process number once it has joined, and then waits for a message of the rank named by its
 * argument, which never comes; it tells how the wait ended. */
#include <unistd.h>

#include "member.h"

int main(int argc, char **argv) {
  adr_message piece;
  if (argc != 2) { return 2; }
  member_join();
  printf("ready %d\n", (int)getpid());
  fflush(stdout);
  int status = adr_wait(job, atoi(argv[1]), &piece);
  if (status == ADR_ERROR_RANK_FAILED) {
    printf("wait failed: rank %d\n", adr_job_failed_rank(job));
  } else {
    printf("%s\n", status < 0 ? adr_job_error(job) : "a message came");
  }
  adr_job_leave(job);
  return 0;
}
