/* waiter_test FILE...: replays the tables of tests/waiting, whose README.md explains them, with the wait loop of C
 * ranks, on a clock and CPUs of the test's own. Twin of io.adrastea.wait.WaitTablesTest. */
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "wait/adr_wait.h"

enum { OTHER = 1, POLL_NANOS = 40, TAKEN_AFTER = 200000, TEXT = 256, MAX_WORDS = 8 };

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

static const char *file;
static int line_number;
static int64_t now;
static int64_t met_at; /* the wait at hand */
static int64_t poll_nanos;
static int64_t yield_nanos;
static int64_t taken_at; /* the CPU of the rank ... */
static int64_t taken;    /* ... for so long; 0: it is not */
static int rank_here;    /* 1: another rank gives way here; 0: elsewhere; below zero: that is not told */
static int move_status;
static int64_t polls; /* of the wait at hand, before it first rested */
static bool rested;
static char phases[TEXT];
static struct adr_wait wait;

/* What the library calls in the place of clock_gettime (option --wrap of the linker). */
int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
  (void)clock;
  *time = (struct timespec){.tv_sec = now / 1000000000, .tv_nsec = now % 1000000000};
  return 0;
}

static void fail(const char *what, const char *text) {
  fprintf(stderr, "%s:%d: %s '%s'\n", file, line_number, what, text);
  exit(1);
}

/* Notes a phase, unless the wait has had one of that kind. */
static void add_phase(const char *phase) {
  char with_blanks[TEXT + 2];
  char sought[TEXT];
  snprintf(with_blanks, sizeof with_blanks, " %s ", phases);
  snprintf(sought, sizeof sought, " %s ", phase);
  if (strstr(with_blanks, sought) != NULL) { return; }
  CHECK(strlen(phases) + strlen(phase) + 2 < sizeof phases);
  if (phases[0] != '\0') { strcat(phases, " "); }
  strcat(phases, phase);
}

static void add_spin(void) {
  if (!rested && polls > 1) { add_phase(polls <= (int64_t)ADR_WAITER_POLLS_PER_STEP + 1 ? "short" : "spin"); }
  rested = true;
}

static void add_rest(const char *phase) {
  add_spin();
  add_phase(phase);
}

/* The one condition. */
static int is_met(void *subject, int32_t most) {
  (void)subject;
  (void)most; /* as the wait for a message, which polls once */
  now += poll_nanos;
  polls++;
  if (taken != 0 && now >= taken_at) {
    now += taken;
    met_at += taken;
    taken = 0;
  }
  return now >= met_at ? ADR_MET : ADR_UNMET;
}

static int missing(void *subject) {
  (void)subject;
  return ADR_NOBODY;
}

static struct adr_waiting waiting(const void *subject) {
  (void)subject;
  return (struct adr_waiting){0};
}

static const struct adr_condition comes = {
    .is_met = is_met, .missing = missing, .waiting = waiting, .what = "a wait of a table", .moves_on = true};

/* What is done for a rank in its waits. */
static int check(void *owner) {
  (void)owner;
  return 0;
}

static int over(void *owner, const char *what) {
  (void)owner;
  (void)what;
  return 0;
}

static int64_t announce_sleep(void *owner) {
  (void)owner;
  return 0;
}

static void fall_asleep(void *owner, int64_t word, int64_t nanos) {
  (void)owner;
  (void)word;
  add_rest("sleep");
  now = met_at < now + nanos ? met_at : now + nanos;
}

static void end_sleep(void *owner) { (void)owner; }

static void give_way(void *owner, int64_t time) {
  (void)owner;
  (void)time;
  add_rest("yield");
  now += yield_nanos;
}

static void works_until(void *owner, int64_t time) {
  (void)owner;
  (void)time;
}

static int was_given_way(void *owner, int64_t since) {
  (void)owner;
  (void)since;
  return rank_here;
}

static int avoid_shared_cpu(void *owner, int32_t other) {
  (void)owner;
  CHECK_EQUAL(OTHER, other);
  add_rest("move");
  return move_status;
}

static const struct adr_upkeep upkeep = {.check = check,
                                         .over = over,
                                         .announce_sleep = announce_sleep,
                                         .sleep = fall_asleep,
                                         .end_sleep = end_sleep,
                                         .give_way = give_way,
                                         .works_until = works_until,
                                         .was_given_way = was_given_way,
                                         .avoid_shared_cpu = avoid_shared_cpu};

static void begin_job(const char *oversubscribed, const char *spins) {
  const bool on = strcmp(oversubscribed, "on") == 0;
  now = 1000000000;
  poll_nanos = POLL_NANOS;
  yield_nanos = 1000;
  rank_here = 0;
  move_status = 0;
  wait = (struct adr_wait){.upkeep = &upkeep, .all_wake = true};
  wait.waiter.oversubscribed = on;
  wait.waiter.crowded = on;
  wait.waiter.follows = strcmp(oversubscribed, "auto") == 0;
  wait.waiter.spins = (uint32_t)atoi(spins);
}

static void await(const char *whom, const char *nanos) {
  phases[0] = '\0';
  polls = 0;
  rested = false;
  met_at = now + atoll(nanos);
  taken_at = now + TAKEN_AFTER;
  const bool all = strcmp(whom, "all") == 0;
  CHECK_EQUAL(ADR_MET, all ? adr_wait_for_all(&wait, &comes, NULL) : adr_wait_for(&wait, OTHER, &comes, NULL));
  add_spin();
}

static void nap(int count, const char *wanted) {
  for (int left = count - 1; left > 0; left--) {
    adr_waiter_nap(&wait.waiter, ADR_SLEEP_LEAST_NAP_NANOS, ADR_SLEEP_MOST_NAP_NANOS);
  }
  CHECK_EQUAL(atoll(wanted), adr_waiter_nap(&wait.waiter, ADR_SLEEP_LEAST_NAP_NANOS, ADR_SLEEP_MOST_NAP_NANOS));
}

static int number_of(const char *name) {
  if (strcmp(name, "here") == 0) { return 1; }
  return strcmp(name, "away") == 0 ? 0 : -1;
}

static void replay_words(char **words, int count, const char *wanted) {
  const char *first = words[0];
  if (strcmp(first, "job") == 0 && count == 3) {
    begin_job(words[1], words[2]);
  } else if (strcmp(first, "polls") == 0 && count == 2) {
    poll_nanos = atoll(words[1]);
  } else if (strcmp(first, "yields") == 0 && count == 2) {
    yield_nanos = atoll(words[1]);
  } else if (strcmp(first, "taken") == 0 && count == 2) {
    taken = atoll(words[1]);
  } else if (strcmp(first, "rank") == 0 && count == 2) {
    rank_here = number_of(words[1]);
  } else if (strcmp(first, "move") == 0 && count == 2) {
    move_status = atoi(words[1]);
  } else if (strcmp(first, "pass") == 0 && count == 2) {
    now += atoll(words[1]);
  } else if (strcmp(first, "waits") == 0 && count == 4) {
    for (int left = atoi(words[1]); left > 0; left--) { await(words[2], words[3]); }
  } else if (strcmp(first, "naps") == 0 && count == 2 && wanted != NULL) {
    nap(atoi(words[1]), wanted);
  } else if (strcmp(first, "wait") == 0 && count == 3 && wanted != NULL) {
    await(words[1], words[2]);
    if (strcmp(phases, wanted) != 0) { fail("came out:", phases); }
  } else {
    fail("no such line:", first);
  }
}

static char *strip(char *text) {
  text += strspn(text, " \n");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \n", text[length - 1]) != NULL) { text[--length] = '\0'; }
  return text;
}

static void replay_line(char *text) {
  char *words[MAX_WORDS];
  int count = 0;
  text[strcspn(text, "#")] = '\0';
  char *rest = text;
  char *line = strip(strsep(&rest, "="));
  for (char *word; count < MAX_WORDS && (word = strsep(&line, " ")) != NULL;) {
    if (*word != '\0') { words[count++] = word; }
  }
  if (count > 0) { replay_words(words, count, rest == NULL ? NULL : strip(rest)); }
}

int main(int count, char **paths) {
  CHECK(count > 1);
  for (int i = 1; i < count; i++) {
    char text[TEXT];
    FILE *in = fopen(paths[i], "r");
    file = paths[i];
    line_number = 0;
    CHECK(in != NULL);
    while (fgets(text, sizeof text, in) != NULL) {
      line_number++;
      replay_line(text);
    }
    fclose(in);
    printf("ok %s, %d lines\n", file, line_number);
  }
  return 0;
}
