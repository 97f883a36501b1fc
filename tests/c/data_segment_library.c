#include "data_segment_parts.h"

__attribute__((visibility("default"))) int library_variable = 3;

__attribute__((visibility("default"))) int *library_variable_address(void) { return &library_variable; }

__attribute__((visibility("default"))) int *library_static_address(void) {
  static int of_library = 4;
  return &of_library;
}
