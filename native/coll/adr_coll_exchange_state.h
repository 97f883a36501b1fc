/* What a member's moves in an exchange have. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct adr_exchange_moves {
  int64_t *parts;       /* of this member, where it gives or takes by parts; NULL: it never did */
  bool by_parts;        /* this member gives or takes by parts */
  bool stays;           /* this member's own block is where it is to be */
  bool several_blocks;  /* a giver has another one for each reader */
  uint32_t first_group; /* members of the first of two groups, each of which gives to the other; 0: there are none */
  int32_t way;          /* of what this member gives */
  uint32_t givers;      /* other members that have a block for this one */
  uint32_t readers;     /* other members that this one has a block for */
  int64_t header;       /* bytes before the buffers of a quarter */
  int64_t buffer_bytes;
  int64_t room; /* bytes of each block that go in a round */
  int64_t round;
  int64_t rounds; /* in which this member fills or reads */
  int64_t filled; /* rounds that this member has filled */
  int64_t fills;  /* that it has to fill */
  uint32_t phase;
  uint32_t *left; /* givers whose blocks of this round are not taken yet, so many */
  uint32_t left_count;
  uint32_t at;    /* of these the one that is looked at next; or reader that is waited for */
  uint32_t block; /* that is put next where others read it */
  int64_t kept;   /* bytes of this member's own block that are where they are to be */
  bool writes;    /* this member's block goes to its reader's output */
  bool goes_on;   /* a block of this round has more in the next one */
  bool partly;    /* the block that is taken was read in part */
  bool awaited;   /* a giver may wait until this member has read all */
};
