package io.adrastea.engine.collective;

import static io.adrastea.core.SlotMember.BY;
import static io.adrastea.core.SlotMember.BYTES;
import static io.adrastea.core.SlotMember.IN_OUTPUT;
import static io.adrastea.core.SlotMember.PLACE;
import static io.adrastea.core.SlotMember.POSITION;
import static io.adrastea.core.SlotMember.SEGMENT;
import static io.adrastea.core.SlotMember.SOURCE;
import static io.adrastea.core.SlotMember.TARGET;

import io.adrastea.atomic.Words;
import io.adrastea.coll.Choice;
import io.adrastea.core.SlotMember;
import io.adrastea.core.Spaces;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.shared.SharedReach;
import io.adrastea.space.CmaCost;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.lang.foreign.MemorySegment;

/**
 * The buffers of the members in a collective of large data: this rank's as it exposes them to the others, and the
 * others' as it reaches them. Only memory that nobody can free during the call is exposed: a member that reads it finds
 * what was given.
 */
final class MemberMemory {
  private final SlotMember member;
  private final RemoteMemory memory;
  private final Numbering numbering;
  private final int rank; // in the communicator
  private final boolean oversubscribed;
  private final MemorySegment slot;
  private final boolean early; // a setting has collectives go straight from memory
  private final Exposure in = new Exposure(); // of this rank
  private final Exposure out = new Exposure();
  private final Exposure far = new Exposure();
  private final Contiguous near = new Contiguous();
  private final Cursor cursor = new Cursor();

  /**
   * @param oversubscribed ranks outnumber CPUs
   * @param slot as it is mapped here
   */
  MemberMemory(
      SlotMember member, RemoteMemory memory, Numbering numbering, int rank, boolean oversubscribed,
      MemorySegment slot) {
    this.member = member;
    this.memory = memory;
    this.numbering = numbering;
    this.rank = rank;
    this.oversubscribed = oversubscribed;
    this.slot = slot;
    this.early = (Words.load(slot, SlotDescriptor.CHOICES_OFFSET) & SlotDescriptor.DIRECT_EARLY) != 0;
  }

  /** Tells the core how others can reach the buffers of this rank, and by what this rank can reach theirs. */
  void expose(Call call) {
    boolean awaited = call.form() == Form.BLOCKING;
    describe(call.isOverwritten() ? null : call.input(), call.inputBytes(), awaited, in);
    long told = call.outputBytes();
    describe(told == 0 ? null : call.output(told), told, awaited, out);
    if (isInPlaceUntold(call.bytes())) {
      in.clear();
    }
    long segment = memory.segment();
    boolean byStages = prefersStages(call);
    int spaces = spaces(segment);
    // In an exchange members tell of spaces for all that come: there each tells of its memory alone that it has none.
    boolean hides = byStages && Choice.isExchange(call.kind()) && !Space.XPMEM.isIn(spaces);
    int reached = hides ? Exposure.SHARED : Exposure.SHARED | Exposure.ADDRESS;
    CoreStatus.checked(
        member.expose(call.which(), by(in) & reached, start(in), by(out) & reached, start(out),
            byStages && !Choice.isExchange(call.kind()) ? spaces & ~Space.CMA.bit() : spaces, segment));
  }

  /**
   * Whether two copies through stages take less than one by the system. Where ranks outnumber CPUs, those of one CPU
   * find in its cache what one has put into its stage for all. What it gives each alone they find there no sooner.
   */
  private boolean prefersStages(Call call) {
    if (early) {
      return false;
    }
    boolean exchanges = Choice.isExchange(call.kind());
    boolean isOfAll = call.isByParts() && Choice.hasSeveralBlocks(call.kind());
    long block = isOfAll ? call.bytes() / numbering.size() : call.bytes();
    return numbering.size() > 2 && oversubscribed && !exchanges || block < leastOf(call.kind());
  }

  /**
   * Bytes of a block from which on one copy by the system takes less than two through stages. Where it copies slowly a
   * bcast, of which both of two members copy a half, gains by it sooner than the rest.
   */
  private long leastOf(int kind) {
    boolean halves = kind == SlotMember.BCAST || kind == SlotMember.EXSCAN;
    return CmaCost.leastOf(leastBySystem(), halves);
  }

  /**
   * That size as the lowest member has measured it, so that all go one way where what they measure lies on both sides
   * of a size: in a mixture each side waits for the slower one. Until that member has told it, the size is that of this
   * process.
   */
  private long leastBySystem() {
    // SYNC slot-least: relaxed; the number is all that is told. A member that has read it finds it in all later calls.
    int known = Words.loadRelaxed(slot, SlotDescriptor.LEAST_BY_SYSTEM_OFFSET);
    if (known != 0) {
      return known - 1;
    }
    long least = memory.leastByCma();
    if (rank == 0) {
      // SYNC slot-least: relaxed; a member that sees it late decides by its own number before.
      Words.storeRelaxed(slot, SlotDescriptor.LEAST_BY_SYSTEM_OFFSET, (int) least + 1);
    }
    return least;
  }

  /**
   * @param awaited the calling thread waits in the call until it is over, so that it closes none of its own arenas
   * meanwhile: that of a started call is not told, since the thread may close it while others still read
   */
  private void describe(Payload payload, long bytes, boolean awaited, Exposure exposure) {
    exposure.clear();
    if (payload != null) {
      memory.describe(payload, bytes, 1, awaited, exposure);
    }
  }

  /**
   * Whether input and output share memory, and only the input could be told of: another segment over it lasts, as that
   * of an address does. The other members would take the two to be apart.
   */
  private boolean isInPlaceUntold(long bytes) {
    return in.isAddress() && out.isAddress() && !out.isLasting()
        && Math.abs(in.vector().start(0) - out.vector().start(0)) < bytes;
  }

  private static int by(Exposure own) {
    return own.isLasting() && !own.isTyped() ? own.flags() & (Exposure.SHARED | Exposure.ADDRESS) : 0;
  }

  private static long start(Exposure own) {
    return by(own) == 0 ? 0 : own.vector().start(0);
  }

  /** The set of spaces through which this rank can reach every other member, as far as is known. */
  private int spaces(long segment) {
    int spaces = Space.all();
    for (int other = 0; other < numbering.size() && spaces != 0; other++) {
      if (other != rank) {
        spaces &= memory.reaching(numbering.jobRank(other));
      }
    }
    return segment > 0 ? spaces : spaces & ~Space.XPMEM.bit();
  }

  /** Gives the core shared memory of another member, mapped here. */
  void reach(Call call) {
    long[] words = member.words(call.which());
    int peer = numbering.jobRank(member.other(call.which()));
    try {
      SharedReach.Mapping mapping = memory.shared(peer, words[SOURCE], words[BYTES]);
      CoreStatus.checked(member.reach(call.which(), mapping.offset(), mapping.memory()));
    } catch (IllegalArgumentException e) {
      throw CoreStatus.corrupt("rank %d tells of shared memory that it does not have: %s".formatted(peer, e));
    }
  }

  /**
   * Brings bytes of another member's memory to where the core wants them.
   *
   * @param stages the members' stages, as they are mapped here
   * @return 0 or more; below zero: an errno value, with which the memory cannot be read, or not any more
   */
  long read(Call call, MemorySegment stages) {
    long[] words = member.words(call.which());
    long bytes = words[BYTES];
    boolean isOutput = words[PLACE] == IN_OUTPUT;
    int peer = numbering.jobRank(member.other(call.which()));
    setFar(words, words[SOURCE]);
    Payload target = isOutput ? call.output(words[POSITION] + bytes) : near.set(stages, words[TARGET], bytes);
    return copy(peer, target, isOutput ? words[POSITION] : 0, bytes, true);
  }

  /**
   * Brings bytes of the input or of the output to another member's memory, as the core wants it.
   *
   * @return 0 or more; below zero: {@link SlotMember#BROKEN}, that member has broken off; or an errno value, with which
   *   the memory cannot be written, or not any more
   */
  long write(Call call) {
    long[] words = member.words(call.which());
    int peer = numbering.jobRank(member.other(call.which()));
    setFar(words, words[TARGET]);
    int began = member.beginWrite(call.which());
    if (began < 0) {
      return began;
    }
    try {
      long bytes = words[BYTES];
      Payload source = words[PLACE] == IN_OUTPUT ? call.output(words[POSITION] + bytes) : call.input();
      return copy(peer, source, words[POSITION], bytes, false);
    } finally {
      member.endWrite();
    }
  }

  private void setFar(long[] words, long place) {
    far.clear();
    far.set((int) words[BY] | Exposure.LASTING, words[SEGMENT]);
    far.vector().add(place, words[BYTES]);
  }

  /** Copies through the first space that is not refused; one that wants memory is not tried again in this copy. */
  private long copy(int peer, Payload payload, long position, long bytes, boolean in) {
    int tried = 0;
    while (true) {
      Space space = Exposure.reader(far.flags(), memory.reaching(peer, far) & ~tried);
      if (space == null) {
        return Spaces.PERM;
      }
      cursor.begin(payload.bytes());
      payload.seek(cursor, position);
      long status = in
          ? memory.read(peer, space, far, 0, payload, cursor, bytes)
          : memory.write(peer, space, far, 0, payload, cursor, bytes);
      if (status >= 0 || !memory.isRefused(peer, space, (int) status)) {
        return status;
      }
      tried |= space.bit();
    }
  }
}
