package io.adrastea.coll;

import static io.adrastea.coll.Choice.isExchange;
import static io.adrastea.coll.CollectiveState.NEXT;
import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.SlotMember.BYTES;
import static io.adrastea.core.SlotMember.BY_ADDRESS;
import static io.adrastea.core.SlotMember.IN_INPUT;
import static io.adrastea.core.SlotMember.IN_OUTPUT;
import static io.adrastea.core.SlotMember.PLACE;
import static io.adrastea.core.SlotMember.POSITION;
import static io.adrastea.core.SlotMember.READ;
import static io.adrastea.core.SlotMember.SHARED;
import static io.adrastea.core.SlotMember.SOURCE;
import static io.adrastea.core.SlotMember.TARGET;
import static io.adrastea.core.SlotMember.WRITE;
import static io.adrastea.layout.SlotLineDescriptor.TELL_BY;
import static io.adrastea.layout.SlotLineDescriptor.TELL_IN;
import static io.adrastea.layout.SlotLineDescriptor.TELL_OUT;
import static io.adrastea.layout.SlotLineDescriptor.WANTS_BYTES;
import static io.adrastea.layout.SlotLineDescriptor.WANTS_INPUT;
import static io.adrastea.layout.SlotLineDescriptor.WANTS_OUTPUT;
import static io.adrastea.layout.SlotLineDescriptor.WANTS_PLACE;
import static io.adrastea.layout.SlotLineDescriptor.WANTS_WHAT;
import static io.adrastea.layout.SlotLineDescriptor.WANTS_WRITE;

import io.adrastea.core.Spaces;

/**
 * What a member does where it cannot read or write another one's memory, against what the lines tell: that one copies,
 * and the bytes go through a stage. Twin of {@code coll/adr_coll_relay.c}.
 *
 * <p>
 * The lines tell by which spaces each member reaches the others, and the ways are chosen by that. A space can be lost
 * afterwards: XPMEM ends for a process when anybody there closes a descriptor of it, and what a member has told of its
 * spaces in an earlier exchange is as old as that. So a member that cannot copy asks the owner of the memory to do it,
 * piece by piece, and nothing else of the collective changes.
 *
 * <p>
 * A piece goes through the end of a quarter of the member that gives its bytes: of the owner where its memory is read,
 * else of the one that asks. No move straight from memory uses that.
 * <ul>
 * <li>The one that asks says what it wants, with an odd number, and waits until the owner says that it has copied that.
 * Once it has taken the bytes out of the stage, or the owner has, it says the next number, which is even.
 * <li>The owner copies where its own moves wait. It is there: nobody leaves before all others have said that they are
 * through with its memory. It copies for one member at a time, and for the next one when that has said the even number:
 * till then neither the end of its quarter nor what it has said is free.
 * </ul>
 *
 * <p>
 * The two never wait for each other: a member that waits for an owner copies for others meanwhile, and one that has got
 * its bytes goes on without anybody.
 */
final class RelayMoves {
  /** At the end of a quarter: bytes that go through it for another member. */
  private static final int RELAYED = 16_384;

  private static final int NOTHING = 0;
  private static final int GET_READY = 1;
  private static final int ASK = 2;
  private static final int AWAIT_COPY = 3;
  private static final int OVER = 4;

  private static final int NOBODY = -1;

  private final CollectiveState coll;
  private final LineMoves lines;
  private final StageMoves stages;
  private final DirectMoves direct;
  private final ExchangeMoves exchange;
  private final Slot slot;
  private final int self;

  private int asked; // READ or WRITE: what the caller could not do
  private int phase; // of what this member asks for
  private int number; // number of what it asks for; odd: it is asked for
  private int other; // member that is asked
  private int what; // what is asked of that member, WANTS_…
  private long place; // where the rest of it lies in that member's memory, as it has told, ...
  private long target; // ... where in the stages, ...
  private long position; // ... or where in the caller's input or output, ...
  private int kind; // ... as this says: IN_STAGES, ...
  private long left; // bytes of it
  private int served = NOBODY; // member that this one has copied for, and that may not be through
  private int servedNumber;
  private boolean copies; // the caller copies for that member now

  RelayMoves(
      CollectiveState coll, LineMoves lines, StageMoves stages, DirectMoves direct, ExchangeMoves exchange, Slot slot,
      int self) {
    this.coll = coll;
    this.lines = lines;
    this.stages = stages;
    this.direct = direct;
    this.exchange = exchange;
    this.slot = slot;
    this.self = self;
  }

  /** Whether this member has asked another one to copy, or copies for one, and goes on with that first. */
  boolean isUnderWay() {
    return phase != NOTHING || copies;
  }

  private int pieceOf() {
    return (int) Math.min(left, RELAYED);
  }

  /** The end of a member's quarter. */
  private long roomOf(int member) {
    return stages.quarter(member) + StageMoves.QUARTER - RELAYED;
  }

  // What this member copies for others

  /** Whether this member has copied for one that has not said that it is through. */
  private boolean isTaken() {
    if (served != NOBODY && slot.wants(served, coll.sequence()) != servedNumber) {
      served = NOBODY;
    }
    return served != NOBODY;
  }

  /** Whether its own bytes are at the end of its quarter. */
  private boolean writes() {
    return asked == WRITE && phase >= ASK;
  }

  /** Where in its buffer the bytes lie that another one wants; below zero: it has told nobody of such memory. */
  private long positionOf(int member, boolean isInput, long place, long bytes) {
    boolean isExchange = isExchange(coll.kind());
    long by = isInput ? lines.told(TELL_BY) : lines.told(TELL_BY) >>> 8;
    long allowedAt = isExchange ? exchange.stretchAt(member, isInput) : 0;
    long allowed = isExchange ? exchange.stretch(member, isInput) : direct.stretch(isInput);
    long first = isInput && isExchange ? exchange.oneBlockAt() : 0; // which was told
    long there = place - lines.told(isInput ? TELL_IN : TELL_OUT) + first;
    return (by & BY_ADDRESS) != 0 && bytes > 0 && bytes <= RELAYED && there >= allowedAt
        && bytes <= allowed - (there - allowedAt) ? there : -1;
  }

  /** Has the caller copy what a member wants. */
  private int copyFor(int member, int number, int what) {
    long bytes = slot.resultWord(member, coll.sequence(), WANTS_BYTES);
    boolean isInput = what == WANTS_INPUT;
    long there = positionOf(member, isInput, slot.resultWord(member, coll.sequence(), WANTS_PLACE), bytes);
    int waited = coll.other();
    int ready = stages.isReady() ? NEXT : stages.prepare();
    if (ready != NEXT) {
      coll.waitFor(ready == AGAIN ? waited : coll.other());
      return ready;
    }
    if (there < 0 || what < WANTS_INPUT || what > WANTS_WRITE) {
      coll.waitFor(member);
      return CORRUPT;
    }
    served = member;
    servedNumber = number;
    copies = true;
    return what == WANTS_WRITE
        ? coll.askByStages(READ, roomOf(member), IN_OUTPUT, there, 0, bytes)
        : coll.askByStages(WRITE, roomOf(self), isInput ? IN_INPUT : IN_OUTPUT, there, 0, bytes);
  }

  /** Where this member has nothing else to do: AGAIN, or what is to be copied for another one. */
  int serve() {
    if (isTaken()) {
      return AGAIN;
    }
    for (int member = 0; member < slot.ranks; member++) {
      int number = member == self ? 0 : slot.wants(member, coll.sequence());
      if ((number & 1) != 0) {
        long wanted = slot.resultWord(member, coll.sequence(), WANTS_WHAT);
        boolean isFree = wanted >>> 32 == WANTS_WRITE || !writes();
        if ((int) wanted == self && isFree) {
          return copyFor(member, number, (int) (wanted >>> 32));
        }
      }
    }
    return AGAIN;
  }

  private void sayCopied() {
    copies = false;
    slot.sayCopied(coll.sequence(), served, servedNumber);
    coll.wake(served);
  }

  // What others copy for this member

  /** The caller cannot do what it was asked for: 0, PERM or INVAL. */
  int begin() {
    int status = coll.askedFor();
    if (status == 0 || isUnderWay()) {
      return INVAL;
    }
    if (self != 0 && !stages.areMade() && slot.stages() == 0) {
      return Spaces.PERM;
    }
    long[] words = coll.words();
    asked = status;
    what = status == WRITE ? WANTS_WRITE : direct.wantsOutput() ? WANTS_OUTPUT : WANTS_INPUT;
    other = coll.other();
    place = words[status == READ ? SOURCE : TARGET];
    target = words[TARGET];
    position = words[POSITION];
    kind = (int) words[PLACE];
    left = words[BYTES];
    phase = GET_READY;
    if (isExchange(coll.kind())) {
      slot.tellSpaces(SHARED);
    }
    return 0;
  }

  /** Before the next piece is asked for. */
  private int getReady() {
    int ready = stages.isReady() ? NEXT : stages.prepare();
    if (ready != NEXT) {
      return ready;
    }
    if (!lines.hasRoom()) {
      return AGAIN;
    }
    if (asked == READ) {
      phase = ASK;
      return NEXT;
    }
    if (isTaken()) {
      coll.waitFor(served);
      return AGAIN;
    }
    phase = ASK;
    return coll.askByStages(WRITE, roomOf(self), kind, position, 0, pieceOf());
  }

  private int askOwner() {
    long sequence = coll.sequence();
    slot.setResultWord(sequence, WANTS_WHAT, (long) what << 32 | other);
    slot.setResultWord(sequence, WANTS_PLACE, place);
    slot.setResultWord(sequence, WANTS_BYTES, pieceOf());
    slot.want(sequence, ++number);
    coll.wake(other);
    phase = AWAIT_COPY;
    return NEXT;
  }

  private int awaitCopy() {
    if (!slot.hasCopied(other, coll.sequence(), number)) {
      coll.waitFor(other);
      return AGAIN;
    }
    phase = OVER;
    return asked == WRITE ? NEXT : coll.askByStages(READ, roomOf(other), kind, position, target, pieceOf());
  }

  /** Says that this member is through with a piece. */
  private int goOn() {
    int piece = pieceOf();
    slot.want(coll.sequence(), ++number);
    coll.wake(other);
    place += piece;
    target += piece;
    position += piece;
    left -= piece;
    phase = left > 0 ? GET_READY : NOTHING;
    return NEXT;
  }

  int advance() {
    if (copies) {
      sayCopied();
    }
    return switch (phase) {
      case NOTHING -> NEXT;
      case GET_READY -> getReady();
      case ASK -> askOwner();
      case AWAIT_COPY -> awaitCopy();
      default -> goOn();
    };
  }
}
