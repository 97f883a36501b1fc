/* Twin of io.adrastea.accumulate.Accumulate. What no instruction does is computed ahead for a block of elements, by the
 * loops of reductions, and then goes in by one CAS for each word; a word that has changed meanwhile is computed
 * again. */
#include "adrastea/accumulate.h"

#include <stdbool.h>
#include <string.h>

#include "base/adr_atomic.h"
#include "base/adr_base.h"
#include "coll/adr_combine.h"

enum {
  BLOCK = 512,       /* bytes that are computed ahead: few, so that others seldom change them meanwhile */
  STRETCH = 1 << 14, /* bytes that are combined while those that were copied before are still in the cache */
};

typedef struct {
  const uint8_t *origin; /* NULL: the operator does not read it */
  uint8_t *result;       /* NULL: nobody wants it */
  int64_t bytes;
  int32_t op;
  int32_t element;
} operands;

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

int32_t adr_accumulate_check(int32_t op, int32_t element) {
  if (adr_operator_check(op, element) != 0 || element > ADR_BOOL) { return ADR_INVALID; }
  const bool has_parts = element == ADR_FLOAT_COMPLEX || element == ADR_DOUBLE_COMPLEX;
  return has_parts || element == ADR_LONG_DOUBLE ? ADR_INVALID : 0;
}

/* Nobody else touches the target. */
static void accumulate_exclusive(uint8_t *target, const operands *of) {
  for (int64_t done = 0; done < of->bytes; done += STRETCH) {
    const int64_t part = least(of->bytes - done, STRETCH);
    if (of->result != NULL) { memcpy(of->result + done, target + done, (size_t)part); }
    if (of->op == ADR_REPLACE) {
      memcpy(target + done, of->origin + done, (size_t)part);
    } else if (of->op != ADR_NO_OP) {
      adr_combine(of->op, of->element, target + done, target + done, of->origin + done, part);
    }
  }
}

/* Whether the CPU has an instruction for it: for integers, and for words of any kind that stay as they are. */
static bool is_instruction(int32_t op, int32_t element) {
  const bool is_real = element == ADR_FLOAT || element == ADR_DOUBLE;
  switch (op) {
  case ADR_SUM:
    return !is_real;
  case ADR_BAND:
  case ADR_BOR:
  case ADR_BXOR:
  case ADR_REPLACE:
  case ADR_NO_OP:
    return true;
  default:
    return false;
  }
}

static uint32_t fetch_and_op_u32(int32_t op, adr_atomic_u32 *target, uint32_t operand) {
  switch (op) {
  case ADR_SUM:
    return adr_add_acq_rel_u32(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_BAND:
    return adr_and_acq_rel_u32(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_BOR:
    return adr_or_acq_rel_u32(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_BXOR:
    return adr_xor_acq_rel_u32(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_REPLACE:
    return adr_swap_acq_rel_u32(target, operand); /* SYNC accumulate-element: acq_rel */
  default:
    return adr_load_acquire_u32(target); /* SYNC accumulate-element: acquire */
  }
}

static uint64_t fetch_and_op_u64(int32_t op, adr_atomic_u64 *target, uint64_t operand) {
  switch (op) {
  case ADR_SUM:
    return adr_add_acq_rel_u64(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_BAND:
    return adr_and_acq_rel_u64(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_BOR:
    return adr_or_acq_rel_u64(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_BXOR:
    return adr_xor_acq_rel_u64(target, operand); /* SYNC accumulate-element: acq_rel */
  case ADR_REPLACE:
    return adr_swap_acq_rel_u64(target, operand); /* SYNC accumulate-element: acq_rel */
  default:
    return adr_load_acquire_u64(target); /* SYNC accumulate-element: acquire */
  }
}

static void accumulate_each_u32(adr_atomic_u32 *target, const operands *of) {
  for (int64_t at = 0; at < of->bytes; at += (int64_t)sizeof *target, target++) {
    uint32_t operand = 0;
    if (of->origin != NULL) { memcpy(&operand, of->origin + at, sizeof operand); }
    const uint32_t old = fetch_and_op_u32(of->op, target, operand);
    if (of->result != NULL) { memcpy(of->result + at, &old, sizeof old); }
  }
}

static void accumulate_each_u64(adr_atomic_u64 *target, const operands *of) {
  for (int64_t at = 0; at < of->bytes; at += (int64_t)sizeof *target, target++) {
    uint64_t operand = 0;
    if (of->origin != NULL) { memcpy(&operand, of->origin + at, sizeof operand); }
    const uint64_t old = fetch_and_op_u64(of->op, target, operand);
    if (of->result != NULL) { memcpy(of->result + at, &old, sizeof old); }
  }
}

/* Elements that lie in a block of words, from byte `head` of the first word on. */
typedef struct {
  const operands *of;
  int64_t done; /* bytes of operands before the block */
  int64_t head;
  int64_t bytes;
} block;

/* Makes of some bytes of the words in `old` those of `wanted`. */
static void combine(const block *in, void *wanted, const void *old, int64_t from, int64_t to) {
  const operands *of = in->of;
  const uint8_t *right = of->origin == NULL ? NULL : of->origin + in->done + from - in->head;
  adr_combine(of->op, of->element, (uint8_t *)wanted + from, (const uint8_t *)old + from, right, to - from);
}

/* Elements of at most 4 bytes: all of a word go in at once, with its other bytes as they are. */
static void combine_words_u32(uint8_t *target, const operands *of) {
  enum { SIZE = sizeof(uint32_t) };
  uint32_t old[BLOCK / SIZE], wanted[BLOCK / SIZE];
  block in = {.of = of, .head = (int64_t)((uintptr_t)target % SIZE)};
  adr_atomic_u32 *words = (adr_atomic_u32 *)(void *)(target - in.head);
  for (; in.done < of->bytes; in.done += in.bytes, in.head = 0, words += BLOCK / SIZE) {
    in.bytes = least(of->bytes - in.done, BLOCK - in.head);
    const int64_t end = in.head + in.bytes;
    const int64_t count = (end + SIZE - 1) / SIZE;
    for (int64_t i = 0; i < count; i++) {
      old[i] = adr_load_acquire_u32(words + i); /* SYNC accumulate-element: acquire */
      wanted[i] = old[i];
    }
    combine(&in, wanted, old, in.head, end);
    for (int64_t i = 0; i < count; i++) {
      while (wanted[i] != old[i]) {
        /* SYNC accumulate-element: acq_rel */
        const uint32_t seen = adr_compare_exchange_acq_rel_u32(words + i, old[i], wanted[i]);
        if (ADR_LIKELY(seen == old[i])) { break; }
        old[i] = wanted[i] = seen;
        combine(&in, wanted, old, i == 0 ? in.head : i * SIZE, least((i + 1) * SIZE, end));
      }
    }
    if (of->result != NULL) { memcpy(of->result + in.done, (uint8_t *)old + in.head, (size_t)in.bytes); }
  }
}

static void combine_words_u64(adr_atomic_u64 *words, const operands *of) {
  enum { SIZE = sizeof(uint64_t) };
  uint64_t old[BLOCK / SIZE], wanted[BLOCK / SIZE];
  block in = {.of = of};
  for (; in.done < of->bytes; in.done += in.bytes, words += BLOCK / SIZE) {
    in.bytes = least(of->bytes - in.done, BLOCK);
    const int64_t count = in.bytes / SIZE;
    for (int64_t i = 0; i < count; i++) {
      old[i] = adr_load_acquire_u64(words + i); /* SYNC accumulate-element: acquire */
    }
    combine(&in, wanted, old, 0, in.bytes);
    for (int64_t i = 0; i < count; i++) {
      while (wanted[i] != old[i]) {
        /* SYNC accumulate-element: acq_rel */
        const uint64_t seen = adr_compare_exchange_acq_rel_u64(words + i, old[i], wanted[i]);
        if (ADR_LIKELY(seen == old[i])) { break; }
        old[i] = seen;
        combine(&in, wanted, old, i * SIZE, (i + 1) * SIZE);
      }
    }
    if (of->result != NULL) { memcpy(of->result + in.done, old, (size_t)in.bytes); }
  }
}

int32_t adr_accumulate(void *target, const void *origin, int64_t origin_offset, void *result, int64_t result_offset,
                       int64_t bytes, int32_t op, int32_t element, int32_t exclusive) {
  const int64_t size = adr_element_bytes(element);
  if (adr_accumulate_check(op, element) != 0 || (int64_t)((uintptr_t)target % (uintptr_t)size) != 0 || bytes < 0
      || bytes % size != 0 || (bytes > 0 && op != ADR_NO_OP && origin == NULL)) {
    return ADR_INVALID;
  }
  const operands of = {
      .origin = op == ADR_NO_OP || origin == NULL ? NULL : (const uint8_t *)origin + origin_offset,
      .result = result == NULL ? NULL : (uint8_t *)result + result_offset,
      .bytes = bytes,
      .op = op,
      .element = element,
  };
  if (exclusive != 0) {
    accumulate_exclusive(target, &of);
  } else if (size == sizeof(uint64_t) && is_instruction(op, element)) {
    accumulate_each_u64(target, &of);
  } else if (size == sizeof(uint32_t) && is_instruction(op, element)) {
    accumulate_each_u32(target, &of);
  } else if (size == sizeof(uint64_t)) {
    combine_words_u64(target, &of);
  } else {
    combine_words_u32(target, &of);
  }
  return 0;
}

/* An element of 1 or 2 bytes. */
static uint32_t compare_and_swap_within(uint8_t *target, uint32_t expected, uint32_t desired, uint32_t mask) {
  const uintptr_t head = (uintptr_t)target % sizeof(uint32_t);
  const uintptr_t shift = 8 * head;
  adr_atomic_u32 *word = (adr_atomic_u32 *)(void *)(target - head);
  uint32_t old = adr_load_acquire_u32(word); /* SYNC accumulate-element: acquire */
  while ((old >> shift & mask) == expected) {
    const uint32_t wanted = (old & ~(mask << shift)) | desired << shift;
    /* SYNC accumulate-element: acq_rel */
    const uint32_t seen = adr_compare_exchange_acq_rel_u32(word, old, wanted);
    if (ADR_LIKELY(seen == old)) { break; }
    old = seen;
  }
  return old >> shift & mask;
}

static uint32_t compare_and_swap_u32(adr_atomic_u32 *target, uint32_t expected, uint32_t desired) {
  return adr_compare_exchange_acq_rel_u32(target, expected, desired); /* SYNC accumulate-element: acq_rel */
}

static uint64_t compare_and_swap_u64(adr_atomic_u64 *target, uint64_t expected, uint64_t desired) {
  return adr_compare_exchange_acq_rel_u64(target, expected, desired); /* SYNC accumulate-element: acq_rel */
}

/* Bytes are those of the lowest ones of a number: the CPU is little-endian. */
int32_t adr_compare_and_swap(void *target, const void *expected, const void *desired, void *result, int32_t element) {
  if (adr_accumulate_check(ADR_REPLACE, element) != 0) { return ADR_INVALID; }
  const size_t size = (size_t)adr_element_bytes(element);
  uint64_t from = 0, to = 0;
  if ((uintptr_t)target % size != 0) { return ADR_INVALID; }
  memcpy(&from, expected, size);
  memcpy(&to, desired, size);
  switch (size) {
  case sizeof(uint64_t):
    from = compare_and_swap_u64(target, from, to);
    break;
  case sizeof(uint32_t):
    from = compare_and_swap_u32(target, (uint32_t)from, (uint32_t)to);
    break;
  default:
    from = compare_and_swap_within(target, (uint32_t)from, (uint32_t)to, (UINT32_C(1) << 8 * size) - 1);
    break;
  }
  memcpy(result, &from, size);
  return 0;
}
