#include "bootstrap/adr_launcher_watch.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ranktable/adr_rank_table.h"

struct adr_launcher_watch {
  struct adr_process launcher;
  pthread_t thread;
  int stop; /* an event: readable when the watch is to end */
  char file[PATH_MAX];
  pthread_mutex_t obeys; /* guards the next two */
  void *base;            /* of the rank table in which ranks abort the job; NULL: the launcher reads that */
  uint32_t ranks;
};

static bool is_aborted(struct adr_launcher_watch *watch) {
  bool aborted = false;
  pthread_mutex_lock(&watch->obeys);
  for (uint32_t rank = 0; watch->base != NULL && rank < watch->ranks && !aborted; rank++) {
    aborted = adr_rank_table_aborts(adr_rank_table_entry(watch->base, rank));
  }
  pthread_mutex_unlock(&watch->obeys);
  return aborted;
}

static void *run(void *argument) {
  struct adr_launcher_watch *watch = argument;
  struct pollfd stop = {.fd = watch->stop, .events = POLLIN};
  while (poll(&stop, 1, ADR_LAUNCHER_WATCH_INTERVAL_MILLIS) <= 0) {
    if (adr_process_is_alive(watch->launcher) && !is_aborted(watch)) { continue; }
    unlink(watch->file);                 /* no process is left that would */
    _exit(ADR_LAUNCHER_WATCH_EXIT_CODE); /* not exit: a handler might wait for other ranks */
  }
  return NULL;
}

static int start_thread(struct adr_launcher_watch *watch) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the program's own threads */
  int error = pthread_create(&watch->thread, NULL, run, watch);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return -error;
}

int adr_launcher_watch_start(struct adr_launcher_watch **watch, struct adr_process launcher,
                             const char file[PATH_MAX]) {
  struct adr_launcher_watch *made = malloc(sizeof *made);
  if (made == NULL) { return -ENOMEM; }
  *made = (struct adr_launcher_watch){
      .launcher = launcher, .stop = eventfd(0, EFD_CLOEXEC), .obeys = PTHREAD_MUTEX_INITIALIZER};
  strcpy(made->file, file);
  int status = made->stop < 0 ? -errno : start_thread(made);
  if (status < 0) {
    if (made->stop >= 0) { close(made->stop); }
    free(made);
    return status;
  }
  *watch = made;
  return 0;
}

void adr_launcher_watch_obey(struct adr_launcher_watch *watch, void *base, uint32_t ranks) {
  pthread_mutex_lock(&watch->obeys);
  watch->base = base;
  watch->ranks = ranks;
  pthread_mutex_unlock(&watch->obeys);
}

void adr_launcher_watch_stop(struct adr_launcher_watch *watch) {
  if (watch == NULL) { return; }
  eventfd_write(watch->stop, 1);
  pthread_join(watch->thread, NULL);
  close(watch->stop);
  free(watch);
}
