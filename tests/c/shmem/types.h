/* The types of OpenSHMEM's collectives, written off the tables of the standard 1.6 by hand: X(NAME, TYPE). */
#pragma once

#include <complex.h>

/* Table 3: standard RMA types */
#define RMA_TYPES(X) \
  X(float, float) \
  X(double, double) \
  X(longdouble, long double) \
  X(char, char) \
  X(schar, signed char) \
  X(short, short) \
  X(int, int) \
  X(long, long) \
  X(longlong, long long) \
  X(uchar, unsigned char) \
  X(ushort, unsigned short) \
  X(uint, unsigned int) \
  X(ulong, unsigned long) \
  X(ulonglong, unsigned long long) \
  X(int8, int8_t) \
  X(int16, int16_t) \
  X(int32, int32_t) \
  X(int64, int64_t) \
  X(uint8, uint8_t) \
  X(uint16, uint16_t) \
  X(uint32, uint32_t) \
  X(uint64, uint64_t) \
  X(size, size_t) \
  X(ptrdiff, ptrdiff_t)

/* Types of team-based reductions, by their operators; all but the complex ones are those above. */
#define BITWISE_TYPES(X) \
  X(uchar, unsigned char) \
  X(ushort, unsigned short) \
  X(uint, unsigned int) \
  X(ulong, unsigned long) \
  X(ulonglong, unsigned long long) \
  X(int8, int8_t) \
  X(int16, int16_t) \
  X(int32, int32_t) \
  X(int64, int64_t) \
  X(uint8, uint8_t) \
  X(uint16, uint16_t) \
  X(uint32, uint32_t) \
  X(uint64, uint64_t) \
  X(size, size_t)

/* Those that 1.5 had beside them; also those of active sets. */
#define OLD_BITWISE_TYPES(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)

#define ORDER_TYPES(X) RMA_TYPES(X)

#define ARITHMETIC_TYPES(X) RMA_TYPES(X) X(complexf, float _Complex) X(complexd, double _Complex)

/* Types of the reductions of active sets. */
#define SET_ORDER_TYPES(X) OLD_BITWISE_TYPES(X) X(float, float) X(double, double) X(longdouble, long double)
#define SET_ARITHMETIC_TYPES(X) SET_ORDER_TYPES(X) X(complexf, float _Complex) X(complexd, double _Complex)
