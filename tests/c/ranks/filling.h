/* Contents that the receiver of a message can tell by a number. Twin of io.adrastea.it.Filling. */
#pragma once

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finaliser of SplitMix64. */
static inline uint64_t filling_word(uint64_t number, uint64_t index) {
  uint64_t z = number * UINT64_C(0x9e3779b97f4a7c15) + (index + 1) * UINT64_C(0xd1342543de82ef95);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline void filling_write(uint8_t *to, uint64_t bytes, uint64_t number) {
  uint64_t words = bytes / 8;
  for (uint64_t i = 0; i < words; i++) {
    uint64_t word = filling_word(number, i);
    memcpy(to + i * 8, &word, 8);
  }
  for (uint64_t at = words * 8; at < bytes; at++) { to[at] = (uint8_t)filling_word(number, at); }
}

static inline void filling_require(int same, uint64_t at, uint64_t bytes, uint64_t number) {
  if (!same) {
    fprintf(stderr, "message with number %lld: wrong at byte %llu of %llu\n", (long long)number, (unsigned long long)at,
            (unsigned long long)bytes);
    exit(1);
  }
}

static inline void filling_check(const uint8_t *found, uint64_t bytes, uint64_t number) {
  uint64_t words = bytes / 8;
  for (uint64_t i = 0; i < words; i++) {
    uint64_t word = filling_word(number, i);
    filling_require(memcmp(found + i * 8, &word, 8) == 0, i * 8, bytes, number);
  }
  for (uint64_t at = words * 8; at < bytes; at++) {
    filling_require(found[at] == (uint8_t)filling_word(number, at), at, bytes, number);
  }
}
