/* Twin of io.adrastea.layout.RankEntryDescriptor; the rules are in adr_layout.h. */
#pragma once

#include "base/adr_atomic.h"

/* States of a rank. */
enum {
  ADR_RANK_ABSENT = 0,
  ADR_RANK_JOINING = 1,  /* identity written, area not yet ready */
  ADR_RANK_ATTACHED = 2, /* area reserved and formatted */
  ADR_RANK_LEFT = 3,     /* closed its job in order */
  ADR_RANK_FAILED = 4,   /* gave up joining, or was found dead */
};

/* Flags of a rank. */
enum {
  ADR_RANK_WAKEABLE = 1, /* sleeps on its doorbell's futex and can be woken */
  ADR_RANK_WAKER = 2,    /* can wake a sleeper */
  ADR_RANK_THREAD = 4,   /* a thread of a process that holds several ranks */
  ADR_RANK_ABORT = 8,    /* it has failed, and wants the whole job to end */
};

/* What a rank can do beyond plain messages, the barrier and shared memory, which every rank has. */
enum {
  ADR_RANK_CAN_MATCH = 1,        /* takes messages by context, source and tag in any order */
  ADR_RANK_CAN_RENDEZVOUS = 2,   /* answers offers of large messages */
  ADR_RANK_CAN_SYNCHRONOUS = 4,  /* tells the sender when a message is received */
  ADR_RANK_CAN_COLLECTIVES = 8,  /* takes part in collectives */
  ADR_RANK_CAN_WINDOWS = 16,     /* takes part in windows */
  ADR_RANK_CAN_SHMEM = 32,       /* has a symmetric heap */
  ADR_RANK_CAN_CHECK_TYPES = 64, /* takes in the types of messages */
  ADR_RANK_CAN_ACTIVE = 128,     /* takes in active messages */
};

/* What a rank says in `waiting`: the call in bits 56 to 63, how often it has told so in 48 to 55, the rank that it
 * waits for, plus 1, or 0 for any, or all, in 32 to 47, and the tag, or -1 for any, in 0 to 31. Or, in the place of the
 * call, that it moves bytes: how often it has told so is in bits 0 to 31 then, and in 32 to 47 what they are of. */
enum {
  ADR_RANK_IN_RECEIVE = 1,
  ADR_RANK_IN_SEND = 2,
  ADR_RANK_IN_CLAIM = 3,
  ADR_RANK_IN_PROBE = 4,
  ADR_RANK_IN_BARRIER = 5,
  ADR_RANK_IN_REQUESTS = 6, /* for one of several */
  ADR_RANK_IN_MEMORY = 7,   /* for words in shared memory that the rank writes */
  ADR_RANK_IN_COLLECTIVE = 8,
  ADR_RANK_MOVES_MESSAGES = 9,     /* to or from one rank, whose number plus 1 it is */
  ADR_RANK_MOVES_COLLECTIVES = 10, /* of one communicator, whose number it is */
  ADR_RANK_MOVES_SEVERAL = 11,     /* several of these */
  ADR_RANK_IN_WINDOW = 12,         /* waits for what the rank does in an epoch of a window */
};

/* Cores, as the rank table names them. */
enum { ADR_CORE_C = 1, ADR_CORE_FFM = 2, ADR_CORE_JNI = 3, ADR_CORE_JNA = 4, ADR_CORE_JAVA = 5 };

/* One rank in the rank table. */
struct adr_rank_entry {
  /* block 0, writer: the rank; `state` also by a rank that finds it dead */
  adr_atomic_u32 state;
  uint32_t flags;
  uint32_t pid;
  uint32_t core;
  uint64_t start_time;        /* of the process, clock ticks since boot */
  uint64_t pid_namespace;     /* inode of the PID namespace that `pid` belongs to */
  int32_t cpu;                /* the one CPU it is pinned to, or -1 */
  uint32_t cpu_count;         /* CPUs it may run on */
  uint32_t cpu_quota;         /* hundredths of a CPU that its control group may use; 0: no limit */
  adr_atomic_u32 running_cpu; /* CPU that it ran on when it last gave way, plus 1; 0: not known. A hint */
  adr_atomic_u64 waiting; /* what it has been waiting for, for long, or what it moves; 0: nothing. One word, without an
                             order: it is only told */
  uint32_t capabilities;  /* ADR_RANK_CAN_... */
  uint8_t reserved0[4];
  adr_atomic_u64 gave_way; /* when it last yielded or slept, or until when it is taken to be at work after such a wait
                              [ns of CLOCK_MONOTONIC]; 0: never. A hint */
  uint8_t reserved3[56];
  /* block 1, writer: the rank, around its enqueues */
  adr_atomic_u64 intent_queue;
  adr_atomic_u64 intent_cell;
  adr_atomic_u64 intent_generation;
  uint8_t reserved1[104];
  /* block 2, writers: every rank that rings, and the sleeper */
  adr_atomic_u32 doorbell_word; /* futex */
  adr_atomic_u32 doorbell_sleeping;
  adr_atomic_u32 doorbell_fenced; /* 1: the rank fences what it gives before it looks for sleepers */
  adr_atomic_u32 sleeps_on_words; /* 1: the rank sleeps, or is about to, until words change that others write */
  uint8_t reserved2[112];
  /* block 3, writers: every rank that rings, and the owner: bit s: the box of source s is active, or wanted */
  adr_atomic_u64 doorbell_active[16];
  /* block 4, writer: the rank: bit c: it may run on CPU c */
  uint64_t cpus[16];
  /* blocks 5 and 6, writer: the rank, before it says that it has failed: why. UTF-8, at least one NUL at its end;
   * empty: it did not say */
  adr_atomic_u64 reason[32];
};
#define ADR_RANK_REASON_BYTES 256
#define ADR_RANK_ENTRY_BYTES 896
#define ADR_RANK_ENTRY_FIELDS(X) \
  X(rank_entry, state, 0, 4) \
  X(rank_entry, flags, 4, 4) \
  X(rank_entry, pid, 8, 4) \
  X(rank_entry, core, 12, 4) \
  X(rank_entry, start_time, 16, 8) \
  X(rank_entry, pid_namespace, 24, 8) \
  X(rank_entry, cpu, 32, 4) \
  X(rank_entry, cpu_count, 36, 4) \
  X(rank_entry, cpu_quota, 40, 4) \
  X(rank_entry, running_cpu, 44, 4) \
  X(rank_entry, waiting, 48, 8) \
  X(rank_entry, capabilities, 56, 4) \
  X(rank_entry, reserved0, 60, 4) \
  X(rank_entry, gave_way, 64, 8) \
  X(rank_entry, reserved3, 72, 56) \
  X(rank_entry, intent_queue, 128, 8) \
  X(rank_entry, intent_cell, 136, 8) \
  X(rank_entry, intent_generation, 144, 8) \
  X(rank_entry, reserved1, 152, 104) \
  X(rank_entry, doorbell_word, 256, 4) \
  X(rank_entry, doorbell_sleeping, 260, 4) \
  X(rank_entry, doorbell_fenced, 264, 4) \
  X(rank_entry, sleeps_on_words, 268, 4) \
  X(rank_entry, reserved2, 272, 112) \
  X(rank_entry, doorbell_active, 384, 128) \
  X(rank_entry, cpus, 512, 128) \
  X(rank_entry, reason, 640, 256)
