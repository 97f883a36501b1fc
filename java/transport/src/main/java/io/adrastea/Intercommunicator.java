package io.adrastea;

import io.adrastea.comm.Communicators;
import io.adrastea.comm.IntercommunicatorCalls;
import io.adrastea.comm.IntercommunicatorMaking;
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
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Two groups of ranks that talk to each other: a server and its clients, a model and what shows it. Each rank is in one
 * group, the <em>local</em> one; the other is the <em>remote</em> one. A rank that is named, as the destination of a
 * message, its source, or the root of a collective, is a rank of the remote group, and so are the ranks that
 * {@link #failedRanks} and the like tell of. Messages of an intercommunicator meet no others.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "intercommunicator"}
 *
 * <p>
 * It is no {@link Communicator}. The calls that both have, messages and collectives among them, are told of in
 * {@link AnyCommunicator}. In collectives what one group gives, the other gets. All ranks of both groups call them.
 * They go through shared memory, without messages, where all ranks share it. Where one of the two groups has a root,
 * its rank calls with {@link #ROOT}, the other ranks of its group with {@link Communicator#NO_RANK}, and the ranks of
 * the other group with the root's number.
 *
 * <p>
 * Exceptions of collectives name a rank by its number among those of both groups, as {@link #merge merge(false)} gives
 * it to it, and by its number in the job, which says for certain which it is.
 */
public final class Intercommunicator implements AnyCommunicator {
  /** As the root of a collective: the calling rank is it. */
  public static final int ROOT = IntercommunicatorCalls.ROOT;

  private final Communicator union; // of the ranks of both groups, one group behind the other
  private final int first; // ranks of the group that comes first
  private final Communicator between; // the messages; its ranks are the remote group
  private final Numbering locals;
  private final Numbering remotes;
  private final IntercommunicatorCalls calls;
  private final CollectiveRequests started;
  private final CollectiveRequests persistent;

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
    this.between = union.face(union.state().between(remotes, isFirst ? union.rank() : union.rank() - first));
    this.calls = new IntercommunicatorCalls(
        union.collectives("an intercommunicator"),
        isFirst ? new Groups(0, first, first, union.size() - first)
            : new Groups(first, union.size() - first, 0, first),
        between.rank());
    this.started = new CollectiveRequests(this, union, calls, Form.STARTED, null);
    this.persistent = new CollectiveRequests(this, union, calls, Form.PREPARED, null);
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
   * @throws CapabilityException when a rank takes part in no collective; nothing was begun
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
    Objects.requireNonNull(local, "the local communicator is null");
    IntercommunicatorMaking.Union made =
        IntercommunicatorMaking.make(
            local.state(), localLeader, peer == null ? null : peer.state(), remoteLeader, tag);
    return new Intercommunicator(local.face(made.state()), made.first());
  }

  /** What has the messages. */
  Communicator between() {
    return between;
  }

  @Override
  public int rank() {
    return between.rank();
  }

  @Override
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

  @Override
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

  @Override
  public String name() {
    return between.name();
  }

  @Override
  public void setName(String name) {
    union.setName(name);
    between.setName(name);
  }

  @Override
  public Intercommunicator dup() {
    return new Intercommunicator(union.dup(), first);
  }

  @Override
  public StartedDup<Intercommunicator> idup() {
    return union.idup(made -> new Intercommunicator(made, first));
  }

  @Override
  public Intercommunicator split(int color, int key) {
    return of(union.face(Communicators.split(union.state(), union.state().forNew("split"), color, key, first)));
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
    union.state().forNew("merge")
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

  @Override
  public void send(Data data, int destination, int tag) {
    between.send(data, destination, tag);
  }

  @Override
  public void send(Data whole, long first, long count, int destination, int tag) {
    between.send(whole, first, count, destination, tag);
  }

  @Override
  public void send(MemorySegment segment, int destination, int tag) {
    between.send(segment, destination, tag);
  }

  @Override
  public void send(MemorySegment segment, long offset, long bytes, int destination, int tag) {
    between.send(segment, offset, bytes, destination, tag);
  }

  @Override
  public void ssend(Data data, int destination, int tag) {
    between.ssend(data, destination, tag);
  }

  @Override
  public Status recv(Data data, int source, int tag) {
    return between.recv(data, source, tag);
  }

  @Override
  public Status recv(Data whole, long first, long count, int source, int tag) {
    return between.recv(whole, first, count, source, tag);
  }

  @Override
  public Status recv(Data data, int source, int tag, Duration limit) {
    return between.recv(data, source, tag, limit);
  }

  @Override
  public Status recv(MemorySegment segment, int source, int tag) {
    return between.recv(segment, source, tag);
  }

  @Override
  public Status recv(MemorySegment segment, long offset, long bytes, int source, int tag) {
    return between.recv(segment, offset, bytes, source, tag);
  }

  @Override
  public Request isend(Data data, int destination, int tag, Request request) {
    return between.isend(data, destination, tag, request);
  }

  @Override
  public Request isend(Data whole, long first, long count, int destination, int tag, Request request) {
    return between.isend(whole, first, count, destination, tag, request);
  }

  @Override
  public Request isend(MemorySegment segment, int destination, int tag, Request request) {
    return between.isend(segment, destination, tag, request);
  }

  @Override
  public Request isend(
      MemorySegment segment, long offset, long bytes, int destination, int tag, Request request) {
    return between.isend(segment, offset, bytes, destination, tag, request);
  }

  @Override
  public Request issend(Data data, int destination, int tag, Request request) {
    return between.issend(data, destination, tag, request);
  }

  @Override
  public Request irecv(Data data, int source, int tag, Request request) {
    return between.irecv(data, source, tag, request);
  }

  @Override
  public Request irecv(Data whole, long first, long count, int source, int tag, Request request) {
    return between.irecv(whole, first, count, source, tag, request);
  }

  @Override
  public Request irecv(MemorySegment segment, int source, int tag, Request request) {
    return between.irecv(segment, source, tag, request);
  }

  @Override
  public Request irecv(
      MemorySegment segment, long offset, long bytes, int source, int tag, Request request) {
    return between.irecv(segment, offset, bytes, source, tag, request);
  }

  @Override
  public Status sendrecv(Data send, int destination, int sendTag, Data recv, int source, int recvTag) {
    return between.sendrecv(send, destination, sendTag, recv, source, recvTag);
  }

  @Override
  public Status sendrecvReplace(Data data, int destination, int sendTag, int source, int recvTag) {
    return between.sendrecvReplace(data, destination, sendTag, source, recvTag);
  }

  @Override
  public Request sendInit(Data data, int destination, int tag) {
    return between.sendInit(data, destination, tag);
  }

  @Override
  public Request ssendInit(Data data, int destination, int tag) {
    return between.ssendInit(data, destination, tag);
  }

  @Override
  public Request recvInit(Data data, int source, int tag) {
    return between.recvInit(data, source, tag);
  }

  @Override
  public void recv(int source, int tag, MessageHandler handler) {
    between.recv(source, tag, handler);
  }

  @Override
  public int poll(MessageHandler handler, int limit) {
    return between.poll(handler, limit);
  }

  @Override
  public Message recvMessage(int source, int tag) {
    return between.recvMessage(source, tag);
  }

  @Override
  public Message tryRecvMessage(int source, int tag) {
    return between.tryRecvMessage(source, tag);
  }

  @Override
  public Message mprobe(int source, int tag) {
    return between.mprobe(source, tag);
  }

  @Override
  public Message mprobe(int source, int tag, Duration limit) {
    return between.mprobe(source, tag, limit);
  }

  @Override
  public Message improbe(int source, int tag) {
    return between.improbe(source, tag);
  }

  @Override
  public Claim claim(int destination, int tag, long bytes) {
    return between.claim(destination, tag, bytes);
  }

  @Override
  public Claim tryClaim(int destination, int tag, long bytes) {
    return between.tryClaim(destination, tag, bytes);
  }

  @Override
  public Burst burst(int destination) {
    return between.burst(destination);
  }

  @Override
  public Status probe(int source, int tag) {
    return between.probe(source, tag);
  }

  @Override
  public Status probe(int source, int tag, Duration limit) {
    return between.probe(source, tag, limit);
  }

  @Override
  public Status iprobe(int source, int tag) {
    return between.iprobe(source, tag);
  }

  @Override
  public void barrier() {
    union.barrier();
  }

  @Override
  public void bcast(Data data, int root) {
    calls.bcast(Form.BLOCKING, union.placement(data), root);
  }

  @Override
  public void gather(Data in, Data out, int root) {
    calls.gather(Form.BLOCKING, union.placement(in), union.placement(out), root);
  }

  @Override
  public void scatter(Data in, Data out, int root) {
    calls.scatter(Form.BLOCKING, union.placement(in), union.placement(out), root);
  }

  @Override
  public void allgather(Data in, Data out) {
    calls.allgather(Form.BLOCKING, union.placement(in), union.placement(out));
  }

  @Override
  public void alltoall(Data in, Data out) {
    calls.alltoall(Form.BLOCKING, union.placement(in), union.placement(out));
  }

  @Override
  public void reduce(Data in, Data out, Op op, int root) {
    calls.reduce(Form.BLOCKING, union.placement(in), union.placement(out), Op.map(op), root);
  }

  @Override
  public void allreduce(Data in, Data out, Op op) {
    calls.allreduce(Form.BLOCKING, union.placement(in), union.placement(out), Op.map(op));
  }

  @Override
  public void reduceScatterBlock(Data in, Data out, Op op) {
    calls.reduceScatterBlock(Form.BLOCKING, union.placement(in), union.placement(out), Op.map(op));
  }

  @Override
  public void reduceScatter(Data in, Data out, Op op) {
    calls.reduceScatter(Form.BLOCKING, union.placement(in), union.placement(out), Op.map(op));
  }

  @Override
  public CollectiveRequests started() {
    return started;
  }

  @Override
  public CollectiveRequests started(Request mine) {
    CollectiveRequests kept = Request.requireNonNull(mine).callsOf(this);
    return kept == null ? mine.keep(new CollectiveRequests(this, union, calls, Form.STARTED, mine)) : kept;
  }

  @Override
  public CollectiveRequests persistent() {
    return persistent;
  }

  @Override
  public List<Integer> failedRanks() {
    return between.failedRanks();
  }

  @Override
  public List<Integer> acknowledgeFailedRanks() {
    return between.acknowledgeFailedRanks();
  }

  @Override
  public List<Integer> leftRanks() {
    return between.leftRanks();
  }

  @Override
  public List<Integer> acknowledgeLeftRanks() {
    return between.acknowledgeLeftRanks();
  }

  @Override
  public void revoke() {
    union.revoke();
  }

  @Override
  public int agree(int flags) {
    return union.agree(flags);
  }

  @Override
  public Intercommunicator shrink() {
    return of(union.shrink());
  }

  @Override
  public void release() {
    union.release(between);
  }

  @Override
  public void close() {
    union.close(between);
  }

  @Override
  public String toString() {
    return "%s: rank %d of %d, facing %d%s".formatted(
        name(), rank(), size(), remoteSize(), between.state().isOpen() ? "" : ", closed");
  }
}
