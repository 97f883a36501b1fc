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

  /** Speaks the channel level only: cells, no rendezvous. */
  public static final int FLAG_CHANNEL = 1;

  /** Sleeps on its doorbell's futex and can be woken. */
  public static final int FLAG_WAKEABLE = 2;

  /** Can wake a sleeper. */
  public static final int FLAG_WAKER = 4;

  /** A thread of a process that holds several ranks. */
  public static final int FLAG_THREAD = 8;

  /** It has failed, and wants the whole job to end. */
  public static final int FLAG_ABORT = 16;

  /**
   * In {@code waiting}: the call in bits 56 to 63, the rank that it waits for, plus 1, in bits 32 to 47 (0: any, or
   * all), the tag in bits 0 to 31 (-1: any).
   */
  public static final int IN_RECEIVE = 1;

  public static final int IN_SEND = 2;
  public static final int IN_CLAIM = 3;
  public static final int IN_PROBE = 4;
  public static final int IN_BARRIER = 5;

  /** Waits for one of several. */
  public static final int IN_REQUESTS = 6;

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
  public static final int INTENT_QUEUE_OFFSET = 128;
  public static final int INTENT_CELL_OFFSET = 136;
  public static final int INTENT_GENERATION_OFFSET = 144;
  public static final int DOORBELL_WORD_OFFSET = 256;
  public static final int DOORBELL_SLEEPING_OFFSET = 260;
  public static final int DOORBELL_FENCED_OFFSET = 264;
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
          .field("reserved0", 56, 72)
          .field("intent_queue", INTENT_QUEUE_OFFSET, 8)
          .field("intent_cell", INTENT_CELL_OFFSET, 8)
          .field("intent_generation", INTENT_GENERATION_OFFSET, 8)
          .field("reserved1", 152, 104)
          .field("doorbell_word", DOORBELL_WORD_OFFSET, 4)
          .field("doorbell_sleeping", DOORBELL_SLEEPING_OFFSET, 4)
          .field("doorbell_fenced", DOORBELL_FENCED_OFFSET, 4)
          .field("reserved2", 268, 116)
          .field("doorbell_active", DOORBELL_ACTIVE_OFFSET, 128)
          .field("cpus", CPUS_OFFSET, 128)
          .field("reason", REASON_OFFSET, REASON_BYTES);

  private RankEntryDescriptor() {}
}
