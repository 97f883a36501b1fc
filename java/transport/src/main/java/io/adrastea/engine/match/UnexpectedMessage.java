package io.adrastea.engine.match;

import io.adrastea.engine.operation.Chunk;
import io.adrastea.engine.operation.MatchIndex;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.SentSignature;
import io.adrastea.transfer.Transfer;

/**
 * A message, or the part of one that is there, for which no receive was posted: its pieces are copied out of the cells,
 * a large one stays at its sender.
 */
public final class UnexpectedMessage {
  private int source;
  private long match;
  private long length;
  private long arrived;
  private boolean aborted; // no more of it comes, by the will of its sender
  private boolean cutShort; // no more of it comes, since its sender is gone
  private boolean probed; // a probe has shown it: it is there until it is received
  private Transfer transfer; // of a large message that is still all at its sender; null: pieces come by themselves
  private Receive fetch; // copies a large message aside for a receive that does not wait; null: none does
  private final SentSignature signature; // null: the job does not check types
  private Chunk firstChunk;
  private Chunk lastChunk;

  /** Spent messages of all contexts of a rank. */
  static final class Pool {
    private static final int KEPT = 1024;

    private final boolean checksTypes;
    private UnexpectedMessage spent;
    private int kept;

    Pool(boolean checksTypes) {
      this.checksTypes = checksTypes;
    }

    /** Sees to it that the next {@link #take} takes no memory. */
    void reserve() {
      if (spent == null) {
        spent = new UnexpectedMessage(checksTypes);
        kept++;
      }
    }

    UnexpectedMessage take() {
      UnexpectedMessage message = spent;
      if (message == null) {
        return new UnexpectedMessage(checksTypes);
      }
      spent = message.next;
      kept--;
      return message;
    }

    void give(UnexpectedMessage message) {
      if (kept < KEPT) {
        message.next = spent;
        spent = message;
        kept++;
      }
    }
  }

  Receive holder; // the receive of a matched probe that it is for; null: it waits to be matched

  UnexpectedMessage previous; // in the order of arrival
  UnexpectedMessage next;
  private MatchIndex.Entry<UnexpectedMessage>[] entries; // by kind of index; null: it was never in a long list

  private UnexpectedMessage(boolean checksTypes) {
    this.signature = checksTypes ? new SentSignature() : null;
  }

  void begin(int source, long match, long length) {
    this.source = source;
    this.match = match;
    this.length = length;
    arrived = 0;
    aborted = false;
    cutShort = false;
    probed = false;
    transfer = null;
    fetch = null;
    firstChunk = null;
    lastChunk = null;
  }

  /** Its entry in the index of that kind of a long list. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // all are its own
  MatchIndex.Entry<UnexpectedMessage> entry(int kind) {
    if (entries == null) {
      entries = new MatchIndex.Entry[UnexpectedIndex.KINDS];
    }
    if (entries[kind] == null) {
      entries[kind] = new MatchIndex.Entry<>(this);
    }
    return entries[kind];
  }

  /** Another piece of it was copied aside. */
  public void add(Chunk chunk) {
    if (lastChunk == null) {
      firstChunk = chunk;
    } else {
      lastChunk.append(chunk);
    }
    lastChunk = chunk;
    arrived += chunk.length();
  }

  /** The first of its pieces, which leads to the next; null: none has come. */
  public Chunk firstChunk() {
    return firstChunk;
  }

  /** The message is large and stays at its sender, which has offered it. */
  public void offered(Transfer offer) {
    transfer = offer;
  }

  /** Begins to copy a large message aside, by {@code fetch}; the transfer that it comes by. */
  public Transfer fetchedBy(Receive fetch) {
    Transfer offer = transfer;
    this.fetch = fetch;
    transfer = null;
    return offer;
  }

  /** No more of it comes: its sender has called it off. */
  public void abort() {
    aborted = true;
  }

  /** No more of it comes: its sender is gone. */
  public void cutShort() {
    cutShort = true;
  }

  public void probed() {
    probed = true;
  }

  /** What its sender has told of its types; null: the job does not check them. */
  public SentSignature signature() {
    return signature;
  }

  public int source() {
    return source;
  }

  public long match() {
    return match;
  }

  /** Bytes of the whole message. */
  public long length() {
    return length;
  }

  public Transfer transfer() {
    return transfer;
  }

  public Receive fetch() {
    return fetch;
  }

  public boolean isAborted() {
    return aborted;
  }

  public boolean isCutShort() {
    return cutShort;
  }

  /** Whether no more pieces of it come. */
  public boolean isWhole() {
    return arrived == length || aborted || cutShort;
  }

  /**
   * Whether bytes of it are still to come by themselves: not of a large one that is yet to be fetched, which may be
   * possible.
   */
  public boolean lacksBytes() {
    return fetch == null ? transfer == null && !isWhole() : !fetch.isComplete();
  }

  /** Whether it is the offer of that number, and no probe has shown it. */
  boolean isOffer(int source, int number) {
    return !probed && this.source == source && transfer != null && transfer.peerId() == number;
  }
}
