package io.adrastea.layout;

/** A barrier of all ranks. Twin of {@code struct adr_barrier}; writers and drawings in docs/layout.md. */
public final class BarrierDescriptor {
  public static final int COUNTER_OFFSET = 0;
  public static final int SIGNAL_OFFSET = 128;

  /** Bytes of the struct. */
  public static final int BYTES = 256;

  static final StructLayout LAYOUT =
      new StructLayout("barrier", BYTES)
          .field("counter", COUNTER_OFFSET, 4)
          .field("reserved0", 4, 124)
          .field("signal", SIGNAL_OFFSET, 4)
          .field("reserved1", 132, 124);

  private BarrierDescriptor() {}
}
