/* Words of others in a message: a question mark goes in the place of what does not belong there. Twin of
 * io.adrastea.bootstrap.PlainText. */
#pragma once

#include <stddef.h>

/* Replaces what ends lines or commands a terminal. */
static inline void adr_plain_text(char *text) {
  for (; *text != '\0'; text++) {
    if ((unsigned char)*text < ' ' || *text == 0x7f) { *text = '?'; }
  }
}

/* Replaces all that is not printable in ASCII, for bytes whose encoding nobody knows, and ends the text behind them. */
static inline void adr_plain_text_ascii(char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] < ' ' || text[i] > '~') { text[i] = '?'; }
  }
  text[length] = '\0';
}
