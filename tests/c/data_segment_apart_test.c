/* A program whose variables lie in two stretches, by a word to the linker: they are refused by name. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "libshmem/adr_data_segment.h"

__attribute__((section(".far"))) int far_apart = 1;
int near = 2;

int main(void) {
  struct adr_data_segment data;
  char why[300];
  CHECK(&far_apart - &near > 1 << 20);
  CHECK_EQUAL(-ENOTSUP, adr_data_segment_find(&data, why, sizeof why));
  CHECK(data.start == NULL);
  CHECK(strstr(why, "2 stretches") != NULL);
  return 0;
}
