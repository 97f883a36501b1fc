#include "bootstrap/adr_rendezvous_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap/adr_plain_text.h"

#define GREETING "adrastea "
#define JOB "job "
#define REFUSED "refused "

enum { MOST_DIGITS = 9, HEX_DIGITS = 16 };

size_t adr_rendezvous_write_hello(char line[ADR_RENDEZVOUS_LINE], const struct adr_rendezvous_hello *hello) {
  return (size_t)snprintf(line, ADR_RENDEZVOUS_LINE,
                          GREETING "%" PRIu32 " rank=%" PRIu32 " size=%" PRIu32 " node=%s%s%s\n", hello->version,
                          hello->rank, hello->size, hello->node, *hello->job == '\0' ? "" : " job=", hello->job);
}

bool adr_rendezvous_may_be_hello(const char *bytes, size_t length) {
  size_t common = length < strlen(GREETING) ? length : strlen(GREETING);
  return memcmp(bytes, GREETING, common) == 0;
}

static bool take_word(const char **at, const char *word) {
  if (strncmp(*at, word, strlen(word)) != 0) { return false; }
  *at += strlen(word);
  return true;
}

static bool take_number(const char **at, uint32_t *number) {
  size_t digits = strspn(*at, "0123456789");
  if (digits < 1 || digits > MOST_DIGITS) { return false; }
  *number = (uint32_t)strtoul(*at, NULL, 10);
  *at += digits;
  return true;
}

/* How many printable characters there are before a blank or something else. */
static size_t word_length(const char *at) {
  size_t length = 0;
  while (at[length] > ' ' && at[length] <= '~') { length++; }
  return length;
}

static bool take_node(const char **at, char node[ADR_NODE_TEXT]) {
  size_t length = word_length(*at);
  if (length < 1 || length >= ADR_NODE_TEXT) { return false; }
  memcpy(node, *at, length);
  node[length] = '\0';
  *at += length;
  return true;
}

/* Takes the links of a rank in Java to other nodes, if it has any; a C rank has none. */
static bool take_links(const char **at) {
  if (!take_word(at, " links=")) { return true; }
  size_t length = word_length(*at);
  *at += length;
  return length >= 1 && length < ADR_NODE_TEXT;
}

/* Takes the rest: nothing, or the number of the job. */
static bool take_job(const char *at, char job[ADR_RENDEZVOUS_JOB_TEXT]) {
  *job = '\0';
  if (*at == '\0') { return true; }
  if (!take_word(&at, " job=") || strlen(at) != HEX_DIGITS || strspn(at, "0123456789abcdef") != HEX_DIGITS) {
    return false;
  }
  memcpy(job, at, ADR_RENDEZVOUS_JOB_TEXT);
  return true;
}

bool adr_rendezvous_read_hello(struct adr_rendezvous_hello *hello, const char *line) {
  const char *at = line;
  if (!take_word(&at, GREETING) || !take_number(&at, &hello->version)) { return false; }
  if (hello->version != ADR_RENDEZVOUS_VERSION) { return *at == ' ' || *at == '\0'; }
  return take_word(&at, " rank=") && take_number(&at, &hello->rank) && take_word(&at, " size=")
         && take_number(&at, &hello->size) && take_word(&at, " node=") && take_node(&at, hello->node) && take_links(&at)
         && take_job(at, hello->job);
}

size_t adr_rendezvous_write_job(char line[ADR_RENDEZVOUS_LINE], uint64_t job) {
  return (size_t)snprintf(line, ADR_RENDEZVOUS_LINE, JOB "%016" PRIx64 "\n", job);
}

size_t adr_rendezvous_write_refusal(char line[ADR_RENDEZVOUS_LINE], const char *words) {
  int most = ADR_RENDEZVOUS_LINE - (int)sizeof REFUSED - 1; /* with the line's end and that of the text */
  return (size_t)snprintf(line, ADR_RENDEZVOUS_LINE, REFUSED "%.*s\n", most, words);
}

enum adr_rendezvous_answer adr_rendezvous_read_answer(const char *line, uint64_t *job, const char **words) {
  const char *at = line;
  if (take_word(&at, JOB) && strlen(at) == HEX_DIGITS && strspn(at, "0123456789abcdef") == HEX_DIGITS) {
    *job = strtoull(at, NULL, 16);
    return ADR_RENDEZVOUS_JOB;
  }
  at = line;
  if (!take_word(&at, REFUSED) || *at == '\0') { return ADR_RENDEZVOUS_NO_ANSWER; }
  *words = at;
  return ADR_RENDEZVOUS_REFUSED;
}

void adr_rendezvous_make_plain(char *text, size_t length) {
  const char *end = memchr(text, '\n', length);
  adr_plain_text_ascii(text, end == NULL ? length : (size_t)(end - text));
}
