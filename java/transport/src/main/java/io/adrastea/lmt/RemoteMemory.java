package io.adrastea.lmt;

/** The memory of a peer's end of a transfer, reached through one space. Copies between it and this end's payload. */
interface RemoteMemory {
  /** Copies bytes of the message from the peer's memory to this end's: all of them, or a negative errno value. */
  long read(Transfer transfer, long position, long bytes);

  /** Copies bytes of the message from this end's memory to the peer's: all of them, or a negative errno value. */
  long write(Transfer transfer, long position, long bytes);
}
