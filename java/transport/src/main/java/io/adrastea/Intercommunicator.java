package io.adrastea;

import io.adrastea.engine.collective.Form;
import io.adrastea.engine.collective.Groups;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RevokedException;
import io.adrastea.error.SegmentException;
import io.adrastea.payload.Contiguous;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Two groups of ranks that talk to each other: a server and its clients, a model and what shows it. Each rank is in one
 * group, the <em>local</em> one; the other is the <em>remote</em> one. A rank that is named, as the destination of a
 * message, its source, or the root of a collective, is a rank of the remote group. Messages of an intercommunicator
 * meet no others.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "intercommunicator"}
 *
 * <p>
 * It is no {@link Communicator}: what is said there of messages holds here. In collectives what one group gives, the
 * other gets. All ranks of both groups call them. They go through shared memory, without messages. Where one of the two
 * groups has a root, its rank calls with {@link #ROOT}, the other ranks of its group with {@link Communicator#NO_RANK},
 * and the ranks of the other group with the root's number.
 *
 * <p>
 * Exceptions of collectives name a rank by its number among those of both groups, as {@link #merge merge(false)} gives
 * it to it, and by its number in the job, which says for certain which it is.
 */
public final class Intercommunicator implements AutoCloseable {
  /** As the root of a collective: the calling rank is it. */
  public static final int ROOT = -3;

  private final Communicator union; // of the ranks of both groups, one group behind the other
  private final int first; // ranks of the group that comes first
  private final Communicator between; // the messages; its ranks are the remote group
  private final Numbering locals;
  private final Numbering remotes;
  private final IntercommunicatorCalls calls;

  /**
   * Makes an intercommunicator of a communicator that has just these ranks, and ends with this.
   *
   * @param first how many of its ranks, the first ones, are one group
   */
  Intercommunicator(Communicator union, int first) {
    this.union = union;
    this.first = first;
    boolean isFirst = union.rank() < first;
    Numbering firsts = part(0, first);
    Numbering seconds = part(first, union.size());
    this.locals = isFirst ? firsts : seconds;
    this.remotes = isFirst ? seconds : firsts;
    this.between = union.between(remotes, isFirst ? union.rank() : union.rank() - first);
    this.calls = new IntercommunicatorCalls(
        union.collectives("an intercommunicator"),
        isFirst ? new Groups(0, first, first, union.size() - first)
            : new Groups(first, union.size() - first, 0, first),
        between.rank());
    setName("inter" + union.name());
  }

  private Numbering part(int from, int to) {
    return Numbering.of(
        union.numbering().jobSize(), IntStream.range(from, to).map(union.numbering()::jobRank).toArray());
  }

  /**
   * Makes an intercommunicator of two groups of ranks. All ranks of both groups call it, each with the communicator of
   * its group, of which one rank is the leader. Both leaders are in a third communicator, where they meet. No rank is
   * in both groups.
   *
   * @param local communicator of this rank's group
   * @param localLeader rank of that communicator that leads the group; all its ranks name the same
   * @param peer communicator that both leaders are in; of the others it is not looked at, and may be null
   * @param remoteLeader rank in that communicator of the other group's leader; of others than the leader not looked at
   * @param tag 0 to 536,870,911; all ranks of both groups name the same. It tells intercommunicators apart that threads
   * of the same leaders make at the same time; leaders that name different ones do not meet
   * @return the intercommunicator, to be closed
   * @throws NullPointerException when a communicator is null
   * @throws IllegalArgumentException when there is no such leader or tag, or the communicators are of different jobs;
   * nothing was begun
   * @throws CapabilityException when ranks share no memory; nothing was begun
   * @throws CollectiveException when the ranks of this group name different leaders or tags, or a rank is in both
   * groups; on all ranks of the group
   * @throws AdrasteaException when the leader of one of the groups could not go on, and has thrown why; when all
   * numbers of communicators are taken
   * @throws SegmentException when there is no room for its slot in shared memory, on one of the leaders
   * @throws RankFailedException when a rank of the group, or at its leader the other leader, died or left
   * @throws RevokedException when the communicator was revoked in which the leaders meet, or that of the group
   * @throws IllegalStateException when a communicator is closed, or the job was left
   * @throws ConcurrentUseException when another thread of this rank is in a collective of the local communicator
   * @throws InterruptedWaitException when the thread is interrupted while it waits; the others are told
   */
  public static Intercommunicator create(
      Communicator local, int localLeader, Communicator peer, int remoteLeader, int tag) {
    return IntercommunicatorMaking.make(local, localLeader, peer, remoteLeader, tag);
  }

  /**
   * This rank's number in the local group.
   *
   * @return 0 to size − 1
   */
  public int rank() {
    return between.rank();
  }

  /**
   * How many ranks the local group has.
   *
   * @return 1 or more
   */
  public int size() {
    return locals.size();
  }

  /**
   * How many ranks the remote group has.
   *
   * @return 1 or more
   */
  public int remoteSize() {
    return remotes.size();
  }

  /**
   * The ranks of the local group in their order. Also when this is closed.
   *
   * @return made anew at each call
   */
  public Group group() {
    return group(locals);
  }

  /**
   * The ranks of the remote group in their order. Also when this is closed.
   *
   * @return made anew at each call
   */
  public Group remoteGroup() {
    return group(remotes);
  }

  private Group group(Numbering ranks) {
    return Group.of(union.engine(), union.numbering().jobRank(union.rank()), ranks);
  }

  /**
   * What it is called in {@link #toString}: for people, and on this rank alone.
   *
   * @return the name that {@link #setName} gave it; {@code intercommunicator} and its number, where none was given
   */
  public String name() {
    return between.name();
  }

  /**
   * Names it on this rank.
   *
   * @param name what {@link #name} is to give
   * @throws NullPointerException when the name is null
   */
  public void setName(String name) {
    union.setName(name);
    between.setName(name);
  }

  /**
   * Makes another one of the same groups, whose messages do not mix with this one's. All ranks of both call it.
   *
   * @return to be closed
   * @throws RuntimeException as {@link Communicator#dup}
   */
  public Intercommunicator dup() {
    return new Intercommunicator(union.dup(), first);
  }

  /**
   * Makes intercommunicators of the ranks that name the same color: those of the one group with those of the other. All
   * ranks of both groups call it.
   *
   * @param color 0 or more; {@link Communicator#NO_COLOR}: this rank is in none of them
   * @param key in its group, ranks with a lower one come first, those with the same one in the order that they have
   * @return the one of this rank's color, to be closed; null for {@link Communicator#NO_COLOR}, and when no rank of the
   *   remote group named this color
   * @throws RuntimeException as {@link Communicator#split}
   */
  public Intercommunicator split(int color, int key) {
    return of(union.communicators().split(union, union.forNew("split"), color, key, first));
  }

  /**
   * Makes an intercommunicator of what was made of ranks of both groups in their order; null: it has ranks of one group
   * alone.
   */
  private Intercommunicator of(Communicator made) {
    if (made == null) {
      return null;
    }
    int count = (int) made.numbering().jobRanks().filter(rank -> union.rankOf(rank) < first).count();
    if (count == 0 || count == made.size()) {
      made.close();
      return null;
    }
    return new Intercommunicator(made, count);
  }

  /**
   * Makes a communicator of the ranks of both groups, one group behind the other. All of them call it.
   *
   * @param high whether this rank's group comes second; all ranks of a group say the same, and where both groups say
   * the same, all ranks find the same one to be the first
   * @return the communicator, to be closed
   * @throws CollectiveException when ranks of a group say different things; on all ranks of both
   * @throws RuntimeException as {@link Communicator#dup}
   */
  public Communicator merge(boolean high) {
    Contiguous own = new Contiguous(MemorySegment.ofArray(new byte[] {(byte) (high ? 1 : 0)}), 0, 1);
    byte[] all = new byte[union.size()];
    union.forNew("merge")
        .allgather(Form.BLOCKING, own, new Contiguous(MemorySegment.ofArray(all), 0, all.length), 1, 0);
    requireAlike(all, 0, first);
    requireAlike(all, first, all.length);
    return union.split(0, high && all[0] != all[first] ? 1 : 0);
  }

  private void requireAlike(byte[] all, int from, int to) {
    for (int rank = from + 1; rank < to; rank++) {
      if (all[rank] != all[from]) {
        int jobRank = union.jobRank(rank);
        throw new CollectiveException(
            rank,
            jobRank,
            "merge of rank %d: job rank %d says that its group is %s, and job rank %d of the same group that it is %s"
                .formatted(rank(), jobRank, all[rank] == 1 ? "high" : "low", union.jobRank(from),
                    all[from] == 1 ? "high" : "low"));
      }
    }
  }

  /**
   * Sends a message.
   *
   * @param data what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link Communicator#send(Data, int, int)}
   */
  public void send(Data data, int destination, int tag) {
    between.send(data, destination, tag);
  }

  /**
   * Sends the bytes of a segment.
   *
   * @param segment what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link Communicator#send(MemorySegment, int, int)}
   */
  public void send(MemorySegment segment, int destination, int tag) {
    between.send(segment, destination, tag);
  }

  /**
   * Sends a message, and returns when its receive has begun.
   *
   * @param data what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link Communicator#ssend}
   */
  public void ssend(Data data, int destination, int tag) {
    between.ssend(data, destination, tag);
  }

  /**
   * Receives a message.
   *
   * @param data where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link Communicator#recv(Data, int, int)}
   */
  public Status recv(Data data, int source, int tag) {
    return between.recv(data, source, tag);
  }

  /**
   * Receives a message, with a time limit.
   *
   * @param data where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param limit the longest wait
   * @return source, tag and length
   * @throws RuntimeException as {@link Communicator#recv(Data, int, int, Duration)}
   */
  public Status recv(Data data, int source, int tag, Duration limit) {
    return between.recv(data, source, tag, limit);
  }

  /**
   * Receives a message into a segment.
   *
   * @param segment where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link Communicator#recv(MemorySegment, int, int)}
   */
  public Status recv(MemorySegment segment, int source, int tag) {
    return between.recv(segment, source, tag);
  }

  /**
   * Starts a send.
   *
   * @param data what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return to be waited for
   * @throws RuntimeException as {@link Communicator#isend(Data, int, int)}
   */
  public Request isend(Data data, int destination, int tag) {
    return between.isend(data, destination, tag);
  }

  /**
   * Starts a send.
   *
   * @param data what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request what tells of its end; it is not active
   * @return the request
   * @throws RuntimeException as {@link Communicator#isend(Data, int, int, Request)}
   */
  public Request isend(Data data, int destination, int tag, Request request) {
    return between.isend(data, destination, tag, request);
  }

  /**
   * Starts a send of the bytes of a segment.
   *
   * @param segment what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request what tells of its end; it is not active
   * @return the request
   * @throws RuntimeException as {@link Communicator#isend(MemorySegment, int, int, Request)}
   */
  public Request isend(MemorySegment segment, int destination, int tag, Request request) {
    return between.isend(segment, destination, tag, request);
  }

  /**
   * Starts a send that ends when its receive has begun.
   *
   * @param data what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request what tells of its end; it is not active
   * @return the request
   * @throws RuntimeException as {@link Communicator#issend(Data, int, int, Request)}
   */
  public Request issend(Data data, int destination, int tag, Request request) {
    return between.issend(data, destination, tag, request);
  }

  /**
   * Starts a receive.
   *
   * @param data where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be waited for
   * @throws RuntimeException as {@link Communicator#irecv(Data, int, int)}
   */
  public Request irecv(Data data, int source, int tag) {
    return between.irecv(data, source, tag);
  }

  /**
   * Starts a receive.
   *
   * @param data where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param request what tells of its end; it is not active
   * @return the request
   * @throws RuntimeException as {@link Communicator#irecv(Data, int, int, Request)}
   */
  public Request irecv(Data data, int source, int tag, Request request) {
    return between.irecv(data, source, tag, request);
  }

  /**
   * Starts a receive into a segment.
   *
   * @param segment where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param request what tells of its end; it is not active
   * @return the request
   * @throws RuntimeException as {@link Communicator#irecv(MemorySegment, int, int, Request)}
   */
  public Request irecv(MemorySegment segment, int source, int tag, Request request) {
    return between.irecv(segment, source, tag, request);
  }

  /**
   * Prepares a send that is started again and again.
   *
   * @param data what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return a persistent request, idle
   * @throws RuntimeException as {@link Communicator#sendInit}
   */
  public Request sendInit(Data data, int destination, int tag) {
    return between.sendInit(data, destination, tag);
  }

  /**
   * Prepares a receive that is started again and again.
   *
   * @param data where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return a persistent request, idle
   * @throws RuntimeException as {@link Communicator#recvInit}
   */
  public Request recvInit(Data data, int source, int tag) {
    return between.recvInit(data, source, tag);
  }

  /**
   * Sends and receives at the same time.
   *
   * @param send what is sent
   * @param destination rank of the remote group, or {@link Communicator#NO_RANK}
   * @param sendTag 0 or more
   * @param recv where the message goes
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param recvTag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length of what was received
   * @throws RuntimeException as {@link Communicator#sendrecv}
   */
  public Status sendrecv(Data send, int destination, int sendTag, Data recv, int source, int recvTag) {
    return between.sendrecv(send, destination, sendTag, recv, source, recvTag);
  }

  /**
   * Waits for a message without receiving it.
   *
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return its source, tag and length
   * @throws RuntimeException as {@link Communicator#probe(int, int)}
   */
  public Status probe(int source, int tag) {
    return between.probe(source, tag);
  }

  /**
   * Waits for a message with a time limit, without receiving it.
   *
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param limit the longest wait
   * @return its source, tag and length
   * @throws RuntimeException as {@link Communicator#probe(int, int, Duration)}
   */
  public Status probe(int source, int tag, Duration limit) {
    return between.probe(source, tag, limit);
  }

  /**
   * Tells of a message that is there, without receiving it.
   *
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return its source, tag and length; null when none is there
   * @throws RuntimeException as {@link Communicator#iprobe}
   */
  public Status iprobe(int source, int tag) {
    return between.iprobe(source, tag);
  }

  /**
   * Waits for a message and takes it without receiving it.
   *
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be received or released
   * @throws RuntimeException as {@link Communicator#mprobe(int, int)}
   */
  public Message mprobe(int source, int tag) {
    return between.mprobe(source, tag);
  }

  /**
   * Takes a message that is there without receiving it.
   *
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be received or released; null when none is there
   * @throws RuntimeException as {@link Communicator#improbe}
   */
  public Message improbe(int source, int tag) {
    return between.improbe(source, tag);
  }

  /**
   * Waits for a message and leaves it where it lies until it is released.
   *
   * @param source rank of the remote group, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be released
   * @throws RuntimeException as {@link Communicator#recvMessage}
   */
  public Message recvMessage(int source, int tag) {
    return between.recvMessage(source, tag);
  }

  /**
   * Hands the messages that are there to a handler, and waits for none.
   *
   * @param handler called by this thread; each message is valid until it returns
   * @param limit the most messages, 1 or more
   * @return how many there were
   * @throws RuntimeException as {@link Communicator#poll}
   */
  public int poll(MessageHandler handler, int limit) {
    return between.poll(handler, limit);
  }

  /**
   * Waits for room for a message, which is then written in place and committed.
   *
   * @param destination rank of the remote group
   * @param tag 0 or more
   * @param bytes of the message
   * @return to be committed or aborted
   * @throws RuntimeException as {@link Communicator#claim}
   */
  public Claim claim(int destination, int tag, long bytes) {
    return between.claim(destination, tag, bytes);
  }

  /**
   * Begins a burst: what this thread sends to a rank until it is closed leaves together.
   *
   * @param destination rank of the remote group
   * @return to be closed
   * @throws RuntimeException as {@link Communicator#burst}
   */
  public Burst burst(int destination) {
    return between.burst(destination);
  }

  /**
   * Waits until all ranks of both groups have called this.
   *
   * @throws RuntimeException as {@link Communicator#barrier}
   */
  public void barrier() {
    union.barrier();
  }

  /**
   * Starts a barrier: {@link #barrier}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @return its request, active
   * @throws RuntimeException as {@link #barrier}, before anything is begun
   */
  public Request ibarrier() {
    return ibarrier(new Request());
  }

  /**
   * Starts a barrier like {@link #ibarrier()}, with a request of the caller's: no object is made.
   *
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ibarrier(Request request) {
    return union.ibarrier(request);
  }

  /**
   * Prepares a barrier for a persistent request, see {@link Communicator#barrierInit}.
   *
   * @return its request, inactive
   * @throws RuntimeException as {@link #barrier}, before anything is begun
   */
  public Request barrierInit() {
    return union.barrierInit();
  }

  /**
   * Broadcasts from one rank, the root, to all ranks of the other group. A collective: all ranks of both groups call
   * it, and what is said of {@link Communicator#bcast} holds. In the root's group the others bring nothing and get
   * nothing.
   *
   * @param data what is sent at the root, and where it goes in the other group, of as many bytes; of the others it is
   * not looked at, and may be null
   * @param root the root: its number for the ranks of the other group; in its own group {@link #ROOT} for the root
   * itself, and {@link Communicator#NO_RANK} for the others
   * @throws NullPointerException when the data is null at the root, or in the other group
   * @throws IllegalArgumentException when there is no such root, or the data is read-only where it is to be written
   * @throws RuntimeException as {@link Communicator#bcast}; when ranks name different roots, those that wait for data,
   * or are given some that they did not expect, get a {@link CollectiveException}
   */
  public void bcast(Data data, int root) {
    calls.bcast(Form.BLOCKING, data, root);
  }

  /**
   * Starts a broadcast: {@link #bcast}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @param data as of {@link #bcast}
   * @param root as of {@link #bcast}
   * @return its request, active
   * @throws RuntimeException as {@link #bcast}, before anything is begun; what keeps it from its end is reported by the
   * request
   */
  public Request ibcast(Data data, int root) {
    return ibcast(data, root, new Request());
  }

  /**
   * Starts a broadcast like {@link #ibcast(Data, int)}, with a request of the caller's: no object is made.
   *
   * @param data as of {@link #bcast}
   * @param root as of {@link #bcast}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ibcast(Data data, int root, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.bcast(Form.STARTED, data, root));
  }

  /**
   * Prepares a broadcast for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param data as of {@link #bcast}
   * @param root as of {@link #bcast}
   * @return its request, inactive
   * @throws RuntimeException as {@link #bcast}, before anything is begun
   */
  public Request bcastInit(Data data, int root) {
    return new Request(union, calls.bcast(Form.PREPARED, data, root));
  }

  /**
   * Gathers the data of all ranks of one group at one rank of the other, the root, in the order of their numbers. A
   * collective, see {@link #bcast}.
   *
   * @param in what a rank gives; where the root is, it is not looked at, and may be null
   * @param out at the root where it goes: as many equal blocks, one behind the other, as the remote group has ranks, or
   * {@link Data#parts} of as many parts; of the others it is not looked at, and may be null
   * @param root the root: its number for the ranks of the other group; in its own group {@link #ROOT} for the root
   * itself, and {@link Communicator#NO_RANK} for the others
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when there is no such root, the output does not hold a block of each rank, or the
   * output is read-only; the input is in place
   * @throws RuntimeException as {@link #bcast}
   */
  public void gather(Data in, Data out, int root) {
    calls.gather(Form.BLOCKING, in, out, root);
  }

  /**
   * Starts a gather: {@link #gather}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #gather}
   * @param out as of {@link #gather}
   * @param root as of {@link #gather}
   * @return its request, active
   * @throws RuntimeException as {@link #gather}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request igather(Data in, Data out, int root) {
    return igather(in, out, root, new Request());
  }

  /**
   * Starts a gather like {@link #igather(Data, Data, int)}, with a request of the caller's: no object is made.
   *
   * @param in as of {@link #gather}
   * @param out as of {@link #gather}
   * @param root as of {@link #gather}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request igather(Data in, Data out, int root, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.gather(Form.STARTED, in, out, root));
  }

  /**
   * Prepares a gather for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #gather}
   * @param out as of {@link #gather}
   * @param root as of {@link #gather}
   * @return its request, inactive
   * @throws RuntimeException as {@link #gather}, before anything is begun
   */
  public Request gatherInit(Data in, Data out, int root) {
    return new Request(union, calls.gather(Form.PREPARED, in, out, root));
  }

  /**
   * Scatters the data of one rank, the root, to the ranks of the other group: each gets a block, in the order of their
   * numbers. A collective, see {@link #bcast}.
   *
   * @param in at the root what is given: as many equal blocks, one behind the other, as the remote group has ranks, or
   * {@link Data#parts} of as many parts; of the others it is not looked at, and may be null
   * @param out where a block goes, of as many bytes; where the root is, it is not looked at, and may be null
   * @param root the root: its number for the ranks of the other group; in its own group {@link #ROOT} for the root
   * itself, and {@link Communicator#NO_RANK} for the others
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when there is no such root, the input does not hold a block for each rank, or the
   * output is read-only; the input is in place
   * @throws RuntimeException as {@link #bcast}
   */
  public void scatter(Data in, Data out, int root) {
    calls.scatter(Form.BLOCKING, in, out, root);
  }

  /**
   * Starts a scatter: {@link #scatter}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #scatter}
   * @param out as of {@link #scatter}
   * @param root as of {@link #scatter}
   * @return its request, active
   * @throws RuntimeException as {@link #scatter}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request iscatter(Data in, Data out, int root) {
    return iscatter(in, out, root, new Request());
  }

  /**
   * Starts a scatter like {@link #iscatter(Data, Data, int)}, with a request of the caller's: no object is made.
   *
   * @param in as of {@link #scatter}
   * @param out as of {@link #scatter}
   * @param root as of {@link #scatter}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iscatter(Data in, Data out, int root, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.scatter(Form.STARTED, in, out, root));
  }

  /**
   * Prepares a scatter for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #scatter}
   * @param out as of {@link #scatter}
   * @param root as of {@link #scatter}
   * @return its request, inactive
   * @throws RuntimeException as {@link #scatter}, before anything is begun
   */
  public Request scatterInit(Data in, Data out, int root) {
    return new Request(union, calls.scatter(Form.PREPARED, in, out, root));
  }

  /**
   * Gathers the data of all ranks of each group at all ranks of the other, in the order of their numbers. The groups
   * may give different numbers of bytes, also none. A collective, see {@link #bcast}.
   *
   * @param in what this rank gives to all of the remote group
   * @param out where what they give goes: as many equal blocks, one behind the other, as the remote group has ranks, or
   * {@link Data#parts} of as many parts; it does not overlap the input
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when the output does not hold a block of each rank, or the output is read-only;
   * the input is in place
   * @throws RuntimeException as {@link #bcast}
   */
  public void allgather(Data in, Data out) {
    calls.allgather(Form.BLOCKING, in, out);
  }

  /**
   * Starts an allgather: {@link #allgather}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #allgather}
   * @param out as of {@link #allgather}
   * @return its request, active
   * @throws RuntimeException as {@link #allgather}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request iallgather(Data in, Data out) {
    return iallgather(in, out, new Request());
  }

  /**
   * Starts an allgather like {@link #iallgather(Data, Data)}, with a request of the caller's: no object is made.
   *
   * @param in as of {@link #allgather}
   * @param out as of {@link #allgather}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iallgather(Data in, Data out, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.allgather(Form.STARTED, in, out));
  }

  /**
   * Prepares an allgather for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #allgather}
   * @param out as of {@link #allgather}
   * @return its request, inactive
   * @throws RuntimeException as {@link #allgather}, before anything is begun
   */
  public Request allgatherInit(Data in, Data out) {
    return new Request(union, calls.allgather(Form.PREPARED, in, out));
  }

  /**
   * Gives each rank of the remote group a block, and gets one of each. A collective, see {@link #bcast}.
   *
   * @param in what is given: as many equal blocks, one behind the other, as the remote group has ranks, or
   * {@link Data#parts} of as many parts
   * @param out where what they give goes, likewise; it does not overlap the input
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when input or output does not hold a block for each rank, or the output is read-
   * only; the input is in place
   * @throws RuntimeException as {@link #bcast}
   */
  public void alltoall(Data in, Data out) {
    calls.alltoall(Form.BLOCKING, in, out);
  }

  /**
   * Starts an alltoall: {@link #alltoall}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #alltoall}
   * @param out as of {@link #alltoall}
   * @return its request, active
   * @throws RuntimeException as {@link #alltoall}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request ialltoall(Data in, Data out) {
    return ialltoall(in, out, new Request());
  }

  /**
   * Starts an alltoall like {@link #ialltoall(Data, Data)}, with a request of the caller's: no object is made.
   *
   * @param in as of {@link #alltoall}
   * @param out as of {@link #alltoall}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ialltoall(Data in, Data out, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.alltoall(Form.STARTED, in, out));
  }

  /**
   * Prepares an alltoall for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #alltoall}
   * @param out as of {@link #alltoall}
   * @return its request, inactive
   * @throws RuntimeException as {@link #alltoall}, before anything is begun
   */
  public Request alltoallInit(Data in, Data out) {
    return new Request(union, calls.alltoall(Form.PREPARED, in, out));
  }

  /**
   * Reduces the elements of all ranks of one group, and gives the result to one rank of the other, the root. They are
   * combined from the left in the order of the ranks, as in {@link Communicator#allreduce(Data, Data, Op)}. A
   * collective, see {@link #bcast}.
   *
   * @param in the elements that a rank gives; where the root is, it is not looked at, and may be null
   * @param out where the result goes at the root, of as many elements of the same basic type; of the others it is not
   * looked at, and may be null
   * @param op the operation, which has a meaning for these elements; all ranks of both groups name the same
   * @param root the root: its number for the ranks of the other group; in its own group {@link #ROOT} for the root
   * itself, and {@link Communicator#NO_RANK} for the others
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when there is no such root, the operation has no meaning for the elements, or the
   * output is read-only; the input is in place
   * @throws RuntimeException as {@link #bcast}, and what an operation of the program's own throws
   */
  public void reduce(Data in, Data out, Op op, int root) {
    calls.reduce(Form.BLOCKING, in, out, op, root);
  }

  /**
   * Starts a reduce: {@link #reduce}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #reduce}
   * @param out as of {@link #reduce}
   * @param op as of {@link #reduce}
   * @param root as of {@link #reduce}
   * @return its request, active
   * @throws RuntimeException as {@link #reduce}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request ireduce(Data in, Data out, Op op, int root) {
    return ireduce(in, out, op, root, new Request());
  }

  /**
   * Starts a reduce like {@link #ireduce(Data, Data, Op, int)}, with a request of the caller's: no object is made.
   *
   * @param in as of {@link #reduce}
   * @param out as of {@link #reduce}
   * @param op as of {@link #reduce}
   * @param root as of {@link #reduce}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ireduce(Data in, Data out, Op op, int root, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.reduce(Form.STARTED, in, out, op, root));
  }

  /**
   * Prepares a reduce for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #reduce}
   * @param out as of {@link #reduce}
   * @param op as of {@link #reduce}
   * @param root as of {@link #reduce}
   * @return its request, inactive
   * @throws RuntimeException as {@link #reduce}, before anything is begun
   */
  public Request reduceInit(Data in, Data out, Op op, int root) {
    return new Request(union, calls.reduce(Form.PREPARED, in, out, op, root));
  }

  /**
   * Reduces the elements of all ranks of each group, and gives the result to all ranks of the other: each gets what the
   * remote group has given. They are combined from the left in the order of the ranks, as in
   * {@link Communicator#allreduce(Data, Data, Op)}. A collective, see {@link #bcast}.
   *
   * @param in the elements of this rank, in both groups as many
   * @param out where the result of the remote group goes, of as many elements of the same basic type; it does not
   * overlap the input
   * @param op the operation, which has a meaning for these elements; all ranks of both groups name the same
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when the operation has no meaning for the elements, or those of both sides differ,
   * or the output is read-only; the input is in place
   * @throws RuntimeException as {@link #bcast}, and what an operation of the program's own throws
   */
  public void allreduce(Data in, Data out, Op op) {
    calls.allreduce(Form.BLOCKING, in, out, op);
  }

  /**
   * Starts an allreduce: {@link #allreduce}, whose end the request tells of. See {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #allreduce}
   * @param out as of {@link #allreduce}
   * @param op as of {@link #allreduce}
   * @return its request, active
   * @throws RuntimeException as {@link #allreduce}, before anything is begun; what keeps it from its end is reported by
   * the request
   */
  public Request iallreduce(Data in, Data out, Op op) {
    return iallreduce(in, out, op, new Request());
  }

  /**
   * Starts an allreduce like {@link #iallreduce(Data, Data, Op)}, with a request of the caller's: no object is made.
   *
   * @param in as of {@link #allreduce}
   * @param out as of {@link #allreduce}
   * @param op as of {@link #allreduce}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request iallreduce(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.allreduce(Form.STARTED, in, out, op));
  }

  /**
   * Prepares an allreduce for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #allreduce}
   * @param out as of {@link #allreduce}
   * @param op as of {@link #allreduce}
   * @return its request, inactive
   * @throws RuntimeException as {@link #allreduce}, before anything is begun
   */
  public Request allreduceInit(Data in, Data out, Op op) {
    return new Request(union, calls.allreduce(Form.PREPARED, in, out, op));
  }

  /**
   * Reduces the elements of all ranks of each group, and gives the result to the other, a block to each of its ranks in
   * the order of their numbers. They are combined from the left in the order of the ranks, as in
   * {@link Communicator#allreduce(Data, Data, Op)}. A collective, see {@link #bcast}.
   *
   * @param in the elements of this rank: in both groups as many, a multiple of the ranks of either
   * @param out where this rank's block of the result of the remote group goes, of the same basic type; it does not
   * overlap the input
   * @param op the operation, which has a meaning for these elements; all ranks of both groups name the same
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when the operation has no meaning for the elements, or the groups cannot divide
   * them, or the output is read-only; the input is in place
   * @throws RuntimeException as {@link #bcast}, and what an operation of the program's own throws
   */
  public void reduceScatterBlock(Data in, Data out, Op op) {
    calls.reduceScatterBlock(Form.BLOCKING, in, out, op);
  }

  /**
   * Starts a reduceScatterBlock: {@link #reduceScatterBlock}, whose end the request tells of. See
   * {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #reduceScatterBlock}
   * @param out as of {@link #reduceScatterBlock}
   * @param op as of {@link #reduceScatterBlock}
   * @return its request, active
   * @throws RuntimeException as {@link #reduceScatterBlock}, before anything is begun; what keeps it from its end is
   * reported by the request
   */
  public Request ireduceScatterBlock(Data in, Data out, Op op) {
    return ireduceScatterBlock(in, out, op, new Request());
  }

  /**
   * Starts a reduceScatterBlock like {@link #ireduceScatterBlock(Data, Data, Op)}, with a request of the caller's: no
   * object is made.
   *
   * @param in as of {@link #reduceScatterBlock}
   * @param out as of {@link #reduceScatterBlock}
   * @param op as of {@link #reduceScatterBlock}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ireduceScatterBlock(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.reduceScatterBlock(Form.STARTED, in, out, op));
  }

  /**
   * Prepares a reduceScatterBlock for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #reduceScatterBlock}
   * @param out as of {@link #reduceScatterBlock}
   * @param op as of {@link #reduceScatterBlock}
   * @return its request, inactive
   * @throws RuntimeException as {@link #reduceScatterBlock}, before anything is begun
   */
  public Request reduceScatterBlockInit(Data in, Data out, Op op) {
    return new Request(union, calls.reduceScatterBlock(Form.PREPARED, in, out, op));
  }

  /**
   * Reduces and scatters in parts of any lengths: like {@link #reduceScatterBlock}, but each rank gets a part of the
   * result of the remote group that is as long as {@link Data#parts} says. A collective, see {@link #bcast}.
   *
   * @param in the elements of this rank, in as many parts as the local group has ranks: part r is of the same length at
   * all ranks of a group, also empty, and says how much rank r of this group gets. In both groups all parts together
   * are as long
   * @param out where the result goes, of the length of this rank's part and the same basic type; it does not overlap
   * the input
   * @param op the operation, which has a meaning for these elements; all ranks of both groups name the same
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when the operation has no meaning for the elements, there are not as many parts as
   * ranks in the local group, the output is not as long as this rank's, or is read-only; the input is in place
   * @throws RuntimeException as {@link #bcast}, and what an operation of the program's own throws
   */
  public void reduceScatter(Data in, Data out, Op op) {
    calls.reduceScatter(Form.BLOCKING, in, out, op);
  }

  /**
   * Starts a reduceScatter: {@link #reduceScatter}, whose end the request tells of. See
   * {@link Communicator#ibarrier()}.
   *
   * @param in as of {@link #reduceScatter}
   * @param out as of {@link #reduceScatter}
   * @param op as of {@link #reduceScatter}
   * @return its request, active
   * @throws RuntimeException as {@link #reduceScatter}, before anything is begun; what keeps it from its end is
   * reported by the request
   */
  public Request ireduceScatter(Data in, Data out, Op op) {
    return ireduceScatter(in, out, op, new Request());
  }

  /**
   * Starts a reduceScatter like {@link #ireduceScatter(Data, Data, Op)}, with a request of the caller's: no object is
   * made.
   *
   * @param in as of {@link #reduceScatter}
   * @param out as of {@link #reduceScatter}
   * @param op as of {@link #reduceScatter}
   * @param request inactive; not persistent
   * @return that request, active
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as without one
   */
  public Request ireduceScatter(Data in, Data out, Op op, Request request) {
    Request.requireFree(request);
    return request.begin(union, calls.reduceScatter(Form.STARTED, in, out, op));
  }

  /**
   * Prepares a reduceScatter for a persistent request, which starts it again and again with the same buffers, see
   * {@link Communicator#bcastInit}.
   *
   * @param in as of {@link #reduceScatter}
   * @param out as of {@link #reduceScatter}
   * @param op as of {@link #reduceScatter}
   * @return its request, inactive
   * @throws RuntimeException as {@link #reduceScatter}, before anything is begun
   */
  public Request reduceScatterInit(Data in, Data out, Op op) {
    return new Request(union, calls.reduceScatter(Form.PREPARED, in, out, op));
  }

  /**
   * Ranks of the remote group that have failed, see {@link Communicator#failedRanks}.
   *
   * @return their numbers there, ascending, empty when none has
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> failedRanks() {
    return between.failedRanks();
  }

  /**
   * Goes on without the ranks of the remote group that have failed: receives from any source do, see
   * {@link Communicator#acknowledgeFailedRanks}.
   *
   * @return the numbers of all that are acknowledged now
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> acknowledgeFailedRanks() {
    return between.acknowledgeFailedRanks();
  }

  /**
   * Ranks of the remote group that have left the job in order, see {@link Communicator#leftRanks}.
   *
   * @return their numbers there, ascending, empty when none has
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> leftRanks() {
    return between.leftRanks();
  }

  /**
   * Says that the program knows of the ranks of the remote group that have left the job in order, see
   * {@link Communicator#acknowledgeLeftRanks}.
   *
   * @return the numbers of all that are acknowledged now
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> acknowledgeLeftRanks() {
    return between.acknowledgeLeftRanks();
  }

  /**
   * Revokes it: all that ranks of both groups wait for here ends, see {@link Communicator#revoke}.
   *
   * @throws RuntimeException as there
   */
  public void revoke() {
    union.revoke();
  }

  /**
   * Agrees on flags among the ranks of both groups that live, see {@link Communicator#agree}.
   *
   * @param flags this rank's
   * @return the flags that all have set
   * @throws RuntimeException as there
   */
  public int agree(int flags) {
    return union.agree(flags);
  }

  /**
   * Makes an intercommunicator of the ranks of both groups that live, in their order, see {@link Communicator#shrink}.
   *
   * @return to be closed; null: no rank of one of the groups lives
   * @throws RuntimeException as there
   */
  public Intercommunicator shrink() {
    return of(union.shrink());
  }

  /**
   * Ends it on this rank, see {@link Communicator#close}; nobody is waited for.
   *
   * @throws IllegalStateException when it is closed, or receives that were started on it are not complete
   */
  @Override
  public void close() {
    between.requireOpen("close");
    union.close(between);
  }

  @Override
  public String toString() {
    return "%s: rank %d of %d, facing %d%s".formatted(
        name(), rank(), size(), remoteSize(), between.isOpen() ? "" : ", closed");
  }
}
