package io.adrastea.engine.operation;

import io.adrastea.core.Batch;
import io.adrastea.engine.group.Members;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import io.adrastea.payload.Payload;

/** A receive, and the message that it has got. */
public final class Receive extends Operation {
  /** Takes what the engine knows of a message, of which the source is a job rank. */
  public interface Result {
    void set(int source, int tag, long bytes);
  }

  private long mask;
  private int source;
  private int tag;
  private long messageLength;
  private long place; // in place: where the core has the piece
  private long batch; // in place: number of the batch that it was found in; 0: of none
  private Chunk copy; // in place: a private copy, when the core does not have it; null: it does
  private final SentSignature sent; // in place: what its sender has told; null: the job does not check types
  private Receive partner; // of a message fetched ahead, the receive that it turned out to be for, and the reverse
  private MatchIndex.Entry<Receive> entry; // null: it was never posted in a long list

  /** Makes a receive whose message nobody compares with what it is read as, and that no request tells of. */
  public Receive() {
    this(null, false);
  }

  Receive(Owner<Operation> owner, boolean checksTypes) {
    super(owner);
    this.sent = checksTypes ? new SentSignature() : null;
  }

  @Override
  public void ask(Members members, int source, long match, long mask) {
    super.ask(members, source, match, mask);
    this.mask = mask;
  }

  @Override
  public void activate() {
    super.activate();
    partner = null;
    if (sent != null) {
      sent.clear();
    }
  }

  @Override
  public void cancel() {
    matched(ANY, ANY, 0);
    super.cancel();
  }

  @Override
  public void completeWithNobody() {
    matched(NO_RANK, ANY, 0);
    super.completeWithNobody();
  }

  @Override
  void forget() {
    super.forget();
    batch = 0;
    copy = null;
    partner = null;
  }

  /** Whether this receive is for a message of that source and match word. */
  public boolean fits(int source, long match) {
    return fits(peer(), match(), mask, source, match);
  }

  /** Whether a receive of {@code wanted}, {@code wantedMatch} and {@code mask} is for a message. */
  public static boolean fits(int wanted, long wantedMatch, long mask, int source, long match) {
    return (wanted == ANY || wanted == source) && ((wantedMatch ^ match) & mask) == 0;
  }

  /** Whether some message fits both this receive and one of that source, match word and mask. */
  public boolean overlaps(int source, long match, long mask) {
    return (peer() == ANY || source == ANY || peer() == source) && ((match() ^ match) & this.mask & mask) == 0;
  }

  /** The tag that it asks for; {@link Operation#ANY}: any. */
  public int wantedTag() {
    return wantedTag(match(), mask);
  }

  /** The tag that {@code wantedMatch} and {@code mask} ask for; {@link Operation#ANY}: any. */
  public static int wantedTag(long wantedMatch, long mask) {
    return mask == -1L ? (int) wantedMatch : ANY;
  }

  public void matched(int source, long match, long messageLength) {
    begin();
    this.source = source;
    this.tag = (int) match;
    this.messageLength = messageLength;
  }

  /**
   * Compares the basic types of the message that has matched with those of this receive. When they are others the
   * receive fails once its message is over, and takes no more bytes. One in place keeps what was told, for a reader of
   * the message.
   *
   * @return whether they are others
   */
  public boolean refuses(SentSignature told) {
    if (isInPlace()) {
      if (sent != null) {
        sent.set(told);
      }
      return false;
    }
    if (told.matches(payload().signature(), messageLength)) {
      return false;
    }
    abandon(mismatch(told, payload()));
    return true;
  }

  /** In place: what is wrong with reading all of the message as a payload; null: nothing. */
  public RuntimeException mismatch(Payload payload) {
    return sent == null || sent.matches(payload.signature(), messageLength) ? null : mismatch(sent, payload);
  }

  private TypeMismatchException mismatch(SentSignature told, Payload payload) {
    SentSignature expected = new SentSignature();
    expected.set(payload, SentSignature.MOST_BYTES);
    int rank = members().numbering().rankOf(source);
    return new TypeMismatchException(rank, source, tag, told.toString(), expected.toString());
  }

  /** All bytes of its message are there, or dropped. */
  public void finish() {
    if (failure() == null && messageLength > cursor().length()) {
      fail(
          new TruncationException(members().numbering().rankOf(source), source, tag, messageLength, cursor().length()));
    } else {
      complete();
    }
  }

  /** No more bytes of its message come, by the will of the sender. */
  public void callOff() {
    fail(
        new AdrasteaException(
            "rank %s gave up its message of %d bytes with tag %d: its buffer was closed before all was sent"
                .formatted(members().name(source), messageLength, tag)));
  }

  /** The rank that completes it: once a message has matched, no other matters any more. */
  public int awaitedRank() {
    return isBegun() ? source : peer();
  }

  public long mask() {
    return mask;
  }

  public int source() {
    return source;
  }

  public int tag() {
    return tag;
  }

  public long messageLength() {
    return messageLength;
  }

  public void tell(Result result) {
    result.set(source, tag, messageLength);
  }

  public long place() {
    return place;
  }

  public void place(long place) {
    this.place = place;
  }

  /** Number of the batch that its message was found in; 0: of none. */
  public long batch() {
    return batch;
  }

  /** In place: its message is the one of an open batch that is at its turn. */
  public void lies(Batch found) {
    matched(found.source(), found.match(), found.length());
    lies(found.memory(), found.payload(), found.length());
    place = found.place();
    batch = found.number();
    found.lend();
    complete();
  }

  /** In place: its message is the next one of its batch, which has gone on to that; it lies in the same memory. */
  public void goOn(Batch found) {
    tag = (int) found.match();
    messageLength = found.length();
    place = found.place();
    liesAt(found.payload(), messageLength);
  }

  public Chunk copy() {
    return copy;
  }

  public void copy(Chunk copy) {
    this.copy = copy;
  }

  public Receive partner() {
    return partner;
  }

  /** What is fetched ahead by {@code fetch} is for this receive. */
  public void join(Receive fetch) {
    partner = fetch;
    fetch.partner = this;
  }

  /** Undoes {@link #join}. */
  public void leavePartner() {
    partner.partner = null;
    partner = null;
  }

  /** Its entry in the index of a long list of posted receives. */
  public MatchIndex.Entry<Receive> entry() {
    if (entry == null) {
      entry = new MatchIndex.Entry<>(this);
    }
    return entry;
  }

  @Override
  public String toString() {
    return "receive from %s with %s, %s".formatted(
        peer() == ANY ? "any rank" : "rank " + members().name(peer()),
        wantedTag() == ANY ? "any tag" : "tag " + wantedTag(),
        isInPlace() ? "in place" : extent());
  }
}
