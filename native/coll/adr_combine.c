#include "coll/adr_combine.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/adr_base.h"

typedef void adr_combine_loop(uint8_t *target, const uint8_t *left, const uint8_t *right, int64_t bytes);
typedef float complex adr_float_complex;
typedef double complex adr_double_complex;
typedef long double adr_long_double;

enum {
  BLOCK = 576,     /* whole lines, and whole elements of any kind */
  AHEAD = 768,     /* bytes between an element that is combined and the lines that are asked for */
  WIDE_FROM = 128, /* bytes from which on wide vectors are looked for */
};

/* No element depends on one before it: the target is an operand itself, or apart from it. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* products of complex numbers stay scalar */
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* A loop over all elements of a type; `result` is made of a and b. The compiler knows that memory may have any
 * alignment, and turns the loop into one of vectors. */
#define LOOP_AS(name, attribute, type, result) \
  attribute static void name(uint8_t *target, const uint8_t *left, const uint8_t *right, int64_t bytes) { \
    typedef type __attribute__((aligned(1), may_alias)) element; \
    element *to = (element *)(void *)target; \
    const element *as = (const element *)(const void *)left; \
    const element *bs = (const element *)(const void *)right; \
    const int64_t count = bytes / (int64_t)sizeof(type); \
    INDEPENDENT \
    for (int64_t i = 0; i < count; i++) { \
      const type a = as[i]; \
      const type b = bs[i]; \
      to[i] = (type)(result); \
    } \
  }

/* Two of them: by the vectors that each CPU has, and by those of 32 bytes that most have. Results are the same, since
 * each element is computed by itself, and products and sums are not contracted (AVX2 alone has no such instruction). */
#if defined(__x86_64__)
#define LOOP(name, type, result) \
  LOOP_AS(name, , type, result) \
  LOOP_AS(name##_wide, __attribute__((target("avx2"))), type, result)
#define WIDE(name) name##_wide
#else
#define LOOP(name, type, result) LOOP_AS(name, , type, result)
#define WIDE(name) name
#endif
#define NARROW(name) name

/* What wraps around is computed unsigned: C leaves the overflow of signed numbers open, and a product of 16-bit numbers
 * is one of int otherwise. Two's complement has the same bits. */
#define INTEGER_LOOPS(bits) \
  LOOP(sum_##bits, uint##bits##_t, a + b) \
  LOOP(prod_##bits, uint##bits##_t, UINT64_C(1) * a * b) \
  LOOP(min_int##bits, int##bits##_t, a < b ? a : b) \
  LOOP(max_int##bits, int##bits##_t, a > b ? a : b) \
  LOOP(min_uint##bits, uint##bits##_t, a < b ? a : b) \
  LOOP(max_uint##bits, uint##bits##_t, a > b ? a : b) \
  LOOP(land_##bits, uint##bits##_t, (a != 0) & (b != 0)) \
  LOOP(lor_##bits, uint##bits##_t, (a | b) != 0) \
  LOOP(lxor_##bits, uint##bits##_t, (a != 0) ^ (b != 0))

INTEGER_LOOPS(8)
INTEGER_LOOPS(16)
INTEGER_LOOPS(32)
INTEGER_LOOPS(64)
LOOP(band, uint8_t, a &b)
LOOP(bor, uint8_t, a | b)
LOOP(bxor, uint8_t, a ^ b)

/* Which of two NaNs an addition returns, and the sign of a new one, differ between CPUs, and compilers exchange
 * operands: the one NaN of Java is the result. */
#define FLOATING_FUNCTIONS(type, word, canonical) \
  union type##_bits { \
    type number; \
    word bits; \
  }; \
  static inline type one_nan_##type(type value) { \
    return value == value ? value : (union type##_bits){.bits = canonical}.number; \
  } \
  /* Numbers that are equal have equal bits, but 0 and -0: -0 is the lesser one, and has the bit of the sign. */ \
  static inline type min_of_##type(type a, type b) { \
    const word both = (union type##_bits){.number = a}.bits | (union type##_bits){.number = b}.bits; \
    const type lesser = a < b ? a : b; \
    return one_nan_##type(a == b ? (union type##_bits){.bits = both}.number : a != a ? a : lesser); \
  } \
  static inline type max_of_##type(type a, type b) { \
    const word both = (union type##_bits){.number = a}.bits & (union type##_bits){.number = b}.bits; \
    const type greater = a > b ? a : b; \
    return one_nan_##type(a == b ? (union type##_bits){.bits = both}.number : a != a ? a : greater); \
  }

FLOATING_FUNCTIONS(float, uint32_t, UINT32_C(0x7fc00000))
FLOATING_FUNCTIONS(double, uint64_t, UINT64_C(0x7ff8000000000000))

#define FLOATING_LOOPS(type) \
  LOOP(sum_##type, type, one_nan_##type(a + b)) \
  LOOP(prod_##type, type, one_nan_##type(a *b)) \
  LOOP(min_##type, type, min_of_##type(a, b)) \
  LOOP(max_##type, type, max_of_##type(a, b))

FLOATING_LOOPS(float)
FLOATING_LOOPS(double)

/* The sum of complex numbers is that of their parts. The product is the one of annex G.5.1 of the C standard: where
 * both parts come out as no numbers though an operand is infinite, or a product of parts has overflowed, the result is
 * infinite. It is written out, so that it has the same bits by each compiler, and in io.adrastea.coll.ComplexProducts.
 */
#define COMPLEX_LOOP(type, part) \
  union part##_parts { \
    type##_complex number; \
    part parts[2]; \
  }; \
  /* A part of an operand, with its sign: 0 for no number; where the operand is infinite, 1 for infinity and 0 for all \
   * else. */ \
  static inline part bounded_##part(part value, bool of_infinite) { \
    if (!of_infinite && value == value) { return value; } \
    const part magnitude = isinf(value) ? 1 : 0; \
    return signbit(value) ? -magnitude : magnitude; \
  } \
  /* (a + bi)(c + di), of which both parts have come out as no numbers. */ \
  static __attribute__((noinline, cold)) type##_complex recovered_##part(part a, part b, part c, part d) { \
    const bool left_infinite = isinf(a) || isinf(b); \
    const bool right_infinite = isinf(c) || isinf(d); \
    const bool overflows = isinf(a * c) || isinf(b * d) || isinf(a * d) || isinf(b * c); \
    const part none = one_nan_##part((part)NAN); \
    if (!left_infinite && !right_infinite && !overflows) { \
      return (union part##_parts){.parts = {none, none}}.number; \
    } \
    const part p = bounded_##part(a, left_infinite), q = bounded_##part(b, left_infinite); \
    const part r = bounded_##part(c, right_infinite), s = bounded_##part(d, right_infinite); \
    return (union part##_parts){ \
        .parts = {one_nan_##part((part)INFINITY * (p * r - q * s)), one_nan_##part((part)INFINITY * (p * s + q * r))}} \
        .number; \
  } \
  static inline type##_complex prod_of_##part(type##_complex left, type##_complex right) { \
    const union part##_parts l = {.number = left}, o = {.number = right}; \
    const part a = l.parts[0], b = l.parts[1], c = o.parts[0], d = o.parts[1]; \
    const part x = a * c - b * d; \
    const part y = a * d + b * c; \
    if (ADR_UNLIKELY(x != x && y != y)) { return recovered_##part(a, b, c, d); } \
    return (union part##_parts){.parts = {one_nan_##part(x), one_nan_##part(y)}}.number; \
  } \
  LOOP(prod_##part##_complex, type##_complex, prod_of_##part(a, b))

COMPLEX_LOOP(adr_float, float)
COMPLEX_LOOP(adr_double, double)

static inline adr_long_double min_of_long_double(adr_long_double a, adr_long_double b) {
  return a == b ? (signbit(a) ? a : b) : a != a || b != b ? (adr_long_double)NAN : a < b ? a : b;
}

static inline adr_long_double max_of_long_double(adr_long_double a, adr_long_double b) {
  return a == b ? (signbit(a) ? b : a) : a != a || b != b ? (adr_long_double)NAN : a > b ? a : b;
}

static inline adr_long_double one_nan_long_double(adr_long_double value) {
  return value == value ? value : (adr_long_double)NAN;
}

/* Bytes of an element that belong to no number are 0 in results. */
#define LONG_DOUBLE_LOOP(name, result) \
  static void name(uint8_t *target, const uint8_t *left, const uint8_t *right, int64_t bytes) { \
    for (int64_t at = 0; at < bytes; at += (int64_t)sizeof(adr_long_double)) { \
      adr_long_double a, b, combined; \
      memcpy(&a, left + at, sizeof a); \
      memcpy(&b, right + at, sizeof b); \
      memset(target + at, 0, sizeof combined); \
      combined = result; \
      memcpy(target + at, &combined, LONG_DOUBLE_BYTES); \
    } \
  }
#if defined(__x86_64__)
enum { LONG_DOUBLE_BYTES = 10 };
#else
enum { LONG_DOUBLE_BYTES = sizeof(adr_long_double) };
#endif

LONG_DOUBLE_LOOP(sum_long_double, one_nan_long_double(a + b))
LONG_DOUBLE_LOOP(prod_long_double, one_nan_long_double(a *b))
LONG_DOUBLE_LOOP(min_long_double, min_of_long_double(a, b))
LONG_DOUBLE_LOOP(max_long_double, max_of_long_double(a, b))

/* Takes the one of two pairs whose value `result` is, and the lower index where both have it. */
#define PAIR_LOOP(name, pair, result, is) \
  static void name(uint8_t *target, const uint8_t *left, const uint8_t *right, int64_t bytes) { \
    for (int64_t at = 0; at < bytes; at += (int64_t)sizeof(struct pair)) { \
      struct pair a, b, combined; \
      memcpy(&a, left + at, sizeof a); \
      memcpy(&b, right + at, sizeof b); \
      combined.value = result(a.value, b.value); \
      const bool is_left = is(a.value, combined.value); \
      const bool is_right = is(b.value, combined.value); \
      combined.index = is_left && (!is_right || a.index < b.index) ? a.index : b.index; \
      memcpy(target + at, &combined, sizeof combined); \
    } \
  }

#define LESSER(a, b) ((a) < (b) ? (a) : (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define IS_SAME(a, b) ((a) == (b))

/* Whether two numbers have the same bits, where all that is not a number has those of one. */
static inline bool is_float(float a, float b) {
  const union float_bits one = {.number = one_nan_float(a)}, other = {.number = b};
  return one.bits == other.bits;
}

static inline bool is_double(double a, double b) {
  const union double_bits one = {.number = one_nan_double(a)}, other = {.number = b};
  return one.bits == other.bits;
}

PAIR_LOOP(minloc_short, adr_short_int, LESSER, IS_SAME)
PAIR_LOOP(maxloc_short, adr_short_int, GREATER, IS_SAME)
PAIR_LOOP(minloc_int, adr_int_int, LESSER, IS_SAME)
PAIR_LOOP(maxloc_int, adr_int_int, GREATER, IS_SAME)
PAIR_LOOP(minloc_long, adr_long_int, LESSER, IS_SAME)
PAIR_LOOP(maxloc_long, adr_long_int, GREATER, IS_SAME)
PAIR_LOOP(minloc_float, adr_float_int, min_of_float, is_float)
PAIR_LOOP(maxloc_float, adr_float_int, max_of_float, is_float)
PAIR_LOOP(minloc_double, adr_double_int, min_of_double, is_double)
PAIR_LOOP(maxloc_double, adr_double_int, max_of_double, is_double)

static void replace(uint8_t *target, const uint8_t *left, const uint8_t *right, int64_t bytes) {
  (void)left;
  if (target != right) { memcpy(target, right, (size_t)bytes); }
}

static void keep(uint8_t *target, const uint8_t *left, const uint8_t *right, int64_t bytes) {
  (void)right;
  if (target != left) { memcpy(target, left, (size_t)bytes); }
}

static const struct {
  const char *name;
  int64_t bytes;
} elements[ADR_ELEMENTS] = {
    [ADR_BYTES] = {"bytes", 1},
    [ADR_INT8] = {"int8_t", 1},
    [ADR_INT16] = {"int16_t", 2},
    [ADR_INT32] = {"int32_t", 4},
    [ADR_INT64] = {"int64_t", 8},
    [ADR_UINT8] = {"uint8_t", 1},
    [ADR_UINT16] = {"uint16_t", 2},
    [ADR_UINT32] = {"uint32_t", 4},
    [ADR_UINT64] = {"uint64_t", 8},
    [ADR_FLOAT] = {"float", sizeof(float)},
    [ADR_DOUBLE] = {"double", sizeof(double)},
    [ADR_LONG_DOUBLE] = {"long double", sizeof(long double)},
    [ADR_FLOAT_COMPLEX] = {"float complex", sizeof(float complex)},
    [ADR_DOUBLE_COMPLEX] = {"double complex", sizeof(double complex)},
    [ADR_BOOL] = {"bool", 1},
    [ADR_SHORT_INT] = {"short_int", sizeof(struct adr_short_int)},
    [ADR_INT_INT] = {"int_int", sizeof(struct adr_int_int)},
    [ADR_LONG_INT] = {"long_int", sizeof(struct adr_long_int)},
    [ADR_FLOAT_INT] = {"float_int", sizeof(struct adr_float_int)},
    [ADR_DOUBLE_INT] = {"double_int", sizeof(struct adr_double_int)},
};

_Static_assert(BLOCK % ADR_LINE == 0 && BLOCK % sizeof(long double) == 0 && BLOCK % sizeof(double complex) == 0
                   && BLOCK % sizeof(struct adr_short_int) == 0 && BLOCK % sizeof(struct adr_int_int) == 0
                   && BLOCK % sizeof(struct adr_long_int) == 0 && BLOCK % sizeof(struct adr_double_int) == 0,
               "a block holds whole elements");

static const char *const operators[ADR_OPERATORS] = {
    [ADR_SUM] = "SUM",         [ADR_PROD] = "PROD",   [ADR_MIN] = "MIN",       [ADR_MAX] = "MAX",
    [ADR_LAND] = "LAND",       [ADR_LOR] = "LOR",     [ADR_LXOR] = "LXOR",     [ADR_BAND] = "BAND",
    [ADR_BOR] = "BOR",         [ADR_BXOR] = "BXOR",   [ADR_MINLOC] = "MINLOC", [ADR_MAXLOC] = "MAXLOC",
    [ADR_REPLACE] = "REPLACE", [ADR_NO_OP] = "NO_OP",
};

#define ANY_ELEMENT [ADR_REPLACE] = replace, [ADR_NO_OP] = keep

/* All but MIN and MAX are the same for signed and unsigned numbers; bitwise operators for all widths. `OF` is NARROW
 * or WIDE. */
#define INTEGER_ROW(OF, bits, kind) \
  { \
    [ADR_SUM] = OF(sum_##bits), [ADR_PROD] = OF(prod_##bits), [ADR_MIN] = OF(min_##kind), [ADR_MAX] = OF(max_##kind), \
    [ADR_LAND] = OF(land_##bits), [ADR_LOR] = OF(lor_##bits), [ADR_LXOR] = OF(lxor_##bits), [ADR_BAND] = OF(band), \
    [ADR_BOR] = OF(bor), [ADR_BXOR] = OF(bxor), ANY_ELEMENT \
  }
#define FLOATING_ROW(OF, type) \
  { \
    [ADR_SUM] = OF(sum_##type), [ADR_PROD] = OF(prod_##type), [ADR_MIN] = OF(min_##type), [ADR_MAX] = OF(max_##type), \
    ANY_ELEMENT \
  }
#define PAIR_ROW(type) \
  { [ADR_MINLOC] = minloc_##type, [ADR_MAXLOC] = maxloc_##type, ANY_ELEMENT }

#define ALL_LOOPS(OF) \
  { \
    [ADR_BYTES] = {[ADR_BAND] = OF(band), [ADR_BOR] = OF(bor), [ADR_BXOR] = OF(bxor), ANY_ELEMENT}, \
    [ADR_INT8] = INTEGER_ROW(OF, 8, int8), [ADR_INT16] = INTEGER_ROW(OF, 16, int16), \
    [ADR_INT32] = INTEGER_ROW(OF, 32, int32), [ADR_INT64] = INTEGER_ROW(OF, 64, int64), \
    [ADR_UINT8] = INTEGER_ROW(OF, 8, uint8), [ADR_UINT16] = INTEGER_ROW(OF, 16, uint16), \
    [ADR_UINT32] = INTEGER_ROW(OF, 32, uint32), [ADR_UINT64] = INTEGER_ROW(OF, 64, uint64), \
    [ADR_FLOAT] = FLOATING_ROW(OF, float), [ADR_DOUBLE] = FLOATING_ROW(OF, double), \
    [ADR_LONG_DOUBLE] = FLOATING_ROW(NARROW, long_double), \
    [ADR_FLOAT_COMPLEX] = {[ADR_SUM] = OF(sum_float), [ADR_PROD] = OF(prod_float_complex), ANY_ELEMENT}, \
    [ADR_DOUBLE_COMPLEX] = {[ADR_SUM] = OF(sum_double), [ADR_PROD] = OF(prod_double_complex), ANY_ELEMENT}, \
    [ADR_BOOL] = {[ADR_LAND] = OF(land_8), [ADR_LOR] = OF(lor_8), [ADR_LXOR] = OF(lxor_8), ANY_ELEMENT}, \
    [ADR_SHORT_INT] = PAIR_ROW(short), [ADR_INT_INT] = PAIR_ROW(int), [ADR_LONG_INT] = PAIR_ROW(long), \
    [ADR_FLOAT_INT] = PAIR_ROW(float), [ADR_DOUBLE_INT] = PAIR_ROW(double), \
  }

static adr_combine_loop *const loops[ADR_ELEMENTS][ADR_OPERATORS] = ALL_LOOPS(NARROW);
static adr_combine_loop *const wide_loops[ADR_ELEMENTS][ADR_OPERATORS] = ALL_LOOPS(WIDE);

static bool is_element(int32_t element) { return element >= 0 && element < ADR_ELEMENTS; }

static bool is_operator(int32_t op) { return op > ADR_NO_OPERATOR && op < ADR_OPERATORS; }

int64_t adr_element_bytes(int32_t element) { return is_element(element) ? elements[element].bytes : 0; }

const char *adr_element_name(int32_t element) { return is_element(element) ? elements[element].name : NULL; }

const char *adr_operator_name(int32_t op) { return is_operator(op) ? operators[op] : NULL; }

int32_t adr_operator_check(int32_t op, int32_t element) {
  return is_element(element) && is_operator(op) && loops[element][op] != NULL ? 0 : ADR_INVALID;
}

static bool has_wide(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

static void ask_for_block(const uint8_t *at) {
  for (int line = 0; line < BLOCK; line += ADR_LINE) { adr_prefetch_read(at + line); }
}

/* Operands are often what another CPU has just written. The loops have so many instructions for a line that a CPU sees
 * few lines ahead of them: so these are asked for before. */
void adr_combine(int32_t op, int32_t element, void *target, const void *left, const void *right, int64_t bytes) {
  adr_combine_loop *loop = bytes >= WIDE_FROM && has_wide() ? wide_loops[element][op] : loops[element][op];
  uint8_t *to = target;
  const uint8_t *as = left;
  const uint8_t *bs = right;
  int64_t rest = bytes;
  for (; rest > BLOCK; rest -= BLOCK, to += BLOCK, as += BLOCK, bs += BLOCK) {
    if (rest >= AHEAD + BLOCK) {
      ask_for_block(as + AHEAD);
      ask_for_block(bs + AHEAD);
    }
    loop(to, as, bs, BLOCK);
  }
  loop(to, as, bs, rest);
}
