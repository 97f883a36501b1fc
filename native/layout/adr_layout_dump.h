/* The layout as text: what tests/layout/layout.golden holds and the Java twin (LayoutDump) prints. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Writes the text (`layout_version N`, then `name bytes` per struct and `name.field offset bytes` per field)
 * and a final NUL into `text`. Returns the bytes of the whole text without the NUL; when that is not below
 * `capacity` the text was cut. */
size_t adr_layout_dump(char *text, size_t capacity);

/* CRC-32C (Castagnoli, reflected, as java.util.zip.CRC32C) of `bytes` bytes. */
uint32_t adr_layout_crc(const void *data, size_t bytes);
