/* Attachments that are kept, with small bounds, on the stand-in for XPMEM's kernel module. The exporter is this
 * process itself. */
#include "space/adr_attach_cache.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "space/adr_xpmem_driver.h"
#include "xpmem_standin.h"

enum { PAGE = 4096, PAGES = 64, MOST = 4, MOST_PAGES = 16 };

static uint8_t *exported; /* byte i of page p is p */
static int64_t segment;
static struct adr_attach_cache cache;
static struct standin_counts before;

static void set_up(void) {
  cache = (struct adr_attach_cache){.most = MOST, .most_bytes = MOST_PAGES * PAGE};
  segment = adr_xpmem_driver_make(NULL, ADR_XPMEM_ALL);
  CHECK(segment > 0);
  before = standin_counts;
}

/* Whatever a test has let go of can all be evicted: then nothing is left in the kernel. */
static void tear_down(void) {
  cache.most = 0;
  int64_t address = (int64_t)(uintptr_t)exported;
  if (adr_attach_cache_take(&cache, segment, address, 1) > 0) {
    CHECK_EQUAL(0, adr_attach_cache_give(&cache, segment, address, 1));
  }
  CHECK_EQUAL(0, cache.count);
  CHECK_EQUAL(0, cache.bytes);
  CHECK(cache.permits == NULL && cache.newest == NULL && cache.oldest == NULL && cache.reached == NULL);
  CHECK_EQUAL(0, standin_attachments());
  CHECK_EQUAL(standin_counts.gets - before.gets, standin_counts.releases - before.releases);
}

static int64_t address_at(int page, int byte) { return (int64_t)(uintptr_t)(exported + page * PAGE + byte); }

static uint8_t *take(int page, int byte, int64_t bytes) {
  int64_t here = adr_attach_cache_take(&cache, segment, address_at(page, byte), bytes);
  CHECK(here > 0);
  return (uint8_t *)(intptr_t)here;
}

static void give(int page, int byte, int64_t bytes) {
  CHECK_EQUAL(0, adr_attach_cache_give(&cache, segment, address_at(page, byte), bytes));
}

static void take_and_give(int page) {
  CHECK_EQUAL(page, *take(page, 0, PAGE));
  give(page, 0, PAGE);
}

static int attaches(void) { return standin_counts.attaches - before.attaches; }

static void any_address_and_length_is_reached(void) {
  uint8_t *here = take(3, 100, 2 * PAGE); /* three pages, by multiples of a page */
  CHECK(here != exported + 3 * PAGE + 100);
  CHECK_EQUAL(3, here[0]);
  CHECK_EQUAL(4, here[PAGE]);
  CHECK_EQUAL(5, here[2 * PAGE - 1]);
  here[7] = 77;
  CHECK_EQUAL(77, exported[3 * PAGE + 107]);
  exported[3 * PAGE + 107] = 3;
  CHECK_EQUAL(3, here[7]);
  CHECK_EQUAL(3 * PAGE, cache.bytes);
  give(3, 100, 2 * PAGE);
}

static void what_is_attached_is_used_again(void) {
  const uint8_t *here = take(8, 0, 4 * PAGE);
  CHECK(take(8, 0, 4 * PAGE) == here);
  CHECK(take(9, 5, PAGE) == here + PAGE + 5);
  give(9, 5, PAGE);
  give(8, 0, 4 * PAGE);
  give(8, 0, 4 * PAGE);
  CHECK(take(11, 0, PAGE) == here + 3 * PAGE);
  give(11, 0, PAGE);
  CHECK_EQUAL(1, attaches());
  CHECK_EQUAL(1, standin_counts.gets - before.gets);
  take_and_give(12); /* the next page is not in it */
  CHECK_EQUAL(2, attaches());
  CHECK_EQUAL(1, standin_counts.gets - before.gets);
}

static void the_least_recently_used_goes_when_there_are_too_many(void) {
  for (int page = 0; page < MOST; page++) { take_and_give(page * 2); }
  take_and_give(0); /* now 2 is the oldest */
  take_and_give(20);
  CHECK_EQUAL(MOST, cache.count);
  CHECK_EQUAL(MOST, standin_attachments());
  CHECK_EQUAL(MOST + 1, attaches());
  take_and_give(0);
  take_and_give(4);
  take_and_give(6);
  CHECK_EQUAL(MOST + 1, attaches());
  take_and_give(2);
  CHECK_EQUAL(MOST + 2, attaches());
}

static void the_least_recently_used_goes_when_there_are_too_many_bytes(void) {
  for (int page = 0; page < 3; page++) {
    take(page * 8, 0, 7 * PAGE);
    give(page * 8, 0, 7 * PAGE);
  }
  CHECK_EQUAL(14 * PAGE, cache.bytes);
  CHECK_EQUAL(2, standin_attachments());
  take_and_give(8);
  CHECK_EQUAL(3, attaches());
}

static void what_is_in_use_stays_beyond_every_bound(void) {
  const uint8_t *held[MOST + 2];
  for (int i = 0; i < MOST + 2; i++) { held[i] = take(i * 4, 0, 4 * PAGE); }
  CHECK_EQUAL(MOST + 2, standin_attachments());
  CHECK(cache.bytes > cache.most_bytes);
  for (int i = 0; i < MOST + 2; i++) { CHECK_EQUAL(i * 4 + 3, held[i][3 * PAGE]); }
  for (int i = 0; i < MOST + 2; i++) { give(i * 4, 0, 4 * PAGE); }
  CHECK(cache.count <= cache.most && cache.bytes <= cache.most_bytes);
  CHECK_EQUAL(MOST, standin_attachments());
}

static void one_larger_than_the_bound_goes_when_it_is_let_go_of(void) {
  CHECK_EQUAL(MOST_PAGES, take(0, 0, (MOST_PAGES + 1) * PAGE)[MOST_PAGES * PAGE]);
  give(0, 0, (MOST_PAGES + 1) * PAGE);
  CHECK_EQUAL(0, standin_attachments());
}

/* Both have the bytes of page 2; what keeps one of them is its own taking. */
static void each_taking_keeps_its_own_attachment(void) {
  const uint8_t *small = take(2, 0, PAGE);
  const uint8_t *large = take(0, 0, 4 * PAGE);
  CHECK(take(2, 0, PAGE) == small);
  give(2, 0, PAGE);
  give(2, 0, PAGE); /* now only the large one is in use */
  cache.most = 1;
  take_and_give(30);
  CHECK_EQUAL(1, standin_attachments());
  CHECK_EQUAL(2, large[2 * PAGE]);
  give(0, 0, 4 * PAGE);
}

static void what_was_not_taken_cannot_be_given(void) {
  take(5, 0, 100);
  CHECK_EQUAL(-EINVAL, adr_attach_cache_give(&cache, segment, address_at(5, 0), 99));
  CHECK_EQUAL(-EINVAL, adr_attach_cache_give(&cache, segment, address_at(5, 1), 100));
  CHECK_EQUAL(-EINVAL, adr_attach_cache_give(&cache, segment + 1, address_at(5, 0), 100));
  give(5, 0, 100);
  CHECK_EQUAL(-EINVAL, adr_attach_cache_give(&cache, segment, address_at(5, 0), 100));
}

static void what_cannot_be_is_refused_and_leaves_nothing(void) {
  CHECK_EQUAL(-EINVAL, adr_attach_cache_take(&cache, 0, address_at(0, 0), 1));
  CHECK_EQUAL(-EINVAL, adr_attach_cache_take(&cache, segment, -1, 1));
  CHECK_EQUAL(-EINVAL, adr_attach_cache_take(&cache, segment, address_at(0, 0), 0));
  CHECK_EQUAL(-EINVAL, adr_attach_cache_take(&cache, segment, address_at(0, 0), INT64_MAX));
  CHECK_EQUAL(0, attaches());
  CHECK_EQUAL(-EINVAL, adr_attach_cache_take(&cache, segment, INT64_C(1) << 50, 1)); /* the kernel's word */
  CHECK_EQUAL(1, attaches());
  CHECK(cache.permits == NULL);
  CHECK_EQUAL(-ESRCH, adr_attach_cache_take(&cache, segment + (INT64_C(9) << 32), address_at(0, 0), 1));
  CHECK(cache.permits == NULL);
}

static void a_segment_that_is_gone_is_told_and_what_is_in_use_stays_until_given(void) {
  const uint8_t *held = take(1, 0, PAGE);
  take_and_give(3);
  CHECK_EQUAL(0, adr_xpmem_device.ioctl(0, ADR_XPMEM_REMOVE, &segment));
  CHECK_EQUAL(-ESRCH, adr_attach_cache_take(&cache, segment, address_at(5, 0), 1));
  CHECK_EQUAL(1, standin_attachments());
  CHECK_EQUAL(1, held[0]);
  CHECK_EQUAL(-ESRCH, adr_attach_cache_take(&cache, segment, address_at(3, 0), 1));
  give(1, 0, PAGE);
  CHECK_EQUAL(0, standin_attachments());
}

static void several_segments_have_a_permit_each(void) {
  int64_t first = segment;
  take_and_give(1);
  segment = adr_xpmem_driver_make(NULL, ADR_XPMEM_ALL);
  take_and_give(1);
  CHECK_EQUAL(2, attaches());
  CHECK_EQUAL(2, standin_counts.gets - before.gets);
  CHECK_EQUAL(0, standin_counts.releases - before.releases);
  cache.most = 1;
  take_and_give(1);
  CHECK_EQUAL(1, standin_counts.releases - before.releases); /* with its last attachment */
  cache.most = MOST;
  segment = first;
  take_and_give(1);
  CHECK_EQUAL(3, attaches());
}

#define TEST(test) \
  do { \
    set_up(); \
    RUN(test); \
    tear_down(); \
  } while (0)

int main(void) {
  int file = memfd_create("exported", MFD_CLOEXEC);
  CHECK_EQUAL(0, ftruncate(file, PAGES * PAGE));
  exported = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  CHECK(exported != MAP_FAILED);
  for (int page = 0; page < PAGES; page++) { memset(exported + page * PAGE, page, PAGE); }
  CHECK_EQUAL(0, adr_xpmem_driver_open());
  TEST(any_address_and_length_is_reached);
  TEST(what_is_attached_is_used_again);
  TEST(the_least_recently_used_goes_when_there_are_too_many);
  TEST(the_least_recently_used_goes_when_there_are_too_many_bytes);
  TEST(what_is_in_use_stays_beyond_every_bound);
  TEST(one_larger_than_the_bound_goes_when_it_is_let_go_of);
  TEST(each_taking_keeps_its_own_attachment);
  TEST(what_was_not_taken_cannot_be_given);
  TEST(what_cannot_be_is_refused_and_leaves_nothing);
  TEST(a_segment_that_is_gone_is_told_and_what_is_in_use_stays_until_given);
  TEST(several_segments_have_a_permit_each);
  return 0;
}
