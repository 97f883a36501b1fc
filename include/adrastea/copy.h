/* Copies of many bytes inside this process, by the routine that fits their number [Nemesis 2006, 3.3]: which ones there
 * are is found from the CPU at run time, the limits between them from the sizes of its caches. */
#ifndef ADRASTEA_COPY_H
#define ADRASTEA_COPY_H

#include <stdint.h>

#include "adrastea/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies `bytes` bytes from `source` + `source_offset` to `destination` + `destination_offset`, which this CPU reads
 * soon. */
ADR_API void adr_copy(const void *source, int64_t source_offset, void *destination, int64_t destination_offset,
                      int64_t bytes);

/* Copies as adr_copy does, to where this CPU will not read them: from a size on they go past its caches (nontemporal
 * stores and their fence). */
ADR_API void adr_copy_stream(const void *source, int64_t source_offset, void *destination, int64_t destination_offset,
                             int64_t bytes);

/* Writes one line of text to `text`, at most `capacity` bytes with the zero at its end: which routine copies from how
 * many bytes on, and the cache sizes that the limits come from. Returns the length of the whole line. */
ADR_API int32_t adr_copy_describe(char *text, int32_t capacity);

#ifdef __cplusplus
}
#endif
#endif
