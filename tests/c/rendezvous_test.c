/* Ranks that meet at an address: rank 0 among fake ranks and strangers, the others before a fake rank 0, and the lines
 * that they exchange; the words are those of Java ranks (RendezvousServerTest, RendezvousClientTest). */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bootstrap/adr_rendezvous_client.h"
#include "check.h"

enum {
  FUZZ_INPUTS = 200000,
  PATIENCE_MILLIS = 20000,
  SHORT_MILLIS = 400,
  FIRST_PORT = 20000,
  PORTS = 12000,
  MANY = 200,
  FEW_FILES = 16
};

#define NODE "6a1c:26:2"

static _Atomic long ahead; /* seconds that have passed at once */

/* What the library calls in the place of clock_gettime (option --wrap of the linker). */
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now) {
  int status = __real_clock_gettime(clock, now);
  now->tv_sec += ahead;
  return status;
}

static int port; /* below those that the system gives to connections */

static struct adr_rendezvous_meeting meeting(uint32_t rank, uint32_t size, uint32_t timeout) {
  struct adr_rendezvous_meeting made = {.rank = rank, .size = size, .timeout = timeout, .node = NODE};
  char text[32];
  snprintf(text, sizeof text, "127.0.0.1:%d", port);
  CHECK(adr_rendezvous_address_parse(&made.address, text));
  return made;
}

/* A rank of the library, in a thread of its own. */
struct rank {
  struct adr_rendezvous_meeting meeting;
  pthread_t thread;
  int status;
  uint64_t job;
  adr_error error;
};

static void *run(void *argument) {
  struct rank *rank = argument;
  rank->status = rank->meeting.rank == 0 ? adr_rendezvous_serve(&rank->meeting, &rank->job, &rank->error)
                                         : adr_rendezvous_ask(&rank->meeting, &rank->job, &rank->error);
  return NULL;
}

static void start(struct rank *rank, struct adr_rendezvous_meeting meeting) {
  *rank = (struct rank){.meeting = meeting};
  CHECK_EQUAL(0, pthread_create(&rank->thread, NULL, run, rank));
}

static void end(struct rank *rank, int status) {
  CHECK_EQUAL(0, pthread_join(rank->thread, NULL));
  if (status != rank->status) { fprintf(stderr, "%s\n", rank->error.text); }
  CHECK_EQUAL(status, rank->status);
}

static void check_words(const char *wanted, const char *said) {
  if (strcmp(wanted, said) != 0) { fprintf(stderr, "said:   %s\nwanted: %s\n", said, wanted); }
  CHECK(strcmp(wanted, said) == 0);
}

static void sleep_millis(long millis) { nanosleep(&(struct timespec){.tv_nsec = millis * 1000000}, NULL); }

/* ---- sockets of a fake ---- */

static struct sockaddr_in place(int at) {
  return (struct sockaddr_in){
      .sin_family = AF_INET, .sin_port = htons((uint16_t)at), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int listen_at(int at) {
  struct sockaddr_in address = place(at);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(fd >= 0);
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 16) == 0) { return fd; }
  close(fd);
  return -1;
}

static void choose_port(void) {
  int fd = -1;
  srand((unsigned)getpid() ^ (unsigned)time(NULL));
  while (fd < 0) {
    port = FIRST_PORT + rand() % PORTS;
    fd = listen_at(port);
  }
  close(fd);
}

/* Connects as soon as somebody listens. */
static int come(void) {
  struct sockaddr_in address = place(port);
  for (int millis = 0; millis < PATIENCE_MILLIS; millis++) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(fd >= 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) { return fd; }
    close(fd);
    sleep_millis(1);
  }
  CHECK(!"nobody listens");
  return -1;
}

static void say(int fd, const char *text) {
  CHECK_EQUAL((long long)strlen(text), send(fd, text, strlen(text), MSG_NOSIGNAL));
}

static int come_and_say(const char *text) {
  int fd = come();
  say(fd, text);
  return fd;
}

/* Reads to the end, or up to the first line's end, and closes. */
static const char *hear(int fd, char text[600]) {
  size_t length = 0;
  while (length < 599 && (length == 0 || text[length - 1] != '\n')) {
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    CHECK(poll(&polled, 1, PATIENCE_MILLIS) > 0);
    ssize_t got = recv(fd, text + length, 599 - length, 0);
    if (got <= 0) { break; }
    length += (size_t)got;
  }
  text[length] = '\0';
  close(fd);
  return text;
}

static void check_heard(int fd, const char *form, ...) {
  char heard[600], wanted[600];
  va_list words;
  va_start(words, form);
  vsnprintf(wanted, sizeof wanted, form, words);
  va_end(words);
  check_words(wanted, hear(fd, heard));
}

static void check_job(int fd, const struct rank *rank) { check_heard(fd, "job %016llx\n", (long long)rank->job); }

/* ---- rank 0 among fakes ---- */

static void ranks_of_the_library_meet(void) {
  struct rank ranks[3];
  for (uint32_t rank = 3; rank-- > 0;) { start(&ranks[rank], meeting(rank, 3, PATIENCE_MILLIS)); }
  for (int rank = 0; rank < 3; rank++) { end(&ranks[rank], 0); }
  CHECK(ranks[0].job == ranks[1].job && ranks[0].job == ranks[2].job);
}

static void many_ranks_meet(void) {
  static struct rank ranks[MANY];
  for (uint32_t rank = MANY; rank-- > 0;) { start(&ranks[rank], meeting(rank, MANY, PATIENCE_MILLIS)); }
  for (int rank = 0; rank < MANY; rank++) { end(&ranks[rank], 0); }
  for (int rank = 1; rank < MANY; rank++) { CHECK(ranks[rank].job == ranks[0].job); }
}

/* Rank 0 in a process that may open few files. */
static void serve_with_few_files(void) {
  struct rlimit few = {.rlim_cur = FEW_FILES, .rlim_max = FEW_FILES};
  struct rank zero = {.meeting = meeting(0, MANY, PATIENCE_MILLIS)};
  for (int fd = 3; fd < FEW_FILES; fd++) { close(fd); }
  CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &few));
  run(&zero);
  CHECK_EQUAL(-EMFILE, zero.status);
  exit(0);
}

static void ranks_for_whose_connections_there_is_no_file_are_told(void) {
  int fds[FEW_FILES], status;
  pid_t zero = fork();
  CHECK(zero >= 0);
  if (zero == 0) { serve_with_few_files(); }
  for (int i = 0; i < FEW_FILES; i++) {
    char line[100];
    snprintf(line, sizeof line, "adrastea 1 rank=%d size=%d node=" NODE "\n", i + 1, MANY);
    fds[i] = come_and_say(line);
  }
  check_heard(fds[0],
              "refused rank 0 cannot hold a connection of each of %d ranks: Too many open files (ulimit -n says "
              "how many files it may open)\n",
              MANY);
  for (int i = 1; i < FEW_FILES; i++) { close(fds[i]); }
  CHECK_EQUAL(zero, waitpid(zero, &status, 0));
  CHECK_EQUAL(0, status);
}

static void each_meeting_has_a_number_of_its_own(void) {
  struct rank first, second;
  start(&first, meeting(0, 2, PATIENCE_MILLIS));
  int one = come_and_say("adrastea 1 rank=1 size=2 node=" NODE "\n");
  end(&first, 0);
  check_job(one, &first);
  start(&second, meeting(0, 2, PATIENCE_MILLIS)); /* on the port of the first, at once */
  one = come_and_say("adrastea 1 rank=1 size=2 node=" NODE "\n");
  end(&second, 0);
  check_job(one, &second);
  CHECK(first.job != second.job);
}

static void a_line_may_come_in_pieces(void) {
  static const char line[] = "adrastea 1 rank=1 size=2 node=" NODE "\nand more";
  struct rank zero;
  start(&zero, meeting(0, 2, PATIENCE_MILLIS));
  int one = come();
  for (size_t i = 0; i < sizeof line - 1; i += 5) {
    char piece[6] = "";
    memcpy(piece, line + i, sizeof line - 1 - i < 5 ? sizeof line - 1 - i : 5);
    if (send(one, piece, strlen(piece), MSG_NOSIGNAL) < 0) { break; } /* behind the line it may be closed */
    sleep_millis(1);
  }
  end(&zero, 0);
  close(one);
}

static void what_does_not_fit_together_is_refused_by_all(void) {
  static char too_long[600] = "adrastea 1 rank=";
  memset(too_long + strlen(too_long), '7', sizeof too_long - 1 - strlen(too_long));
  const char *const cases[][2] = {
      {"adrastea 1 rank=1 size=3 node=" NODE "\n",
       "two processes say that they are rank 1; each process of a job needs a rank of its own (ADRASTEA_RANK, "
       "JOB_COMPLETION_INDEX)"},
      {"adrastea 1 rank=0 size=3 node=" NODE "\n",
       "two processes say that they are rank 0; each process of a job needs a rank of its own (ADRASTEA_RANK, "
       "JOB_COMPLETION_INDEX)"},
      {"adrastea 1 rank=2 size=4 node=" NODE "\n",
       "rank 2 has ADRASTEA_SIZE=4 and rank 0 has ADRASTEA_SIZE=3; all ranks of a job need the same"},
      {"adrastea 1 rank=3 size=3 node=" NODE "\n", "a process says that it is rank 3 of 3: ranks are 0 to 2"},
      {"adrastea 2 whatever\n",
       "a rank speaks version 2 of the rendezvous and rank 0 version 1; all ranks of a job need the same version of "
       "Adrastea"},
      {"adrastea 1 rank=two\x01\n",
       "a rank has sent a line to rank 0 that is malformed: 'adrastea 1 rank=two?'; all ranks of a job need the same "
       "version of Adrastea"},
      {too_long, "a rank has sent a line of more than 512 bytes to rank 0: 'adrastea 1 "
                 "rank=777777777777777777777777777777777777777777777777'"},
      {"adrastea 1 rank=2 size=3 node=6a1c:26:3\n",
       "rank 2 shares no memory with rank 0: the one is on node 6a1c:26:3, the other on 6a1c:26:2 (start of the "
       "kernel, device and inode of the directory of segments); start all ranks on one host "
       "and let ADRASTEA_SHM_DIR name one directory that all of them see"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rank zero;
    start(&zero, meeting(0, 3, PATIENCE_MILLIS));
    int one = come_and_say("adrastea 1 rank=1 size=3 node=" NODE "\n");
    int two = come_and_say(cases[i][0]);
    check_heard(one, "refused %s\n", cases[i][1]);
    check_heard(two, "refused %s\n", cases[i][1]);
    end(&zero, -EINVAL);
    check_words(cases[i][1], zero.error.text);
  }
}

/* What rank 0 says on standard error meanwhile. */
static const char *said(void (*action)(void), char text[2000]) {
  FILE *file = tmpfile();
  CHECK(file != NULL);
  fflush(stderr);
  int before = dup(2);
  dup2(fileno(file), 2);
  action();
  fflush(stderr);
  dup2(before, 2);
  close(before);
  rewind(file);
  text[fread(text, 1, 1999, file)] = '\0';
  fclose(file);
  return text;
}

static void meet_among_strangers(void) {
  struct rank zero;
  start(&zero, meeting(0, 2, PATIENCE_MILLIS));
  int silent = come();
  int half = come_and_say("adrastea 1 ra");
  close(come());
  close(come_and_say("adrast"));
  check_heard(come_and_say("GET / HTTP/1.1\r\nHost: me\r\n\r\n"), "");
  check_heard(come_and_say("\x16\x03\x01"), "");
  int one = come_and_say("adrastea 1 rank=1 size=2 node=" NODE "\n");
  end(&zero, 0);
  check_job(one, &zero);
  close(silent);
  close(half);
}

static void strangers_do_not_count_and_are_told_once(void) {
  char text[2000], wanted[300];
  snprintf(wanted, sizeof wanted,
           "adrastea: rank 0 has closed a connection from 127.0.0.1 to 127.0.0.1:%d, which is no rank's: it sent 'GET "
           "/ HTTP/1.1?' (more of them are not told)\n",
           port);
  check_words(wanted, said(meet_among_strangers, text));
}

static void meet_among_many_strangers(void) {
  struct rank zero;
  int waiting[ADR_RENDEZVOUS_STRANGERS];
  start(&zero, meeting(0, 2, PATIENCE_MILLIS));
  srand(7);
  for (int i = 0; i < 300; i++) {
    char text[64];
    int length = 1 + rand() % 60;
    for (int at = 0; at < length; at++) { text[at] = (char)(1 + rand() % 255); }
    text[length] = '\0';
    if (text[0] == 'a') { text[0] = 'b'; }
    check_heard(come_and_say(text), "");
  }
  for (int i = 0; i < ADR_RENDEZVOUS_STRANGERS; i++) { waiting[i] = come(); }
  int one = come_and_say("adrastea 1 rank=1 size=2 node=" NODE "\n");
  end(&zero, 0);
  check_job(one, &zero);
  for (int i = 0; i < ADR_RENDEZVOUS_STRANGERS; i++) { close(waiting[i]); }
}

static void whatever_strangers_send_the_ranks_meet(void) {
  char text[2000];
  CHECK(strstr(said(meet_among_many_strangers, text), "adrastea: rank 0 has closed a connection") == text);
}

static void meet_beside_the_silent(void) {
  struct rank zero;
  start(&zero, meeting(0, 2, PATIENCE_MILLIS));
  int silent = come_and_say("adrastea 1 rank=");
  int other = come();
  sleep_millis(50);
  ahead += ADR_RENDEZVOUS_SILENT_MILLIS / 1000 + 1;
  close(come()); /* so that rank 0 looks */
  check_heard(silent, "");
  check_heard(other, "");
  int one = come_and_say("adrastea 1 rank=1 size=2 node=" NODE "\n");
  end(&zero, 0);
  check_job(one, &zero);
}

static void a_connection_that_says_nothing_is_closed_after_a_while(void) {
  char text[2000];
  CHECK(strstr(said(meet_beside_the_silent, text), "which is no rank's: it sent '") != NULL);
}

static void a_rank_that_is_refused_does_not_wait_for_all_others(void) {
  static const char words[] = "rank 1 has ADRASTEA_SIZE=5 and rank 0 has ADRASTEA_SIZE=4; all ranks of a job need the "
                              "same";
  struct rank zero;
  start(&zero, meeting(0, 4, PATIENCE_MILLIS));
  int one = come_and_say("adrastea 1 rank=1 size=5 node=" NODE "\n");
  int two = come_and_say("adrastea 1 rank=2 size=4 node=" NODE "\n");
  sleep_millis(50);
  CHECK(pthread_tryjoin_np(zero.thread, NULL) == EBUSY);
  ahead += ADR_RENDEZVOUS_LATE_MILLIS / 1000 + 1;
  close(come()); /* so that rank 0 looks */
  check_heard(one, "refused %s\n", words);
  check_heard(two, "refused %s\n", words);
  end(&zero, -EINVAL);
  check_words(words, zero.error.text);
}

static void a_rank_that_goes_may_come_again(void) {
  struct rank zero;
  start(&zero, meeting(0, 3, PATIENCE_MILLIS));
  for (int i = 0; i < 3; i++) { close(come_and_say("adrastea 1 rank=1 size=3 node=" NODE "\n")); }
  sleep_millis(50);
  int one = come_and_say("adrastea 1 rank=1 size=3 node=" NODE "\n");
  int two = come_and_say("adrastea 1 rank=2 size=3 node=" NODE "\n");
  end(&zero, 0);
  check_job(one, &zero);
  check_job(two, &zero);
}

static void a_wrong_rank_that_goes_is_forgotten(void) {
  struct rank zero;
  start(&zero, meeting(0, 3, PATIENCE_MILLIS));
  close(come_and_say("adrastea 1 rank=2 size=4 node=" NODE "\n"));
  close(come_and_say("adrastea 1 rank=1 size=3 node=" NODE "\n"));
  sleep_millis(50);
  int one = come_and_say("adrastea 1 rank=1 size=3 node=" NODE "\n");
  int two = come_and_say("adrastea 1 rank=2 size=3 node=" NODE "\n");
  end(&zero, 0);
  check_job(one, &zero);
  check_job(two, &zero);
}

static void ranks_that_did_not_come_are_named_to_those_that_did(void) {
  char wanted[300];
  struct rank zero;
  start(&zero, meeting(0, 20, 1000));
  close(come_and_say("adrastea 1 rank=2 size=20 node=" NODE "\n"));
  int one = come_and_say("adrastea 1 rank=1 size=20 node=" NODE "\n");
  snprintf(wanted, sizeof wanted,
           "rank 0 waited 1000 ms at 127.0.0.1:%d for all 20 ranks: rank(s) [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
           "13, 14 and 5 more] have not come, rank(s) [2] have come and gone again; were all started? "
           "(ADRASTEA_JOIN_TIMEOUT)",
           port);
  check_heard(one, "refused %s\n", wanted);
  end(&zero, -ETIMEDOUT);
  check_words(wanted, zero.error.text);
}

static void an_address_of_another_machine_is_refused_by_name(void) {
  struct rank zero;
  struct adr_rendezvous_meeting elsewhere = meeting(0, 2, PATIENCE_MILLIS);
  CHECK(adr_rendezvous_address_parse(&elsewhere.address, "192.0.2.1:29950"));
  start(&zero, elsewhere);
  end(&zero, -EADDRNOTAVAIL);
  check_words("ADRASTEA_RENDEZVOUS=192.0.2.1:29950: 192.0.2.1 is no address of this machine, on which rank 0 runs; let "
              "it name the machine of rank 0",
              zero.error.text);
}

static void a_port_that_another_has_is_refused_after_a_while(void) {
  char wanted[300];
  struct rank zero;
  int other = listen_at(port);
  start(&zero, meeting(0, 2, PATIENCE_MILLIS));
  sleep_millis(50);
  CHECK(pthread_tryjoin_np(zero.thread, NULL) == EBUSY);
  ahead += ADR_RENDEZVOUS_IN_USE_MILLIS / 1000 + 1;
  end(&zero, -EADDRINUSE);
  snprintf(wanted, sizeof wanted,
           "ADRASTEA_RENDEZVOUS=127.0.0.1:%d: another process listens at that port; each job that runs there at the "
           "same time needs a port of its own, and one process alone is rank 0",
           port);
  check_words(wanted, zero.error.text);
  close(other);
}

static void ranks_meet_at_addresses_of_version_6(void) {
  char text[32];
  struct rank ranks[2];
  int fd = socket(AF_INET6, SOCK_STREAM, 0);
  struct sockaddr_in6 loopback = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  bool there = fd >= 0 && bind(fd, (struct sockaddr *)&loopback, sizeof loopback) == 0;
  if (fd >= 0) { close(fd); }
  if (!there) { return; } /* this machine has none */
  snprintf(text, sizeof text, "[::1]:%d", port);
  for (uint32_t rank = 0; rank < 2; rank++) {
    struct adr_rendezvous_meeting made = meeting(rank, 2, PATIENCE_MILLIS);
    CHECK(adr_rendezvous_address_parse(&made.address, text));
    start(&ranks[rank], made);
  }
  for (int rank = 0; rank < 2; rank++) { end(&ranks[rank], 0); }
  CHECK(ranks[0].job == ranks[1].job);
}

/* ---- another rank before a fake rank 0 ---- */

static int accept_rank(int listener) {
  struct pollfd polled = {.fd = listener, .events = POLLIN};
  CHECK(poll(&polled, 1, PATIENCE_MILLIS) > 0);
  int fd = accept(listener, NULL, NULL);
  CHECK(fd >= 0);
  return fd;
}

static void check_hello(int fd) {
  char heard[600];
  ssize_t got = recv(fd, heard, sizeof heard - 1, 0);
  CHECK(got > 0);
  heard[got] = '\0';
  check_words("adrastea 1 rank=1 size=2 node=" NODE "\n", heard);
}

static void an_answer_may_come_late_slowly_and_in_pieces(void) {
  static const char answer[] = "job 00112233aabbccdd\n";
  struct rank one;
  start(&one, meeting(1, 2, PATIENCE_MILLIS));
  sleep_millis(100); /* nobody listens yet */
  int listener = listen_at(port);
  int fd = accept_rank(listener);
  check_hello(fd);
  for (size_t i = 0; i < sizeof answer - 1; i++) {
    CHECK_EQUAL(1, send(fd, answer + i, 1, MSG_NOSIGNAL));
    sleep_millis(2);
  }
  end(&one, 0);
  CHECK(one.job == UINT64_C(0x00112233aabbccdd));
  close(fd);
  close(listener);
}

static void a_refusal_is_told_in_its_words(void) {
  struct rank one;
  int listener = listen_at(port);
  start(&one, meeting(1, 2, PATIENCE_MILLIS));
  int fd = accept_rank(listener);
  check_hello(fd);
  say(fd, "refused because of\tthis\n");
  end(&one, -EINVAL);
  check_words("because of?this", one.error.text);
  close(fd);
  close(listener);
}

static void a_rank_asks_again_when_the_connection_is_closed_or_strange(void) {
  struct rank one;
  int listener = listen_at(port);
  start(&one, meeting(1, 2, PATIENCE_MILLIS));
  close(accept_rank(listener));
  static const char *const strange[] = {"HTTP/1.1 400 Bad Request\r\n\r\n", "job 1\n", "job 00112233aabbccdde\n",
                                        "refused \n", "\n"};
  for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
    int fd = accept_rank(listener);
    check_hello(fd);
    say(fd, strange[i]);
    close(fd);
  }
  int last = accept_rank(listener);
  check_hello(last);
  say(last, "job 0000000000000001\n");
  end(&one, 0);
  CHECK_EQUAL(1, one.job);
  close(last);
  close(listener);
}

static void check_late(struct rank *one, const char *reason) {
  char wanted[400];
  snprintf(wanted, sizeof wanted,
           "rank 1 waited 400 ms for rank 0 at 127.0.0.1:%d: %s; is rank 0 running there, and were all ranks started? "
           "(ADRASTEA_RENDEZVOUS, ADRASTEA_JOIN_TIMEOUT)",
           port, reason);
  end(one, -ETIMEDOUT);
  check_words(wanted, one->error.text);
}

/* What a fake rank 0 sends to all that come, until the rank that asks gives up. */
struct fake {
  int listener;
  const char *text;
};

static void *answer_all(void *argument) {
  const struct fake *fake = argument;
  int fds[100];
  int count = 0;
  while (count < 100 && (fds[count] = accept(fake->listener, NULL, NULL)) >= 0) {
    char heard[600];
    recv(fds[count], heard, sizeof heard, 0);
    if (*fake->text != '\0') { (void)!send(fds[count], fake->text, strlen(fake->text), MSG_NOSIGNAL); }
    if (*fake->text == '\0') {
      count++; /* stays, and says nothing */
    } else {
      close(fds[count]);
    }
  }
  while (count > 0) { close(fds[--count]); }
  return NULL;
}

static void check_late_before(const char *text, const char *reason) {
  struct fake fake = {listen_at(port), text};
  pthread_t thread;
  struct rank one;
  CHECK_EQUAL(0, pthread_create(&thread, NULL, answer_all, &fake));
  start(&one, meeting(1, 2, SHORT_MILLIS));
  check_late(&one, reason);
  shutdown(fake.listener, SHUT_RDWR);
  pthread_join(thread, NULL);
  close(fake.listener);
}

static void the_last_reason_is_told_at_the_deadline(void) {
  static char too_long[700];
  struct rank one;
  start(&one, meeting(1, 2, SHORT_MILLIS));
  check_late(&one, "Connection refused");
  check_late_before("", "connected, but without an answer yet");
  check_late_before("220 mail.example ESMTP\r\n",
                    "what answers there is no rank of Adrastea: '220 mail.example ESMTP?'");
  check_late_before("job 00112233", "the connection was closed before rank 0 had answered");
  memset(too_long, 'x', sizeof too_long - 1);
  check_late_before(too_long, "what answers there is no rank of Adrastea: "
                              "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'");
}

/* ---- lines ---- */

static void addresses_have_a_host_and_a_port(void) {
  static const char *const good[][3] = {{"localhost:1", "localhost", "1"},
                                        {"job-0.service:29950", "job-0.service", "29950"},
                                        {"[::1]:65535", "::1", "65535"},
                                        {"[fe80::1%eth0]:29950", "fe80::1%eth0", "29950"}};
  static const char *const bad[] = {
      "",          "host",       "host:", ":1",   "host:0", "host:65536", "host:123456", "host:-1",      "host: 1",
      "::1:29950", "[::1]29950", "[::1]", "[]:1", "[::1:1", "a b:29950",  "host:1x",     "[::1]:29950 ", "h\xc3\xa9:1"};
  struct adr_rendezvous_address address;
  char longest[300];
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    CHECK(adr_rendezvous_address_parse(&address, good[i][0]));
    check_words(good[i][1], address.host);
    check_words(good[i][2], address.port);
    check_words(good[i][0], address.words);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) { CHECK(!adr_rendezvous_address_parse(&address, bad[i])); }
  memset(longest, 'h', sizeof longest);
  strcpy(longest + 255, ":1");
  CHECK(adr_rendezvous_address_parse(&address, longest));
  CHECK_EQUAL(128, strlen(address.words));
  strcpy(longest + 255, "h:1");
  CHECK(!adr_rendezvous_address_parse(&address, longest));
}

static void long_words_are_cut_off(void) {
  char line[ADR_RENDEZVOUS_LINE], words[1000];
  memset(words, 'w', sizeof words - 1);
  words[sizeof words - 1] = '\0';
  CHECK_EQUAL(511, adr_rendezvous_write_refusal(line, words));
  CHECK_EQUAL(511, strlen(line));
  CHECK(line[510] == '\n');
}

/* Changes some bytes, or takes some away. */
static size_t spoil(char *line, size_t length) {
  for (int changes = rand() % 4; changes > 0 && length > 0; changes--) {
    size_t at = (size_t)rand() % length;
    if (rand() % 2 == 0) {
      line[at] = "0123456789 =\n\x01\xff"
                 "anj"[rand() % 18];
    } else {
      memmove(line + at, line + at + 1, --length - at);
    }
  }
  return length;
}

static void links_of_a_rank_in_java_are_passed_over(void) {
  struct adr_rendezvous_hello hello;
  CHECK(adr_rendezvous_read_hello(&hello, "adrastea 1 rank=3 size=4 node=6a1c:26:2 links=tcp,other"));
  CHECK(hello.rank == 3 && hello.size == 4 && strcmp(hello.node, "6a1c:26:2") == 0);
  CHECK(!adr_rendezvous_read_hello(&hello, "adrastea 1 rank=3 size=4 node=6a1c:26:2 links="));
  CHECK(!adr_rendezvous_read_hello(&hello, "adrastea 1 rank=3 size=4 node=6a1c:26:2 links=a b"));
  CHECK(!adr_rendezvous_read_hello(&hello, "adrastea 1 rank=3 size=4 node=6a1c:26:2 other=a"));
  CHECK(adr_rendezvous_read_hello(&hello, "adrastea 1 rank=3 size=4 node=6a1c:26:2 links=tcp job=00112233aabbccdd"));
  CHECK(strcmp(hello.job, "00112233aabbccdd") == 0);
  CHECK(!adr_rendezvous_read_hello(&hello, "adrastea 1 rank=3 size=4 node=6a1c:26:2 job=00112233aabbccd"));
}

static void any_bytes_are_a_line_or_none(void) {
  int hellos = 0, answers = 0, malformed = 0;
  srand(7);
  for (int input = 0; input < FUZZ_INPUTS; input++) {
    char line[ADR_RENDEZVOUS_LINE + 1], again[ADR_RENDEZVOUS_LINE];
    struct adr_rendezvous_hello hello = {1, (uint32_t)rand() % 2000, (uint32_t)rand() % 2000, NODE, ""}, other;
    const char *words = NULL;
    uint64_t job = (uint64_t)rand() << 33 ^ (uint64_t)rand();
    int kind = rand() % 4;
    size_t length = kind == 0   ? adr_rendezvous_write_job(line, job)
                    : kind == 1 ? adr_rendezvous_write_refusal(line, "so it is")
                                : adr_rendezvous_write_hello(line, &hello);
    if (kind == 3) {
      length = (size_t)(rand() % (ADR_RENDEZVOUS_LINE + 1));
      for (size_t i = 0; i < length; i++) { line[i] = (char)rand(); }
    }
    length = spoil(line, length);
    adr_rendezvous_may_be_hello(line, length);
    adr_rendezvous_make_plain(line, length);
    CHECK(strlen(line) <= length);
    for (const char *at = line; *at != '\0'; at++) { CHECK(*at >= ' ' && *at <= '~'); }
    if (!adr_rendezvous_read_hello(&hello, line)) {
      malformed++;
    } else if (hello.version == ADR_RENDEZVOUS_VERSION) {
      size_t written = adr_rendezvous_write_hello(again, &hello);
      adr_rendezvous_make_plain(again, written - 1);
      CHECK(adr_rendezvous_read_hello(&other, again));
      CHECK(other.rank == hello.rank && other.size == hello.size && strcmp(other.node, hello.node) == 0);
      hellos++;
    }
    switch (adr_rendezvous_read_answer(line, &job, &words)) {
    case ADR_RENDEZVOUS_JOB:
      adr_rendezvous_write_job(again, job);
      CHECK(strncmp(again, line, strlen(line)) == 0);
      answers++;
      break;
    case ADR_RENDEZVOUS_REFUSED:
      CHECK(words > line && *words != '\0');
      answers++;
      break;
    default:
      CHECK(words == NULL);
    }
  }
  CHECK(hellos > FUZZ_INPUTS / 50 && answers > FUZZ_INPUTS / 50 && malformed > FUZZ_INPUTS / 50);
}

int main(void) {
  choose_port();
  RUN(addresses_have_a_host_and_a_port);
  RUN(long_words_are_cut_off);
  RUN(links_of_a_rank_in_java_are_passed_over);
  RUN(any_bytes_are_a_line_or_none);
  RUN(ranks_of_the_library_meet);
  RUN(many_ranks_meet);
  RUN(ranks_for_whose_connections_there_is_no_file_are_told);
  RUN(each_meeting_has_a_number_of_its_own);
  RUN(a_line_may_come_in_pieces);
  RUN(what_does_not_fit_together_is_refused_by_all);
  RUN(strangers_do_not_count_and_are_told_once);
  RUN(whatever_strangers_send_the_ranks_meet);
  RUN(a_connection_that_says_nothing_is_closed_after_a_while);
  RUN(a_rank_that_is_refused_does_not_wait_for_all_others);
  RUN(a_rank_that_goes_may_come_again);
  RUN(a_wrong_rank_that_goes_is_forgotten);
  RUN(ranks_that_did_not_come_are_named_to_those_that_did);
  RUN(an_address_of_another_machine_is_refused_by_name);
  RUN(a_port_that_another_has_is_refused_after_a_while);
  RUN(ranks_meet_at_addresses_of_version_6);
  RUN(an_answer_may_come_late_slowly_and_in_pieces);
  RUN(a_refusal_is_told_in_its_words);
  RUN(a_rank_asks_again_when_the_connection_is_closed_or_strange);
  RUN(the_last_reason_is_told_at_the_deadline);
  return 0;
}
