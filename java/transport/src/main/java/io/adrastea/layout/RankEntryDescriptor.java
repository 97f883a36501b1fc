package io.adrastea.layout;

/** One rank in the rank table. Twin of {@code struct adr_rank_entry}; writers and drawings in docs/layout.md. */
public final class RankEntryDescriptor {
  /** Nobody yet. */
  public static final int STATE_ABSENT = 0;

  /** Identity written, area not yet ready. */
  public static final int STATE_JOINING = 1;

  /** Area reserved and formatted. */
  public static final int STATE_ATTACHED = 2;

  /** Closed its job in order. */
  public static final int STATE_LEFT = 3;

  /** Gave up joining, or was found dead. */
  public static final int STATE_FAILED = 4;

  /** Sleeps on its doorbell's futex and can be woken. */
  public static final int FLAG_WAKEABLE = 1;

  /** Can wake a sleeper. */
  public static final int FLAG_WAKER = 2;

  /** A thread of a process that holds several ranks. */
  public static final int FLAG_THREAD = 4;

  /** It has failed, and wants the whole job to end. */
  public static final int FLAG_ABORT = 8;

  /** In {@code capabilities}: takes messages by context, source and tag in any order. */
  public static final int CAN_MATCH = 1;

  /** Answers offers of large messages. */
  public static final int CAN_RENDEZVOUS = 2;

  /** Tells the sender when a message is received. */
  public static final int CAN_SYNCHRONOUS = 4;

  /** Takes part in collectives. */
  public static final int CAN_COLLECTIVES = 8;

  /** Takes part in windows. */
  public static final int CAN_WINDOWS = 16;

  /** Has a symmetric heap. */
  public static final int CAN_SHMEM = 32;

  /** Takes in the types of messages. */
  public static final int CAN_CHECK_TYPES = 64;

  /** Takes in active messages. */
  public static final int CAN_ACTIVE = 128;

  /** In {@code core}: a C program. */
  public static final int CORE_C = 1;

  /**
   * In {@code waiting}: the call in bits 56 to 63, how often the rank has told so in 48 to 55, the rank that it waits
   * for, plus 1, in 32 to 47 (0: any, or all), the tag in 0 to 31 (-1: any).
   */
  public static final int IN_RECEIVE = 1;

  public static final int IN_SEND = 2;
  public static final int IN_CLAIM = 3;
  public static final int IN_PROBE = 4;
  public static final int IN_BARRIER = 5;

  /** Waits for one of several. */
  public static final int IN_REQUESTS = 6;

  /** Waits for words in shared memory that the rank writes. */
  public static final int IN_MEMORY = 7;

  /** Waits for what the rank does in a collective. */
  public static final int IN_COLLECTIVE = 8;

  /**
   * In {@code waiting} in the place of the call: the rank moves bytes. How often it has told so is in bits 0 to 31, and
   * in 32 to 47 what they are of: here messages to or from one rank, whose number plus 1 it is.
   */
  public static final int MOVES_MESSAGES = 9;

  /** Collectives of one communicator, whose number it is. */
  public static final int MOVES_COLLECTIVES = 10;

  /** Several of these. */
  public static final int MOVES_SEVERAL = 11;

  /** As {@link #IN_RECEIVE}: waits for what the rank does in an epoch of a window. */
  public static final int IN_WINDOW = 12;

  public static final int STATE_OFFSET = 0;
  public static final int FLAGS_OFFSET = 4;
  public static final int PID_OFFSET = 8;
  public static final int CORE_OFFSET = 12;
  public static final int START_TIME_OFFSET = 16;
  public static final int PID_NAMESPACE_OFFSET = 24;
  public static final int CPU_OFFSET = 32;
  public static final int CPU_COUNT_OFFSET = 36;
  public static final int CPU_QUOTA_OFFSET = 40;
  public static final int RUNNING_CPU_OFFSET = 44;
  public static final int WAITING_OFFSET = 48;
  public static final int CAPABILITIES_OFFSET = 56;
  public static final int GAVE_WAY_OFFSET = 64;
  public static final int INTENT_QUEUE_OFFSET = 128;
  public static final int INTENT_CELL_OFFSET = 136;
  public static final int INTENT_GENERATION_OFFSET = 144;
  public static final int DOORBELL_WORD_OFFSET = 256;
  public static final int DOORBELL_SLEEPING_OFFSET = 260;
  public static final int DOORBELL_FENCED_OFFSET = 264;
  public static final int SLEEPS_ON_WORDS_OFFSET = 268;
  public static final int DOORBELL_ACTIVE_OFFSET = 384;
  public static final int CPUS_OFFSET = 512;
  public static final int REASON_OFFSET = 640;

  /** CPUs that {@code cpus} can name. */
  public static final int MAX_CPUS = 1024;

  /** Bytes of {@code reason}: UTF-8, at least one NUL at its end. */
  public static final int REASON_BYTES = 256;

  /** Bytes of the struct. */
  public static final int BYTES = 896;

  static final StructLayout LAYOUT =
      new StructLayout("rank_entry", BYTES)
          .field("state", STATE_OFFSET, 4)
          .field("flags", FLAGS_OFFSET, 4)
          .field("pid", PID_OFFSET, 4)
          .field("core", CORE_OFFSET, 4)
          .field("start_time", START_TIME_OFFSET, 8)
          .field("pid_namespace", PID_NAMESPACE_OFFSET, 8)
          .field("cpu", CPU_OFFSET, 4)
          .field("cpu_count", CPU_COUNT_OFFSET, 4)
          .field("cpu_quota", CPU_QUOTA_OFFSET, 4)
          .field("running_cpu", RUNNING_CPU_OFFSET, 4)
          .field("waiting", WAITING_OFFSET, 8)
          .field("capabilities", CAPABILITIES_OFFSET, 4)
          .field("reserved0", 60, 4)
          .field("gave_way", GAVE_WAY_OFFSET, 8)
          .field("reserved3", 72, 56)
          .field("intent_queue", INTENT_QUEUE_OFFSET, 8)
          .field("intent_cell", INTENT_CELL_OFFSET, 8)
          .field("intent_generation", INTENT_GENERATION_OFFSET, 8)
          .field("reserved1", 152, 104)
          .field("doorbell_word", DOORBELL_WORD_OFFSET, 4)
          .field("doorbell_sleeping", DOORBELL_SLEEPING_OFFSET, 4)
          .field("doorbell_fenced", DOORBELL_FENCED_OFFSET, 4)
          .field("sleeps_on_words", SLEEPS_ON_WORDS_OFFSET, 4)
          .field("reserved2", 272, 112)
          .field("doorbell_active", DOORBELL_ACTIVE_OFFSET, 128)
          .field("cpus", CPUS_OFFSET, 128)
          .field("reason", REASON_OFFSET, REASON_BYTES);

  private RankEntryDescriptor() {}
}
