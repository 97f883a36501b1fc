/* layout_test GOLDEN: the dump equals the golden file, whose CRC-32C is the one that segments carry. */
#include <string.h>

#include "check.h"
#include "layout/adr_layout.h"
#include "layout/adr_layout_dump.h"

static char golden[1 << 16];
static char dump[1 << 16];
static size_t golden_bytes;

static void knows_the_check_value_of_the_crc(void) { CHECK_EQUAL(0xe3069283, adr_layout_crc("123456789", 9)); }

static void dump_equals_the_golden_file(void) {
  size_t bytes = adr_layout_dump(dump, sizeof dump);
  CHECK_EQUAL(golden_bytes, bytes);
  CHECK(memcmp(golden, dump, bytes) == 0);
}

static void crc_constant_is_that_of_the_golden_file(void) {
  CHECK_EQUAL(ADR_LAYOUT_CRC, adr_layout_crc(golden, golden_bytes));
}

static void dump_says_how_much_room_it_needs(void) {
  char little[10];
  CHECK_EQUAL(golden_bytes, adr_layout_dump(little, sizeof little));
  CHECK_EQUAL(9, strlen(little));
}

int main(int argc, char **argv) {
  CHECK_EQUAL(2, argc);
  FILE *file = fopen(argv[1], "rb");
  CHECK(file != NULL);
  golden_bytes = fread(golden, 1, sizeof golden, file);
  fclose(file);
  RUN(knows_the_check_value_of_the_crc);
  RUN(dump_equals_the_golden_file);
  RUN(crc_constant_is_that_of_the_golden_file);
  RUN(dump_says_how_much_room_it_needs);
  return 0;
}
