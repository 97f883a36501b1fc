/* adr-layout-dump: prints the layout of a segment. With --crc: the CRC-32C of that text, which is to be
 * ADR_LAYOUT_CRC. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layout/adr_layout_dump.h"

int main(int argc, char **argv) {
  static char text[1 << 16];
  size_t bytes = adr_layout_dump(text, sizeof text);
  if (bytes >= sizeof text) { return 1; }
  if (argc == 2 && strcmp(argv[1], "--crc") == 0) {
    printf("0x%08" PRIx32 "\n", adr_layout_crc(text, bytes));
  } else if (argc == 1) {
    fwrite(text, 1, bytes, stdout);
  } else {
    fprintf(stderr, "usage: adr-layout-dump [--crc]\n");
    return 2;
  }
  return 0;
}
