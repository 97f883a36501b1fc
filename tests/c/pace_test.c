/* How often the clock is looked at, and the others, by a clock of the test's own. Twin of
 * io.adrastea.wait.PaceTest.
 */
#include "job/adr_pace.h"

#include "check.h"

enum { MILLI = 1000000, MANY = 20000 };

static int64_t now;
static int clock_looks;

static bool is_due_at_work(struct adr_pace *pace) {
  if (!adr_stride_ends(&pace->all)) { return false; }
  clock_looks++;
  return adr_pace_is_time(pace, &pace->all, now);
}

static bool is_due(struct adr_pace *pace) {
  if (!adr_stride_ends(&pace->vain)) { return false; }
  clock_looks++;
  return adr_pace_is_time(pace, &pace->vain, now);
}

typedef bool due(struct adr_pace *pace);
static due *const kinds[] = {is_due_at_work, is_due};
static const int mosts[] = {256, 64};
enum { KINDS = 2 };

/* Calls of so many nanoseconds each, until it is time; at most MANY. */
static int calls_until_due(struct adr_pace *pace, due *kind, int64_t each) {
  for (int calls = 1; calls <= MANY; calls++) {
    now += each;
    if (kind(pace)) { return calls; }
  }
  return MANY;
}

static void looks_at_the_clock_once_in_many_calls_that_are_short(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    struct adr_pace pace = adr_pace_from(now);
    CHECK_EQUAL(MANY, calls_until_due(&pace, kinds[kind], 1)); /* it gets into its stride */
    clock_looks = 0;
    CHECK_EQUAL(MANY, calls_until_due(&pace, kinds[kind], 1));
    CHECK(clock_looks <= MANY / mosts[kind] + 1);
    CHECK(clock_looks >= MANY / mosts[kind]);
  }
}

static void calls_that_take_long_are_not_counted_before_it_is_time(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    struct adr_pace pace = adr_pace_from(now);
    CHECK_EQUAL(1, calls_until_due(&pace, kinds[kind], 150 * MILLI));
    CHECK_EQUAL(1, calls_until_due(&pace, kinds[kind], 150 * MILLI));
    CHECK(calls_until_due(&pace, kinds[kind], 50 * MILLI) <= 3);
    CHECK(calls_until_due(&pace, kinds[kind], 50 * MILLI) <= 3);
  }
}

static void after_one_stride_a_program_that_has_become_slow_is_in_time(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    struct adr_pace pace = adr_pace_from(now);
    calls_until_due(&pace, kinds[kind], 1);
    CHECK(calls_until_due(&pace, kinds[kind], 150 * MILLI) <= mosts[kind]);
    CHECK_EQUAL(1, calls_until_due(&pace, kinds[kind], 150 * MILLI));
  }
}

static void is_due_about_every_100_ms(void) {
  for (int kind = 0; kind < KINDS; kind++) {
    struct adr_pace pace = adr_pace_from(now);
    calls_until_due(&pace, kinds[kind], 10000);
    for (int i = 0; i < 10; i++) {
      int calls = calls_until_due(&pace, kinds[kind], 10000); /* 10 us */
      CHECK(calls >= 9000 && calls <= 10000 + mosts[kind]);
    }
  }
}

static void one_look_serves_both(void) {
  struct adr_pace pace = adr_pace_from(now);
  now += 150 * MILLI;
  CHECK(is_due_at_work(&pace));
  CHECK(!is_due(&pace));
}

int main(void) {
  RUN(looks_at_the_clock_once_in_many_calls_that_are_short);
  RUN(calls_that_take_long_are_not_counted_before_it_is_time);
  RUN(after_one_stride_a_program_that_has_become_slow_is_in_time);
  RUN(is_due_about_every_100_ms);
  RUN(one_look_serves_both);
  return 0;
}
