/* Elements of two buffers combined by an operator: the arithmetic of reductions. Twin of io.adrastea.coll.Combine;
 * tests/coll/combine.golden has what both compute. */
#pragma once

#include <stdint.h>

#include "adrastea/operator.h"

/* target[i] = left[i] op right[i], for `bytes` bytes: whole elements, at any alignment. The target may be the left or
 * the right buffer itself; what overlaps otherwise is not allowed. adr_operator_check has allowed the pair. */
void adr_combine(int32_t op, int32_t element, void *target, const void *left, const void *right, int64_t bytes);
