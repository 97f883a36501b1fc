/* Accesses to windows, see adrastea/window.h: copies, atomic operations, and operations under a stripe for elements
 * that no instruction changes as one. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "adrastea/accumulate.h"
#include "bootstrap/adr_job_error.h"
#include "coll/adr_combine.h"
#include "job/adr_access_copy.h"
#include "job/adr_window_epoch.h"
#include "job/adr_window_refuse.h"

enum { MOST_ELEMENT = 32 };

/* Whether this rank may access a target now. Returns 0 or an error. */
static int check_epoch(struct adr_window *window, const char *name, uint32_t target) {
  const struct adr_window_member *member = &window->members[target];
  if (member->access != ADR_WINDOW_NOT) { return 0; }
  if (window->all) { return member->settled == window->epoch ? 0 : adr_window_settle(window, target); }
  if (window->fenced) { return 0; }
  return adr_window_refuse(window,
                           "%s at rank %" PRIu32 " outside of an epoch; it needs a fence, a start with that rank, or "
                           "a lock of it or of all",
                           name, target);
}

/* Finds the memory of an access, which is checked. Returns 0 or an error. */
static int locate(struct adr_window *window, const char *name, int target, int64_t displacement, int64_t bytes,
                  uint8_t **memory) {
  int status = adr_window_check_rank(window, name, target);
  if (status < 0) { return status; }
  const struct adr_window_member *member = &window->members[target];
  uint64_t start, end;
  if (displacement < 0 || bytes < 0 || __builtin_mul_overflow((uint64_t)displacement, member->unit, &start)
      || __builtin_add_overflow(start, (uint64_t)bytes, &end) || end > member->bytes) {
    return adr_window_refuse(window,
                             "%s of %" PRId64 " bytes at displacement %" PRId64 " of rank %d, in units of %" PRIu64
                             " bytes; its memory has %" PRIu64 " bytes",
                             name, bytes, displacement, target, member->unit, member->bytes);
  }
  status = check_epoch(window, name, (uint32_t)target);
  *memory = member->memory + start;
  return status;
}

int adr_window_put(adr_window *window, const void *origin, int64_t bytes, int target, int64_t displacement) {
  uint8_t *memory = NULL;
  const int status = locate(window, "put", target, displacement, bytes, &memory);
  if (status < 0 || bytes == 0) { return status; }
  adr_access_copy(memory, origin, bytes);
  return 0;
}

int adr_window_get(adr_window *window, void *result, int64_t bytes, int target, int64_t displacement) {
  uint8_t *memory = NULL;
  const int status = locate(window, "get", target, displacement, bytes, &memory);
  if (status < 0 || bytes == 0) { return status; }
  adr_access_copy(result, memory, bytes);
  return 0;
}

/* One element after the other under the stripe of its place. */
static int accumulate_by_stripes(struct adr_window *window, uint32_t target, uint8_t *memory, const uint8_t *origin,
                                 uint8_t *result, int64_t count, int32_t element, int32_t op) {
  const int64_t bytes = adr_element_bytes(element);
  uint8_t before[MOST_ELEMENT];
  for (int64_t each = 0; each < count; each++, memory += bytes) {
    const uint64_t displacement = (uint64_t)(memory - window->members[target].memory);
    const uint32_t stripe = adr_window_block_stripe_of(displacement);
    const int status = adr_window_acquire_stripe(window, target, stripe);
    if (status < 0) { return status; }
    memcpy(before, memory, (size_t)bytes);
    if (op != ADR_NO_OP) { adr_combine(op, element, memory, before, origin + each * bytes, bytes); }
    adr_window_stripes_release(&window->stripes, target, stripe);
    if (result != NULL) { memcpy(result + each * bytes, before, (size_t)bytes); }
  }
  return 0;
}

static int accumulate(struct adr_window *window, const char *name, const void *origin, void *result, int64_t count,
                      int32_t element, int32_t op, int target, int64_t displacement) {
  const int64_t size = adr_element_bytes(element);
  int64_t bytes = 0;
  uint8_t *memory = NULL;
  if (size <= 0 || size > MOST_ELEMENT || adr_operator_check(op, element) != 0
      || (origin == NULL && op != ADR_NO_OP && count > 0)) {
    return adr_window_refuse(
        window, "%s at rank %d by operator %" PRId32 " of elements of kind %" PRId32 "%s", name, target, op, element,
        origin == NULL && op != ADR_NO_OP ? ", without an origin" : "; that operator has no meaning for them");
  }
  if (count < 0 || __builtin_mul_overflow(count, size, &bytes)) {
    return adr_window_refuse(window,
                             "%s of %" PRId64 " elements at displacement %" PRId64
                             " of rank %d; that is more than its memory "
                             "has",
                             name, count, displacement, target);
  }
  const int status = locate(window, name, target, displacement, bytes, &memory);
  if (status < 0 || bytes == 0) { return status; }
  if (adr_accumulate_check(op, element) != 0) {
    return accumulate_by_stripes(window, (uint32_t)target, memory, origin, result, count, element, op);
  }
  if ((uintptr_t)memory % (uintptr_t)size != 0) {
    return adr_window_refuse(window,
                             "%s at displacement %" PRId64 " of rank %d, which is no multiple of the %" PRId64
                             " bytes of an element",
                             name, displacement, target, size);
  }
  const bool alone = window->members[target].access == ADR_WINDOW_EXCLUSIVE;
  return adr_accumulate(memory, origin, 0, result, 0, bytes, op, element, alone);
}

int adr_window_accumulate(adr_window *window, const void *origin, int64_t count, int32_t element, int32_t op,
                          int target, int64_t displacement) {
  return accumulate(window, "accumulate", origin, NULL, count, element, op, target, displacement);
}

int adr_window_get_accumulate(adr_window *window, const void *origin, void *result, int64_t count, int32_t element,
                              int32_t op, int target, int64_t displacement) {
  return accumulate(window, "get_accumulate", origin, result, count, element, op, target, displacement);
}

int adr_window_fetch_and_op(adr_window *window, const void *origin, void *result, int32_t element, int32_t op,
                            int target, int64_t displacement) {
  return accumulate(window, "fetch_and_op", origin, result, 1, element, op, target, displacement);
}

int adr_window_compare_and_swap(adr_window *window, const void *expected, const void *desired, void *result,
                                int32_t element, int target, int64_t displacement) {
  const int64_t size = adr_element_bytes(element);
  uint8_t *memory = NULL;
  if (adr_accumulate_check(ADR_REPLACE, element) != 0) {
    return adr_window_refuse(window,
                             "compare_and_swap at rank %d of an element of kind %" PRId32
                             "; allowed are kinds of 1, 2, 4 and 8 bytes",
                             target, element);
  }
  const int status = locate(window, "compare_and_swap", target, displacement, size, &memory);
  if (status < 0) { return status; }
  if ((uintptr_t)memory % (uintptr_t)size != 0) {
    return adr_window_refuse(window,
                             "compare_and_swap at displacement %" PRId64 " of rank %d, which is no multiple of the "
                             "%" PRId64 " bytes of an element",
                             displacement, target, size);
  }
  return adr_compare_and_swap(memory, expected, desired, result, element);
}
