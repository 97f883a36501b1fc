/* Version of the library, and what marks a function as exported. */
#ifndef ADRASTEA_VERSION_H
#define ADRASTEA_VERSION_H

/* Stands on every function of a public header; the export map is made of them. */
#if defined(__GNUC__)
#define ADR_API __attribute__((visibility("default")))
#else
#define ADR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* "major.minor.patch" of the library that was loaded; a static string. */
ADR_API const char *adr_version(void);

/* Version of the segment's layout, and the CRC-32C of its description: processes attach to the same segment
 * only when both are equal. */
ADR_API unsigned adr_layout_version(void);
ADR_API unsigned adr_layout_checksum(void);

#ifdef __cplusplus
}
#endif
#endif
