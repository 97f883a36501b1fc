/* The fastbox: native/fastbox/adr_outbox.h, adr_inbox.h and what channel/adr_channel_send.c does with it (Outbox.java,
 * Inbox.java).
 *
 * A writer sends MESSAGES messages of several lengths through a ring, alone on their lines or packed, in bursts
 * or one by one, and some by queue; it may abort a claim, and die at any step. The reader takes them in the
 * order of their numbers, holds up to two now and then and gives them back later, in any order, and tells late
 * what it has released.
 *
 * Checked: the reader never takes anything else for a header than the one it waits for (a word of payload looks
 * like any header that it could wait for); it reads the payload of that message, also when it has held it for
 * long; every message that was shown arrives, once and in order, and after the writer's death nothing more;
 * `freed` stays behind `position`; nothing hangs.
 *
 * Scale: a place stands for 8 bytes, except that header and match are one place; a line has LINE places, the
 * ring RING. Positions and numbers do not wrap (in the code they have 64 and 44 bits), the ring does. Memory is
 * sequentially consistent, see docs/memory-model.md for the orders. Size: quick a ring of 4 lines of 2 places,
 * 4 messages of 0, 1 or 3 places; proof: CMakeLists.txt. */
#ifndef MESSAGES
#define MESSAGES 4
#define RING 8
#define LINE 2
#endif
#define MASK (RING - 1)
#define LONG 3 /* payload of a message of more than one line */

/* Words of the ring: 0, a header, or payload. */
#define KIND_FIRST 0
#define KIND_PAD 1
#define KIND_RELEASED 2
#define HEADER(sequence, kind) ((sequence) * 4 + (kind))
#define PAYLOAD(sequence) (128 + (sequence))
#define GARBAGE 255
#define IS_HEADER(word) ((word) < 128)
#define SEQUENCE(word) ((word) / 4)
#define KIND(word) ((word) % 4)

byte ring[RING];
byte released;          /* the box entry's word */
byte length_of[MESSAGES + 1]; /* the rest of a header: it is stored with it in one word */
bool packed_of[MESSAGES + 1];
bool by_queue[MESSAGES + 2];  /* the message with this number is in the queue */
byte shown;             /* ghost: messages up to this number can be seen */
bool writer_over;

c_decl {
  static unsigned long cases_seen;
  static void case_reached(int number, const char *name) {
    if (!(cases_seen >> number & 1)) {
      cases_seen |= 1ul << number;
      printf("reached %d: %s\n", number, name);
    }
  }
};

#define AT(position) ring[(position) & MASK]
#define ALIGN_UP(x, to) (((x) + (to) - 1) / (to) * (to))
#define END(begin, length, packed) ((packed) -> ALIGN_UP((begin) + 1 + (length), 1) : ALIGN_UP((begin) + 1 + (length), LINE))
#define STEP(what) if :: atomic { goto gone } :: what fi

/* adr_outbox_find_released */
inline find_released(up_to) {
  STEP(d_step {
    told = released;
    room = told + RING;
#ifdef MUTANT_ROOM_UNCHECKED
    room = room + LINE;
#endif
    behind = position - told > MASK / 2
  });
  fits = up_to + 1 <= room
}

/* adr_outbox_find */
inline find(packing) {
  d_step {
    packed = packing;
    begin = position;
    left = RING - (begin & MASK);
    if :: 1 + length > left -> begin = begin + left :: else fi;
    end_at = END(begin, length, packed);
    fits = end_at + 1 <= room
  };
  if :: !fits -> find_released(end_at) :: else fi
}

/* adr_outbox_fill: the first line last */
inline fill(with) {
  i = length;
  do
  :: i > 0 -> STEP(d_step { AT(begin + i) = with; i-- })
  :: else -> break
  od
}

/* adr_outbox_publish; `shown` rises with what the reader can see now. */
inline publish(place, header) {
  if
  :: burst && withheld == 0 -> d_step { withheld = header; withheld_at = place }
  :: burst && withheld != 0 -> STEP(AT(place) = header)
  :: else -> STEP(d_step { AT(place) = header; shown = sequence })
  fi
}

inline show_withheld() {
  if
  :: withheld != 0 -> STEP(d_step { AT(withheld_at) = withheld; withheld = 0; withheld_at = 0; shown = sequence - 1 })
  :: else
  fi
}

inline zero(place) {
  STEP(AT(place) = 0)
}

/* adr_outbox_commit */
inline commit() {
  atomic { length_of[sequence] = length; packed_of[sequence] = packed };
#ifndef MUTANT_NO_ZERO
#ifndef MUTANT_ZERO_LATE
#ifdef MUTANT_ZERO_PACKED_ONLY
  if :: packed -> zero(end_at) :: else fi;
#else
  if :: packed || (end_at < stale && end_at != clean) -> zero(end_at) :: else fi;
#endif
#endif
#endif
  d_step {
    if :: packed || begin % LINE + 1 + length > LINE || position != begin -> stale = end_at + RING :: else fi;
    pad_at = position;
    position = end_at
  };
  if
  :: pad_at == begin -> publish(begin, HEADER(sequence, KIND_FIRST))
  :: else ->
     c_code { case_reached(1, "a pad before the wrap"); };
#ifdef MUTANT_PAD_FIRST
     publish(pad_at, HEADER(sequence, KIND_PAD));
     STEP(AT(begin) = HEADER(sequence, KIND_FIRST))
#else
     STEP(AT(begin) = HEADER(sequence, KIND_FIRST));
     publish(pad_at, HEADER(sequence, KIND_PAD))
#endif
  fi;
#ifdef MUTANT_ZERO_LATE
  if :: packed || (end_at < stale && end_at != clean) -> zero(end_at) :: else fi;
#endif
  if
  :: !packed && end_at - begin > LINE -> prepare() /* when it was heard of the reader since, which the code looks at */
  :: true
  fi
}

/* adr_outbox_prepare, for a message of more than one line: what it does to shorter ones changes nothing. */
inline prepare() {
  fits = end_at + (end_at - begin) + 1 <= room;
  if :: !fits -> find_released((end_at + (end_at - begin))) :: else fi;
  if
  :: fits ->
     c_code { case_reached(2, "a header place zeroed ahead"); };
     zero((end_at + (end_at - begin)));
     clean = end_at + (end_at - begin)
  :: else
  fi
}

/* adr_outbox_put_line */
inline put_line() {
  begin = position;
  fill(PAYLOAD(sequence));
  atomic { position = position + LINE; length_of[sequence] = length; packed_of[sequence] = false };
  STEP(d_step { AT(begin) = HEADER(sequence, KIND_FIRST); shown = sequence })
}

#ifdef MUTANT_LINE_OVER_STALE
#define LINE_IS_CLEAN true
#else
#define LINE_IS_CLEAN (position + LINE >= stale)
#endif

proctype Writer() {
  byte sequence = 1, length, position, begin, end_at, pad_at, left, room = RING, stale, clean, told, i;
  byte withheld, withheld_at;
  bool packed, behind, burst, fits;
  do
  :: sequence <= MESSAGES ->
     if :: length = 0 :: length = 1 :: length = LONG fi;
     if
     :: length < LINE && position % LINE == 0 && !burst && !behind && LINE_IS_CLEAN && position + LINE + 1 <= room ->
        put_line(); sequence++
     :: sequence < MESSAGES -> /* by queue: what was withheld shows first */
        show_withheld();
        STEP(d_step { by_queue[sequence] = true; shown = sequence; sequence++ })
     :: else ->
        find((behind || burst));
        if :: !fits && !packed && (behind || burst) -> find(true) :: else fi;
        if
        :: fits -> fill(PAYLOAD(sequence)); commit(); sequence++
        :: fits && !burst -> /* a claim, aborted */
           c_code { case_reached(3, "a claim aborted"); };
           fill(GARBAGE);
#ifdef MUTANT_ABORT_FORGETS
           skip
#else
           atomic { stale = end_at + RING; clean = 0 }
#endif
        :: else -> show_withheld(); c_code { case_reached(4, "no room"); }; (released != told) /* the code tries again */
        fi
     fi;
     atomic { length = 0; begin = 0; end_at = 0; pad_at = 0; left = 0; packed = false; fits = false; i = 0 };
     if
     :: burst -> show_withheld(); burst = false
     :: !burst -> burst = true; c_code { case_reached(5, "a burst"); }
     :: true
     fi
  :: else -> break
  od;
  show_withheld();
  writer_over = true; goto over;
gone:
  writer_over = true;
over:
  skip
}

/* Reads the payload of the message that begins at `from`. */
inline read(from, number) {
  i = length_of[number];
  do
  :: i > 0 -> d_step { assert(AT(from + i) == PAYLOAD(number)); i-- }
  :: else -> break
  od
}

inline tell() {
  atomic { told = freed; released = freed }
}

/* adr_inbox_sweep */
inline sweep() {
  do
  :: freed != position ->
     d_step {
       word = AT(freed);
       if
       :: KIND(word) == KIND_PAD -> freed = (freed | MASK) + 1
       :: KIND(word) == KIND_RELEASED -> freed = END(freed, length_of[SEQUENCE(word)], packed_of[SEQUENCE(word)])
       :: else -> word = 0
       fi;
       assert(freed <= position)
     };
     if :: word == 0 -> break :: else fi
  :: else -> break
  od;
  word = 0
}

inline give() {
#ifdef MUTANT_GIVE_ALL
  freed = position;
#else
  sweep();
#endif
  tell()
}

inline mark(place) {
  d_step { assert(IS_HEADER(AT(place)) && KIND(AT(place)) == KIND_FIRST); AT(place) = AT(place) + KIND_RELEASED }
}

/* adr_inbox_poll: `word` is the header of the next message, or 0. What is not the one that is waited for may be
 * anything. */
inline look() {
  d_step { word = AT(position); assert(IS_HEADER(word)); if :: SEQUENCE(word) != expected -> word = 0 :: else fi };
  if
  :: word != 0 && KIND(word) == KIND_PAD ->
     d_step {
       position = (position | MASK) + 1;
       word = AT(position); assert(IS_HEADER(word));
       if :: SEQUENCE(word) != expected -> word = 0 :: else fi;
       assert(word != 0) /* nobody shows a pad before what is behind it */
     }
  :: else
  fi;
  assert(word == 0 || KIND(word) == KIND_FIRST)
}

#define THERE (SEQUENCE(AT(position)) == expected || !IS_HEADER(AT(position)))

proctype Reader() {
  byte expected = 1, position, freed, told, word, begin, i;
  byte held, held_at;   /* the older one that is held: its number, or 0; where */
  byte other, other_at; /* a second one */
  do
  :: by_queue[expected] -> expected++
  :: THERE ->
     look();
     if
     :: word != 0 ->
        d_step { begin = position; position = END(begin, length_of[expected], packed_of[expected]); word = 0 };
        read(begin, expected);
        if
        :: held == 0 -> /* adr_inbox_end */
#ifdef MUTANT_RELEASE_AHEAD
           freed = position + LINE
#else
           freed = position
#endif
        :: held == 0 -> /* adr_inbox_retain */
           d_step { freed = begin; held = expected; held_at = begin }
        :: held != 0 && other == 0 -> d_step { other = expected; other_at = begin }
        :: held != 0 -> c_code { case_reached(6, "given back while an older one is held"); }; mark(begin)
        fi;
        expected++; begin = 0
     :: else
     fi
  :: held != 0 -> /* adr_inbox_release */
     read(held_at, held);
     mark(held_at); atomic { held = other; held_at = other_at; other = 0; other_at = 0 };
     give()
  :: other != 0 ->
     c_code { case_reached(7, "the younger one given back first"); };
     read(other_at, other);
     mark(other_at); atomic { other = 0; other_at = 0 };
     give()
  :: told != freed -> tell()
  :: writer_over && held == 0 && told == freed && !by_queue[expected] && !THERE -> break
  od;
  assert(expected == shown + 1);
  assert(freed == position)
}

init { atomic { run Writer(); run Reader() } }
