/* What collectives compute with: the kinds of elements, and the operators that combine two of them. The
 * numbers stand in shared memory; Java has the same ones, io.adrastea.coll.ElementKind and Operator. */
#ifndef ADRASTEA_OPERATOR_H
#define ADRASTEA_OPERATOR_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of elements. Java has no kind for unsigned numbers but its char, ADR_UINT16, and none for long double: it
 * refuses those. */
enum adr_element {
  ADR_BYTES = 0, /* no kind: bytes that only bitwise operators combine */
  ADR_INT8 = 1,
  ADR_INT16 = 2,
  ADR_INT32 = 3,
  ADR_INT64 = 4,
  ADR_UINT8 = 5,
  ADR_UINT16 = 6, /* a char of Java */
  ADR_UINT32 = 7,
  ADR_UINT64 = 8,
  ADR_FLOAT = 9,
  ADR_DOUBLE = 10,
  ADR_LONG_DOUBLE = 11,
  ADR_FLOAT_COMPLEX = 12,
  ADR_DOUBLE_COMPLEX = 13,
  ADR_BOOL = 14,      /* one byte: false is 0; results are 0 or 1 */
  ADR_SHORT_INT = 15, /* struct adr_short_int: a value and an index, as those that follow */
  ADR_INT_INT = 16,
  ADR_LONG_INT = 17,
  ADR_FLOAT_INT = 18,
  ADR_DOUBLE_INT = 19,
  ADR_ELEMENTS, /* how many kinds there are */
};

/* Pairs of a value and an index, as Java packs them: no byte lies between them, or behind. */
struct adr_short_int {
  int16_t value;
  int32_t index;
} __attribute__((packed));

struct adr_int_int {
  int32_t value;
  int32_t index;
} __attribute__((packed));

struct adr_long_int {
  int64_t value;
  int32_t index;
} __attribute__((packed));

struct adr_float_int {
  float value;
  int32_t index;
} __attribute__((packed));

struct adr_double_int {
  double value;
  int32_t index;
} __attribute__((packed));

/* Operators. Integers wrap around. MIN and MAX of floating-point numbers are Java's Math.min and Math.max: -0 is below
 * 0, and NaN wins. A result that is not a number is always the same NaN, of positive sign and without payload. The
 * product of complex numbers is that of annex G.5.1 of the C standard, each operation rounded by itself. So results are
 * equal bit for bit on every CPU, and in C and Java. */
enum adr_operator {
  ADR_NO_OPERATOR = 0,
  ADR_SUM = 1,  /* of numbers: integers, floating-point and complex ones */
  ADR_PROD = 2, /* of numbers */
  ADR_MIN = 3,  /* of integers and floating-point numbers */
  ADR_MAX = 4,  /* of integers and floating-point numbers */
  ADR_LAND = 5, /* of integers and booleans; any integer but 0 is true, results are 0 or 1 */
  ADR_LOR = 6,
  ADR_LXOR = 7,
  ADR_BAND = 8, /* of integers and bytes */
  ADR_BOR = 9,
  ADR_BXOR = 10,
  ADR_MINLOC = 11,         /* of pairs: the least value, in the order of MIN; of those that have it the lowest index */
  ADR_MAXLOC = 12,         /* of pairs: the greatest value, in the order of MAX, likewise */
  ADR_REPLACE = 13,        /* of all elements: the right one, so that a reduction gives that of the highest rank */
  ADR_NO_OP = 14,          /* of all elements: the left one; reductions refuse it */
  ADR_OPERATORS,           /* how many numbers of predefined operators there are */
  ADR_USER_OPERATOR = 255, /* one of a Java program's own, which no C rank can run */
};

/* Bytes of one element; 0: there is no such kind. */
ADR_API int64_t adr_element_bytes(int32_t element);

/* "double"; NULL: there is no such kind. */
ADR_API const char *adr_element_name(int32_t element);

/* "SUM"; NULL: there is no such operator. */
ADR_API const char *adr_operator_name(int32_t op);

/* Whether an operator has a meaning for a kind of elements: 0, or -EINVAL. */
ADR_API int32_t adr_operator_check(int32_t op, int32_t element);

#ifdef __cplusplus
}
#endif
#endif
