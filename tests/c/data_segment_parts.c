#include "data_segment_parts.h"

long far_variable = 1000;

int *hidden_variable(void) {
  static int hidden = 42;
  return &hidden;
}
