package io.adrastea;

import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import io.adrastea.error.RevokedException;
import io.adrastea.error.SegmentException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/**
 * What both kinds of communicators have: {@link Communicator}, whose ranks talk among themselves, and
 * {@link Intercommunicator}, in which the ranks of two groups talk to each other. A rank that a call names, as the
 * destination of a message, its source or the root of a collective, is one of the communicator, which may be the
 * calling one; in an intercommunicator it is one of the other group, the remote one.
 *
 * <p>
 * What is sent, and where a message goes, is {@link Data}: an array, a segment, a byte buffer, or an I/O vector of
 * several pieces of memory. {@code send}, {@code recv}, {@code isend} and {@code irecv} take a slice of it, and a
 * segment as it is, too, and make no object for it. A send may be shorter than the data that receives it, never longer.
 * Messages are also read, and written, where they lie: {@link #recvMessage}, {@link #claim}.
 *
 * <p>
 * A large message ({@code adrastea.eager.bytes}) is not buffered: its bytes stay where they are until a receive has
 * matched it, and then go straight to the receiver's memory where the system allows it [MPICH2 2007, 3.2]. So a
 * blocking send of one returns when it was received, and two ranks that both send one before they receive wait for each
 * other: use {@link #sendrecv} or {@link #isend}. Fastest are {@link Job#allocate shared allocations}, then native
 * memory, then arrays. Operations that were started and are not waited for move on inside other calls only.
 *
 * <p>
 * All calls check their arguments before anything is sent, and throw: {@link NullPointerException},
 * {@link IllegalArgumentException} (rank, tag, read-only receive buffer), {@link IndexOutOfBoundsException} (offset,
 * count), {@link IllegalStateException} (closed arena, closed job), {@link WrongThreadException} (confined buffer),
 * {@link ConcurrentUseException}; calls that wait also {@link RankFailedException} when the peer died or left, and
 * receives {@link TruncationException}.
 *
 * <p>
 * An interrupt ends a wait with {@link InterruptedWaitException}; the interrupt stays set, and calls that need not wait
 * do not look at it. A receive, or a claim, is taken back then; one whose message has begun to come goes on to its end,
 * so that none is lost. A send of which nothing has gone out is taken back; one of which some pieces have is called
 * off, which its receiver gets as an exception. A large one, whose bytes its receiver may take at any moment, is taken
 * back once the receiver has noticed, in its next call; it goes on when a receive has matched it. A probe, a barrier or
 * {@link Request#await} leaves all as it is, and can be called again.
 *
 * <p>
 * The calling thread may be a virtual one, but a wait keeps its carrier: give ranks that wait platform threads, or ask
 * with {@link #iprobe}, {@link Request#test} and the like, which return at once.
 */
public sealed interface AnyCommunicator extends AutoCloseable permits Communicator, Intercommunicator {
  /**
   * This process's number here; in an intercommunicator that in its own group, the local one.
   *
   * @return 0 to size − 1
   */
  int rank();

  /**
   * How many ranks there are here; in an intercommunicator those of the local group.
   *
   * @return 1 or more
   */
  int size();

  /**
   * The ranks of this communicator in their order, or those of the local group, as a group to make others of. Also when
   * it is closed.
   *
   * @return made anew at each call
   */
  Group group();

  /**
   * What the communicator is called in {@code toString}: for people, and on this rank alone.
   *
   * @return the name that {@link #setName} gave it; {@code world}, or {@code communicator} or {@code intercommunicator}
   *   and its number, where none was given
   */
  String name();

  /**
   * Names the communicator on this rank.
   *
   * @param name what {@link #name} is to give
   * @throws NullPointerException when the name is null
   */
  void setName(String name);

  /**
   * Makes another communicator of the same ranks in the same order, whose messages do not mix with this one's: for a
   * library, which so keeps its messages apart from those of its caller. All ranks of this communicator call it, of an
   * intercommunicator those of both groups. What this one's failures acknowledged, its name and its messages are, the
   * new one does not take over.
   *
   * @return the new communicator, to be closed
   * @throws CapabilityException when a rank takes part in no collective (C ranks of {@code job.h}); nothing was begun
   * @throws AdrasteaException when all numbers of communicators are taken; on all ranks
   * @throws SegmentException when there is no room for its slot in shared memory, on rank 0; the others then get an
   * {@link AdrasteaException}
   * @throws RankFailedException when a rank died or left that this one waited for
   * @throws IllegalStateException when this communicator is closed, or the job was left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   */
  AnyCommunicator dup();

  /**
   * Starts what {@link #dup} does, and returns at once (MPI_Comm_idup): a collective, see {@link #bcast}. The ranks
   * tell each other of the new communicator while the program does something else. Once the request of what this
   * returns has reported that it is complete, the communicator is there.
   *
   * @return the communicator that is being made, and its request
   * @throws CapabilityException as {@link #dup}
   * @throws IllegalStateException likewise
   * @throws RuntimeException what keeps a started collective from being begun, as {@link CollectiveRequests#bcast}
   */
  StartedDup<? extends AnyCommunicator> idup();

  /**
   * Makes communicators of the ranks that name the same color; of an intercommunicator those of the one group with
   * those of the other. All ranks of this communicator call it.
   *
   * @param color 0 or more; {@link Communicator#NO_COLOR}: this rank is in none of them
   * @param key ranks with a lower one come first, those with the same one in the order that they have here; in an
   * intercommunicator each group for itself
   * @return the communicator of this rank's color, to be closed; null for {@link Communicator#NO_COLOR}, and in an
   *   intercommunicator when no rank of the remote group named this color
   * @throws IllegalArgumentException when there is no such color; nothing was begun
   * @throws CapabilityException as {@link #dup}
   * @throws AdrasteaException as there, on the ranks of that color
   * @throws SegmentException as there
   * @throws RankFailedException when a rank died or left
   * @throws IllegalStateException as {@link #dup}
   * @throws InterruptedWaitException as there
   */
  AnyCommunicator split(int color, int key);

  /**
   * Ranks of this communicator, or of the remote group, that have failed: they gave up, or their processes are gone
   * without having closed the job, whatever the exit code. Looks at all of them now. Those that left in order
   * ({@link #leftRanks}) are not among them. Any thread may call, at any {@link ThreadLevel}.
   *
   * @return their numbers there, ascending, empty when none has; a list that does not change, and that of this moment
   *   only: a rank does not come back
   * @throws IllegalStateException when the job was left
   */
  List<Integer> failedRanks();

  /**
   * Goes on without the ranks of this communicator that have failed. As long as a failure is not acknowledged every
   * receive and probe from {@link Communicator#ANY_SOURCE} fails with it, since the message might have come from that
   * rank. Afterwards they wait for the ranks that are there, and fail for a rank that fails later, until that is
   * acknowledged too; also one that is pending, if it has not failed yet. So a server whose clients may die
   * acknowledges, and receives again ({@code run --keep-going} keeps the launcher from ending the job). Clients that
   * leave in order end its receive once no other rank is there any more, see {@link #acknowledgeLeftRanks}:
   *
   * {@snippet :
   * while (!clients.isEmpty()) { // a Set of ranks
   *   try {
   *     answer(world.recv(request, ANY_SOURCE, REQUEST));
   *   } catch (RankLeftException e) {
   *     world.acknowledgeLeftRanks().forEach(clients::remove);
   *   } catch (RankFailedException e) {
   *     world.acknowledgeFailedRanks().forEach(clients::remove);
   *   }
   * }
   * }
   *
   * <p>
   * Or it acknowledges in the handler of {@link Job#onRankFailure}, which is called before a receive that waits fails:
   * then the one that the thread waits in goes on. Messages that a failed rank has sent are received all the same; one
   * that breaks off fails its receive, once. What needs a failed rank by its number, and the barrier, fail as before.
   * When no other rank is there any more, because each has failed or left, a receive from any fails, acknowledged or
   * not, since nobody could send; with {@link ThreadLevel#MULTIPLE} it waits for other threads of this rank, once all
   * others are acknowledged.
   *
   * <p>
   * Looks at all ranks now. An acknowledgement is this rank's alone, and this communicator's, and cannot be taken back.
   * Any thread may call, at any {@link ThreadLevel}, also from a handler. After MPIX_Comm_failure_ack and
   * MPIX_Comm_failure_get_acked of ULFM, MPI's User Level Failure Mitigation.
   *
   * @return all that have failed, and are acknowledged now: their numbers here, ascending, empty when none has; a list
   *   that does not change
   * @throws IllegalStateException when the job was left
   */
  List<Integer> acknowledgeFailedRanks();

  /**
   * Ranks of this communicator that have left the job in order: they have closed it. Looks at all of them now. Those
   * that have failed ({@link #failedRanks}) are not among them. Any thread may call, at any {@link ThreadLevel}.
   *
   * @return their numbers here, ascending, empty when none has; a list that does not change, and that of this moment
   *   only: a rank does not come back
   * @throws IllegalStateException when the job was left
   */
  List<Integer> leftRanks();

  /**
   * Says that the program knows of the ranks of this communicator that have left the job in order. A rank that leaves
   * keeps no receive from {@link Communicator#ANY_SOURCE} waiting that another rank can still end, so such a receive,
   * or probe, fails for ranks that left only when no other rank is there any more: with a {@link RankLeftException} if
   * one of these is not acknowledged, whatever the {@link ThreadLevel}. All that they had sent was received by then.
   * After the acknowledgement such a receive still fails, since nobody could send; but with
   * {@link ThreadLevel#MULTIPLE} it waits for other threads of this rank.
   *
   * <p>
   * Looks at all ranks now. An acknowledgement is this rank's alone, and this communicator's, and cannot be taken back.
   * Any thread may call, at any {@link ThreadLevel}, also from a handler of {@link Job#onRankFailure}.
   *
   * @return all that have left, and are acknowledged now: their numbers here, ascending, empty when none has; a list
   *   that does not change
   * @throws IllegalStateException when the job was left
   */
  List<Integer> acknowledgeLeftRanks();

  /**
   * Sends data; returns when its memory can be used again, which may be before it is received.
   *
   * @param data what is sent
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the memory's arena is closed, a claim for that rank is open, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  void send(Data data, int destination, int tag);

  /**
   * Sends a slice of data, like {@link #send(Data, int, int)} of {@code whole.part(first, count)}, and makes no object
   * for it where the data is an array or contiguous memory.
   *
   * @param whole what it is a slice of
   * @param first the first element of the slice, or the first byte where there is no type
   * @param count elements, 0 or more, or bytes
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws IndexOutOfBoundsException when the data does not hold the slice
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  void send(Data whole, long first, long count, int destination, int tag);

  /**
   * Sends a segment, like {@link #send(Data, int, int)}.
   *
   * @param segment all of it is sent
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  void send(MemorySegment segment, int destination, int tag);

  /**
   * Sends bytes of a segment, like {@link #send(Data, int, int)}.
   *
   * @param segment where the bytes lie
   * @param offset the first of them
   * @param bytes how many, 0 or more
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  void send(MemorySegment segment, long offset, long bytes, int destination, int tag);

  /**
   * Sends data synchronously: returns when a receive has matched the message, and its memory can be used again. No
   * message is buffered for it, so it waits for ever where nobody receives; one to this rank itself needs a receive
   * that was started before, or that another thread calls. An interrupt takes it back once the receiver has noticed, if
   * no receive has matched it by then, as that of a large message. A matched probe and {@link #recvMessage} match, and
   * so does {@link #tryRecvMessage} once it has begun to fetch the message.
   *
   * @param data what is sent
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @throws CapabilityException when that rank does not tell when it has matched a message, as a C rank does not
   * @throws UnsupportedOperationException when the cells of the job, or the pieces of the link to that rank, are too
   * small
   * @throws RuntimeException as {@link #send(Data, int, int)}
   */
  void ssend(Data data, int destination, int tag);

  /**
   * Receives into data; returns when the message is there.
   *
   * @param data where the message goes; its length is the most that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the data is read-only or has a byte twice
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws TruncationException when the message is longer than the data
   * @throws TypeMismatchException when the basic types of the message are others, and the job checks types
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Status recv(Data data, int source, int tag);

  /**
   * Receives into a slice of data, like {@link #recv(Data, int, int)} into {@code whole.part(first, count)}, and makes
   * no object for it where the data is an array or contiguous memory.
   *
   * @param whole what it is a slice of
   * @param first the first element of the slice, or the first byte where there is no type
   * @param count the most elements, or bytes, that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length
   * @throws IndexOutOfBoundsException when the data does not hold the slice
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  Status recv(Data whole, long first, long count, int source, int tag);

  /**
   * Receives with a time limit, like {@link #recv(Data, int, int)}.
   *
   * @param data where the message goes
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param limit the longest wait for the message to begin to come; none where it is not above zero
   * @return source, tag and length
   * @throws TimeLimitException when none has come: nothing was received, and the memory is free
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  Status recv(Data data, int source, int tag, Duration limit);

  /**
   * Receives into a segment, like {@link #recv(Data, int, int)}.
   *
   * @param segment where the message goes; its length is the most that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  Status recv(MemorySegment segment, int source, int tag);

  /**
   * Receives into bytes of a segment, like {@link #recv(Data, int, int)}.
   *
   * @param segment where the message goes
   * @param offset the first byte
   * @param bytes the most that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #recv(Data, int, int)}
   */
  Status recv(MemorySegment segment, long offset, long bytes, int source, int tag);

  /**
   * Starts a send.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the memory's arena is closed, a claim for that rank is open, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  default Request isend(Data data, int destination, int tag) {
    return isend(data, destination, tag, new Request());
  }

  /**
   * Starts a send like {@link #isend(Data, int, int)}, with a request of the caller's: no object is made.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IllegalArgumentException when the request is persistent
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  Request isend(Data data, int destination, int tag, Request request);

  /**
   * Starts a send of a slice of data, like {@link #isend(Data, int, int)}.
   *
   * @param whole what it is a slice of
   * @param first the first element of the slice, or the first byte where there is no type
   * @param count elements, 0 or more, or bytes
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws IndexOutOfBoundsException when the data does not hold the slice
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  default Request isend(Data whole, long first, long count, int destination, int tag) {
    return isend(whole, first, count, destination, tag, new Request());
  }

  /**
   * Starts a send of a slice of data, like {@link #isend(Data, int, int, Request)}: no object is made where the data is
   * an array or contiguous memory.
   *
   * @param whole what it is a slice of
   * @param first the first element of the slice, or the first byte where there is no type
   * @param count elements, 0 or more, or bytes
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the data does not hold the slice
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  Request isend(Data whole, long first, long count, int destination, int tag, Request request);

  /**
   * Starts a send of a segment, like {@link #isend(Data, int, int)}.
   *
   * @param segment not to be changed until completion
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  default Request isend(MemorySegment segment, int destination, int tag) {
    return isend(segment, destination, tag, new Request());
  }

  /**
   * Starts a send of a segment with a request of the caller's, like {@link #isend(Data, int, int, Request)}.
   *
   * @param segment not to be changed until completion
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  Request isend(MemorySegment segment, int destination, int tag, Request request);

  /**
   * Starts a send of bytes of a segment, like {@link #isend(Data, int, int)}.
   *
   * @param segment where the bytes lie
   * @param offset the first of them
   * @param bytes how many, 0 or more
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  default Request isend(MemorySegment segment, long offset, long bytes, int destination, int tag) {
    return isend(segment, offset, bytes, destination, tag, new Request());
  }

  /**
   * Starts a send of bytes of a segment with a request of the caller's, like {@link #isend(Data, int, int, Request)}.
   *
   * @param segment where the bytes lie
   * @param offset the first of them
   * @param bytes how many, 0 or more
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #isend(Data, int, int, Request)}
   */
  Request isend(
      MemorySegment segment, long offset, long bytes, int destination, int tag, Request request);

  /**
   * Starts a synchronous send, which is complete when a receive has matched the message and its memory can be used
   * again, see {@link #ssend}. It cannot be cancelled once it is out.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return to be completed
   * @throws CapabilityException when that rank does not tell when it has matched a message, as a C rank does not
   * @throws UnsupportedOperationException when the cells of the job, or the pieces of the link to that rank, are too
   * small
   * @throws RuntimeException as {@link #isend(Data, int, int)}
   */
  default Request issend(Data data, int destination, int tag) {
    return issend(data, destination, tag, new Request());
  }

  /**
   * Starts a synchronous send like {@link #issend(Data, int, int)}, with a request of the caller's: no object is made.
   *
   * @param data not to be changed until completion
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IllegalArgumentException when the request is persistent
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as {@link #issend(Data, int, int)}
   */
  Request issend(Data data, int destination, int tag, Request request);

  /**
   * Starts a receive.
   *
   * @param data not to be touched until completion
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the data is read-only or has a byte twice
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  default Request irecv(Data data, int source, int tag) {
    return irecv(data, source, tag, new Request());
  }

  /**
   * Starts a receive like {@link #irecv(Data, int, int)}, with a request of the caller's: no object is made.
   *
   * @param data not to be touched until completion
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IllegalArgumentException when the request is persistent
   * @throws IllegalStateException when the request is active
   * @throws RuntimeException as {@link #irecv(Data, int, int)}
   */
  Request irecv(Data data, int source, int tag, Request request);

  /**
   * Starts a receive into a slice of data, like {@link #irecv(Data, int, int)}.
   *
   * @param whole what it is a slice of
   * @param first the first element of the slice, or the first byte where there is no type
   * @param count the most elements, or bytes, that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   * @throws IndexOutOfBoundsException when the data does not hold the slice
   * @throws RuntimeException as {@link #irecv(Data, int, int)}
   */
  default Request irecv(Data whole, long first, long count, int source, int tag) {
    return irecv(whole, first, count, source, tag, new Request());
  }

  /**
   * Starts a receive into a slice of data, like {@link #irecv(Data, int, int, Request)}: no object is made where the
   * data is an array or contiguous memory.
   *
   * @param whole what it is a slice of
   * @param first the first element of the slice, or the first byte where there is no type
   * @param count the most elements, or bytes, that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the data does not hold the slice
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  Request irecv(Data whole, long first, long count, int source, int tag, Request request);

  /**
   * Starts a receive into a segment, like {@link #irecv(Data, int, int)}.
   *
   * @param segment not to be touched until completion
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   * @throws RuntimeException as {@link #irecv(Data, int, int)}
   */
  default Request irecv(MemorySegment segment, int source, int tag) {
    return irecv(segment, source, tag, new Request());
  }

  /**
   * Starts a receive into a segment with a request of the caller's, like {@link #irecv(Data, int, int, Request)}.
   *
   * @param segment not to be touched until completion
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  Request irecv(MemorySegment segment, int source, int tag, Request request);

  /**
   * Starts a receive into bytes of a segment, like {@link #irecv(Data, int, int)}.
   *
   * @param segment where the message goes
   * @param offset the first byte
   * @param bytes the most that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #irecv(Data, int, int)}
   */
  default Request irecv(MemorySegment segment, long offset, long bytes, int source, int tag) {
    return irecv(segment, offset, bytes, source, tag, new Request());
  }

  /**
   * Starts a receive into bytes of a segment with a request of the caller's, like
   * {@link #irecv(Data, int, int, Request)}.
   *
   * @param segment where the message goes
   * @param offset the first byte
   * @param bytes the most that can be received
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param request inactive, made by {@code new Request()}
   * @return the request
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   * @throws RuntimeException as {@link #irecv(Data, int, int, Request)}
   */
  Request irecv(
      MemorySegment segment, long offset, long bytes, int source, int tag, Request request);

  /**
   * Sends and receives at once; the two may have any partners, also each other.
   *
   * @param send what is sent
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param sendTag 0 or more
   * @param recv where the message goes; it must not overlap what is sent
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param recvTag 0 or more, or {@link Communicator#ANY_TAG}
   * @return what was received
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the buffer is read-only
   * @throws IllegalStateException when the memory's arena is closed, a claim for that rank is open, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   * @throws TruncationException when the message is longer than the buffer
   * @throws TypeMismatchException when the basic types of the message are others, and the job checks types
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Status sendrecv(Data send, int destination, int sendTag, Data recv, int source, int recvTag);

  /**
   * Sends data and receives a message in its place; returns when both are done. What is sent is copied aside first,
   * since the message may come at once.
   *
   * @param data what is sent, and then what was received
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param sendTag tag of the message that is sent, 0 or more
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE}, or {@link Communicator#NO_RANK}, which leaves
   * the data as it is
   * @param recvTag tag of the message that is received, 0 or more, or {@link Communicator#ANY_TAG}
   * @return what was received
   * @throws RuntimeException as {@link #sendrecv}
   */
  Status sendrecvReplace(Data data, int destination, int sendTag, int source, int recvTag);

  /**
   * Prepares a send that is started again and again.
   *
   * @param data sent anew at each start; of an I/O vector the entries that it has now
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return a persistent request, idle
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   */
  Request sendInit(Data data, int destination, int tag);

  /**
   * Prepares a synchronous send that is started again and again, see {@link #ssend}.
   *
   * @param data sent anew at each start; of an I/O vector the entries that it has now
   * @param destination rank to send to, or {@link Communicator#NO_RANK}
   * @param tag 0 or more
   * @return a persistent request, idle
   * @throws CapabilityException when that rank does not tell when it has matched a message, as a C rank does not
   * @throws UnsupportedOperationException when the cells of the job, or the pieces of the link to that rank, are too
   * small
   * @throws RuntimeException as {@link #sendInit}
   */
  Request ssendInit(Data data, int destination, int tag);

  /**
   * Prepares a receive that is started again and again.
   *
   * @param data filled anew at each start; of an I/O vector the entries that it has now
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return a persistent request, idle
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when there is no such rank or tag, or the data is read-only or has a byte twice
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to a thread that does not move the message
   */
  Request recvInit(Data data, int source, int tag);

  /**
   * Waits for a message and hands it over where it lies, without a copy. It counts as received even when the handler
   * throws.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param handler called once, by this thread; what it throws is thrown on
   * @throws NullPointerException when an argument is null
   * @throws RuntimeException as {@link #recvMessage}
   */
  void recv(int source, int tag, MessageHandler handler);

  /**
   * Hands the messages that are there, whatever their source and tag, to a handler, one after the other, where they
   * lie, and waits for none: the receive of an event loop.
   *
   * {@snippet class = "io.adrastea.example.Examples" region = "poll"}
   *
   * <p>
   * Messages that came before anybody asked for them are first, in the order of their arrival. Those of one source come
   * in the order in which they were sent. What a receive matches that was started before goes to that receive. A
   * message that is not all here yet, since it is large or comes in pieces, is not handed now, and those behind it from
   * the same source wait for it; others do not. It moves on in every call.
   *
   * <p>
   * The handler may do what that of {@link #recv(int, int, MessageHandler)} may: receive, send, release the message
   * early, poll, leave the job, which ends this call. What it receives are the messages behind the one it was handed. A
   * message counts as received when the handler is called; when that throws, those behind it stay. A source that has
   * failed is no error here, as in {@link #iprobe}; a message of it that was cut short is, once.
   *
   * @param handler called by this thread; what it throws is thrown on; each message is valid until it returns
   * @param limit the most messages, 1 or more
   * @return how many the handler was handed, 0 to {@code limit}
   * @throws NullPointerException when the handler is null
   * @throws IllegalArgumentException when the limit is below 1
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when the sender of a message died or left before all of it was here
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  int poll(MessageHandler handler, int limit);

  /**
   * Waits for a message and leaves it where it lies, without a copy, until it is released.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be released, soon, since what it lies in is missing to its sender
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Message recvMessage(int source, int tag);

  /**
   * Takes a message that is there whole and leaves it where it lies.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be released; null when none is there whole
   * @throws RuntimeException as {@link #recvMessage}
   */
  Message tryRecvMessage(int source, int tag);

  /**
   * Waits for a message and takes it without receiving it: a matched probe. Its source, tag and length are known then,
   * and no other receive or probe gets it, whatever threads there are; it is received by {@link Message#recv}, or read
   * where it lies after {@link Message#await}. An interrupt leaves all as it is.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be received or released
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Message mprobe(int source, int tag);

  /**
   * Waits for a message and takes it with a time limit, like {@link #mprobe(int, int)}.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param limit the longest wait
   * @return to be received or released
   * @throws TimeLimitException when none has come
   * @throws RuntimeException as {@link #mprobe(int, int)}
   */
  Message mprobe(int source, int tag, Duration limit);

  /**
   * Takes a message that is there, or whose beginning is, without receiving it, see {@link #mprobe(int, int)}.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be received or released; null when none is there
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Message improbe(int source, int tag);

  /**
   * Waits for room for a message, which is then written in place and committed. Sends that are pending for that rank go
   * first. Until commit or abort nothing else can be sent there.
   *
   * @param destination rank to send to
   * @param tag 0 or more
   * @param bytes of the message, 0 to the payload of a cell ({@code adrastea.cell.bytes})
   * @return to be committed or aborted
   * @throws IllegalArgumentException when there is no such rank or tag, it is {@link Communicator#NO_RANK}, or the
   * length is not allowed
   * @throws IllegalStateException when a claim for that rank is open, or the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Claim claim(int destination, int tag, long bytes);

  /**
   * Takes room for a message if it is there now, see {@link #claim}.
   *
   * @param destination rank to send to
   * @param tag 0 or more
   * @param bytes of the message, 0 to the payload of a cell
   * @return to be committed or aborted; null when there is no room, or other sends to that rank are pending
   * @throws RuntimeException as {@link #claim}
   */
  Claim tryClaim(int destination, int tag, long bytes);

  /**
   * Begins a burst: what this thread sends to a rank until it is closed leaves together.
   *
   * @param destination rank to send to
   * @return to be closed
   * @throws IllegalStateException when a burst to that rank is open, or the job was left
   * @throws IllegalArgumentException when there is no such rank, or it is {@link Communicator#NO_RANK}
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Burst burst(int destination);

  /**
   * Waits for a message without receiving it; a receive with the same arguments gets it next.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return its source, tag and length
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws RankFailedException when a rank that this waits for died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Status probe(int source, int tag);

  /**
   * Waits for a message with a time limit, like {@link #probe(int, int)}.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @param limit the longest wait
   * @return its source, tag and length
   * @throws TimeLimitException when none has come
   * @throws RuntimeException as {@link #probe(int, int)}
   */
  Status probe(int source, int tag, Duration limit);

  /**
   * Tells of a message that is there, without receiving it. A source that has failed is no error here: a program that
   * asks again and again hears of it by {@link Job#onRankFailure} and {@link #failedRanks}.
   *
   * @param source rank to receive from, {@link Communicator#ANY_SOURCE} or {@link Communicator#NO_RANK}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return its source, tag and length; null when none is there
   * @throws IllegalArgumentException when there is no such rank or tag
   * @throws IllegalStateException when the job was left
   * @throws ConcurrentUseException when another thread is in a call and {@link ThreadLevel} does not allow this one
   * @throws SegmentException when the shared memory is corrupt
   */
  Status iprobe(int source, int tag);

  /**
   * Waits until all ranks of this communicator, or of both groups, have called this [MPICH2 2007, 3.4]. What a rank
   * wrote before, to shared memory too, the others see afterwards. Messages move on meanwhile: sends that were started,
   * and receives. After an interrupt another call goes on where this one was.
   *
   * @throws RankFailedException when a rank died or left, so that it cannot come; another call fails likewise
   * @throws CollectiveException when a rank calls another collective here, or cannot go on with one
   * @throws ConcurrentUseException when another thread of this rank is in a collective of this communicator
   * @throws IllegalStateException when the job was left
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws SegmentException when the shared memory is corrupt
   */
  void barrier();

  /**
   * Broadcasts: all ranks of this communicator call this, and have the root's data then; in an intercommunicator those
   * of the other group than the root's have it. May return at the root, and at others, before all have it.
   *
   * <p>
   * This is a collective, and what is said here holds for all: every rank calls the same ones in the same order, with
   * the same root, number of bytes, type of elements and operator; where ranks see that they differ, they get a
   * {@link CollectiveException}, always with {@code adrastea.check=collectives}. Data may be of any kind at each rank,
   * and of any length. It moves through shared memory, without messages: so all ranks have to share it. Meanwhile
   * messages move on. One thread of a rank at a time is in a collective of a communicator. What ends in the middle, by
   * an interrupt or because a rank failed, was the last collective of this communicator: each further one says why.
   * Arguments that this rank alone can tell to be wrong are refused before anything is begun.
   *
   * <p>
   * All ranks of both groups of an intercommunicator call its collectives, and what one group gives, the other gets:
   * where ranks are spoken of that give something to a rank, they are those of the remote group. Where there is a root,
   * its rank calls with {@link Intercommunicator#ROOT}, the other ranks of its group, which give nothing and get
   * nothing, with {@link Communicator#NO_RANK}, and the ranks of the other group with the root's number. An
   * intercommunicator takes no {@link Data#IN_PLACE}. When its ranks name different roots, those that wait for data, or
   * are given some that they did not expect, get a {@link CollectiveException}.
   *
   * @param data what is sent at the root, and where it goes at the others; of the same number of bytes at all. Of ranks
   * that call with {@link Communicator#NO_RANK} it is not looked at, and may be null
   * @param root rank whose data it is
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when there is no such rank, or the data is read-only where it is to be written
   * @throws CapabilityException when not all ranks share memory
   * @throws RankFailedException when a rank died or left, so that it cannot take part
   * @throws CollectiveException when a rank calls another collective here, or cannot go on with one
   * @throws IllegalStateException when the memory's arena is closed, or the job was left
   * @throws WrongThreadException when the memory is confined to another thread
   * @throws ConcurrentUseException when another thread of this rank is in a collective of this communicator
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   * @throws SegmentException when the shared memory is corrupt, or has no room
   */
  void bcast(Data data, int root);

  /**
   * Gathers the data of all ranks at the root, in the order of their numbers; in an intercommunicator that of the group
   * that the root is not in. A collective, see {@link #bcast}; a rank that is not the root may return before the root
   * has its data.
   *
   * @param in this rank's data; at the root also {@link Data#IN_PLACE}: its part of the output. In the root's group of
   * an intercommunicator it is not looked at, and may be null
   * @param out at the root, where it goes: as many equal parts, one behind the other, as there are ranks that give
   * something; or {@link Data#parts}, one for each of them, as long as that one's data. It does not overlap the input.
   * The other ranks' is not looked at, and may be null
   * @param root rank that takes it
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when there is no such rank; at the root, when the output has not a part for each
   * rank, the root's own is not as long as its input, parts overlap, or it is read-only
   * @throws CollectiveException at the root, when a rank gives another number of bytes than its part is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  void gather(Data in, Data out, int root);

  /**
   * Scatters the root's data: each rank gets its part of it, in the order of their numbers; in an intercommunicator
   * each of the group that the root is not in. A collective, see {@link #bcast}; the root, and others, may return
   * before all have theirs.
   *
   * @param in at the root, what it gives: as many equal parts, one behind the other, as there are ranks that get
   * something; or {@link Data#parts}, one for each of them. The other ranks' is not looked at, and may be null
   * @param out where this rank's part goes, as long as that; at the root also {@link Data#IN_PLACE}: its own part stays
   * in the input. It does not overlap the input. In the root's group of an intercommunicator it is not looked at, and
   * may be null
   * @param root rank whose data it is
   * @throws NullPointerException when data is null that is looked at
   * @throws IllegalArgumentException when there is no such rank, or the output is read-only; at the root, when the
   * input has not a part for each rank, or its own is not as long as its output
   * @throws CollectiveException when the root gives another number of bytes than the output is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  void scatter(Data in, Data out, int root);

  /**
   * Gathers the data of all ranks at all of them, in the order of their numbers; in an intercommunicator that of each
   * group at all ranks of the other, and the groups may give different numbers of bytes, also none. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's data, or {@link Data#IN_PLACE}: this rank's part of the output
   * @param out where it goes: as many equal parts, one behind the other, as there are ranks that give something to this
   * one; or {@link Data#parts}, one for each of them, as long as that one's data (by parts at all ranks or at none, but
   * in an intercommunicator as each rank likes). It does not overlap the input
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the output has not a part for each rank, this rank's is not as long as the
   * input, parts overlap, or it is read-only
   * @throws CollectiveException when a rank gives another number of bytes than its part here is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  void allgather(Data in, Data out);

  /**
   * Exchanges data between all ranks: each gives another part to each, and takes another one of each; part i goes to
   * rank i, and comes from it. In an intercommunicator it does so with the ranks of the remote group. A collective, see
   * {@link #bcast}.
   *
   * @param in what this rank gives: as many equal parts, one behind the other, as there are ranks that it gives
   * something to; or {@link Data#parts}, one for each of them. {@link Data#IN_PLACE}: the output, whose parts are
   * exchanged
   * @param out where it goes, likewise: a part for each rank, as long as what that one gives. It does not overlap the
   * input
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when a side has not a part for each rank, this rank's part for itself is not as
   * long in the one as in the other, parts of the output overlap, or it is read-only
   * @throws CollectiveException when a rank gives another number of bytes than its part here is long, too
   * @throws RuntimeException as {@link #bcast}
   */
  void alltoall(Data in, Data out);

  /**
   * Reduces: each element of the root's output becomes {@code x0 op x1 op … op x(n−1)}, where {@code xi} is that
   * element of rank i's input, in an intercommunicator of the group that the root is not in; combined as in
   * {@link #allreduce(Data, Data, Op)}: with the same bits whichever rank is the root. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's elements, or at the root {@link Data#IN_PLACE}: those of the output. In the root's group of
   * an intercommunicator it is not looked at, and may be null
   * @param out where the result goes at the root, of as many elements of the same basic type; it overlaps the input
   * wholly or not at all. At the others it is not looked at, and may be null
   * @param op the operator, which has a meaning for these elements; of all ranks the same
   * @param root rank that gets the result
   * @throws NullPointerException when an argument is null that is looked at
   * @throws IllegalArgumentException when there is no such rank, the operator has no meaning for the elements, those of
   * both sides differ, the output is read-only, or the input is in place at another rank than the root
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  void reduce(Data in, Data out, Op op, int root);

  /**
   * Reduces and broadcasts: each element of the output becomes {@code x0 op x1 op … op x(n−1)}, where {@code xi} is
   * that element of rank i's input; at all ranks. In an intercommunicator each rank gets what the remote group has
   * given, of as many elements. It is combined in the order of the ranks, so that results are equal bit for bit at all
   * ranks and from run to run: on one node from the left, whatever the operator. On several nodes so too for operators
   * of the program's own, where the ranks of some node are not consecutive, and with the setting
   * {@code adrastea.reduce=exact}. Else each node combines what its ranks give, and nodes what these have: operators of
   * the library then have other brackets, so that sums of floating-point numbers depend on which ranks are on which
   * node. A collective, see {@link #bcast}.
   *
   * @param in this rank's elements, or {@link Data#IN_PLACE}: those of the output
   * @param out where the result goes, of as many elements of the same basic type; it overlaps the input wholly or not
   * at all, in an intercommunicator not at all
   * @param op the operator, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operator has no meaning for the elements, those of both sides differ, or
   * the output is read-only
   * @throws RuntimeException as {@link #bcast}, and what an operator of the program's own throws: the others get a
   * {@link CollectiveException} then
   */
  void allreduce(Data in, Data out, Op op);

  /**
   * Reduces and scatters: the input of each rank has as many parts of equal length, one behind the other, as there are
   * ranks, and each element of rank r's output becomes {@code x0 op x1 op … op x(n−1)}, where {@code xi} is that
   * element of part r of rank i's input; combined as in {@link #allreduce(Data, Data, Op)}. In an intercommunicator the
   * ranks of each group share the result of the remote group, as long as which the own group's is. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's elements for all ranks, or {@link Data#IN_PLACE}: those of the output. In an
   * intercommunicator as many in both groups, a multiple of the ranks of either
   * @param out where the result goes, of the length of one part and the same basic type; it does not overlap the input.
   * In place it is as long as the input, and the result goes to its beginning, in place of part 0; what stands in the
   * other parts then is not defined
   * @param op the operator, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operator has no meaning for the elements, the input is not as many times
   * as long as the output as there are ranks, or of another basic type, or the output is read-only
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  void reduceScatterBlock(Data in, Data out, Op op);

  /**
   * Reduces and scatters in parts of any lengths: like {@link #reduceScatterBlock}, but each rank's part is as long as
   * {@link Data#parts(Data, long[], long[])} says, also empty, and may lie anywhere in the input. A collective, see
   * {@link #bcast}.
   *
   * @param in this rank's elements for all ranks, in as many parts as there are ranks; part r is of the same length at
   * all ranks. Or {@link Data#IN_PLACE}: then the output has the parts. In an intercommunicator part r says how much of
   * the remote group's result rank r of this group gets, and all parts together are as long in both groups
   * @param out where the result goes, of the length of this rank's part and the same basic type; it does not overlap
   * the input. In place it is the parts, which lie one behind the other from the first element on; the result goes to
   * their beginning, and what stands behind it then is not defined
   * @param op the operator, which has a meaning for these elements; of all ranks the same
   * @throws NullPointerException when an argument is null
   * @throws IllegalArgumentException when the operator has no meaning for the elements, there are not as many parts as
   * ranks, the output is not as long as this rank's, or of another basic type, or is read-only, parts in place lie
   * anywhere else, or among more than 32 ranks a few parts are so long (about 550 GB) that the rounds cannot be counted
   * @throws RuntimeException as {@link #allreduce(Data, Data, Op)}
   */
  void reduceScatter(Data in, Data out, Op op);

  /**
   * The collectives of this communicator as calls that start them, and return a request that tells of the end:
   * {@code world.started().bcast(data, 0)}. Any number of collectives may be outstanding on a communicator, and end in
   * any order; every rank starts and calls the same ones in the same order. They move on in every call that waits or
   * tests, and by the progress thread. A collective that waits comes after those that were started before. What the
   * blocking call refuses is refused before anything is begun; what keeps a collective from its end is reported by the
   * request.
   *
   * @return the calls, each of which makes a request; always the same object
   */
  CollectiveRequests started();

  /**
   * The collectives as calls that start them with a request of the caller's: {@code world.started(mine).bcast(data, 0)}
   * makes no object. The request keeps what is returned here for the eight communicators and topologies that it was
   * handed to last.
   *
   * @param mine the request, which is inactive, and not persistent, when a collective is started
   * @return the calls, which return that request
   * @throws NullPointerException when the request is null
   */
  CollectiveRequests started(Request mine);

  /**
   * The collectives as calls that prepare them for a persistent request, which starts them again and again with the
   * same buffers ({@link Request#start}): {@code world.persistent().bcast(data, 0)}. Nothing is exchanged when they are
   * prepared; all ranks start theirs in the same order among their collectives.
   *
   * @return the calls, each of which makes a request; always the same object
   */
  CollectiveRequests persistent();

  // The names that the started and the persistent forms have in MPI

  /**
   * {@code started().barrier()}.
   *
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#barrier}
   */
  default Request ibarrier() {
    return started().barrier();
  }

  /**
   * {@code persistent().barrier()}.
   *
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#barrier}
   */
  default Request barrierInit() {
    return persistent().barrier();
  }

  /**
   * {@code started().bcast(data, root)}.
   *
   * @param data as of {@link #bcast(Data, int)}
   * @param root as of {@link #bcast(Data, int)}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#bcast}
   */
  default Request ibcast(Data data, int root) {
    return started().bcast(data, root);
  }

  /**
   * {@code persistent().bcast(data, root)}.
   *
   * @param data as of {@link #bcast(Data, int)}
   * @param root as of {@link #bcast(Data, int)}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#bcast}
   */
  default Request bcastInit(Data data, int root) {
    return persistent().bcast(data, root);
  }

  /**
   * {@code started().gather(in, out, root)}.
   *
   * @param in as of {@link #gather}
   * @param out as of {@link #gather}
   * @param root as of {@link #gather}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#gather}
   */
  default Request igather(Data in, Data out, int root) {
    return started().gather(in, out, root);
  }

  /**
   * {@code persistent().gather(in, out, root)}.
   *
   * @param in as of {@link #gather}
   * @param out as of {@link #gather}
   * @param root as of {@link #gather}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#gather}
   */
  default Request gatherInit(Data in, Data out, int root) {
    return persistent().gather(in, out, root);
  }

  /**
   * {@code started().scatter(in, out, root)}.
   *
   * @param in as of {@link #scatter}
   * @param out as of {@link #scatter}
   * @param root as of {@link #scatter}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#scatter}
   */
  default Request iscatter(Data in, Data out, int root) {
    return started().scatter(in, out, root);
  }

  /**
   * {@code persistent().scatter(in, out, root)}.
   *
   * @param in as of {@link #scatter}
   * @param out as of {@link #scatter}
   * @param root as of {@link #scatter}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#scatter}
   */
  default Request scatterInit(Data in, Data out, int root) {
    return persistent().scatter(in, out, root);
  }

  /**
   * {@code started().allgather(in, out)}.
   *
   * @param in as of {@link #allgather}
   * @param out as of {@link #allgather}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#allgather}
   */
  default Request iallgather(Data in, Data out) {
    return started().allgather(in, out);
  }

  /**
   * {@code persistent().allgather(in, out)}.
   *
   * @param in as of {@link #allgather}
   * @param out as of {@link #allgather}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#allgather}
   */
  default Request allgatherInit(Data in, Data out) {
    return persistent().allgather(in, out);
  }

  /**
   * {@code started().alltoall(in, out)}.
   *
   * @param in as of {@link #alltoall}
   * @param out as of {@link #alltoall}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#alltoall}
   */
  default Request ialltoall(Data in, Data out) {
    return started().alltoall(in, out);
  }

  /**
   * {@code persistent().alltoall(in, out)}.
   *
   * @param in as of {@link #alltoall}
   * @param out as of {@link #alltoall}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#alltoall}
   */
  default Request alltoallInit(Data in, Data out) {
    return persistent().alltoall(in, out);
  }

  /**
   * {@code started().reduce(in, out, op, root)}.
   *
   * @param in as of {@link #reduce(Data, Data, Op, int)}
   * @param out as of {@link #reduce(Data, Data, Op, int)}
   * @param op as of {@link #reduce(Data, Data, Op, int)}
   * @param root as of {@link #reduce(Data, Data, Op, int)}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#reduce}
   */
  default Request ireduce(Data in, Data out, Op op, int root) {
    return started().reduce(in, out, op, root);
  }

  /**
   * {@code persistent().reduce(in, out, op, root)}.
   *
   * @param in as of {@link #reduce(Data, Data, Op, int)}
   * @param out as of {@link #reduce(Data, Data, Op, int)}
   * @param op as of {@link #reduce(Data, Data, Op, int)}
   * @param root as of {@link #reduce(Data, Data, Op, int)}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#reduce}
   */
  default Request reduceInit(Data in, Data out, Op op, int root) {
    return persistent().reduce(in, out, op, root);
  }

  /**
   * {@code started().allreduce(in, out, op)}.
   *
   * @param in as of {@link #allreduce(Data, Data, Op)}
   * @param out as of {@link #allreduce(Data, Data, Op)}
   * @param op as of {@link #allreduce(Data, Data, Op)}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#allreduce}
   */
  default Request iallreduce(Data in, Data out, Op op) {
    return started().allreduce(in, out, op);
  }

  /**
   * {@code persistent().allreduce(in, out, op)}.
   *
   * @param in as of {@link #allreduce(Data, Data, Op)}
   * @param out as of {@link #allreduce(Data, Data, Op)}
   * @param op as of {@link #allreduce(Data, Data, Op)}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#allreduce}
   */
  default Request allreduceInit(Data in, Data out, Op op) {
    return persistent().allreduce(in, out, op);
  }

  /**
   * {@code started().reduceScatterBlock(in, out, op)}.
   *
   * @param in as of {@link #reduceScatterBlock}
   * @param out as of {@link #reduceScatterBlock}
   * @param op as of {@link #reduceScatterBlock}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#reduceScatterBlock}
   */
  default Request ireduceScatterBlock(Data in, Data out, Op op) {
    return started().reduceScatterBlock(in, out, op);
  }

  /**
   * {@code persistent().reduceScatterBlock(in, out, op)}.
   *
   * @param in as of {@link #reduceScatterBlock}
   * @param out as of {@link #reduceScatterBlock}
   * @param op as of {@link #reduceScatterBlock}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#reduceScatterBlock}
   */
  default Request reduceScatterBlockInit(Data in, Data out, Op op) {
    return persistent().reduceScatterBlock(in, out, op);
  }

  /**
   * {@code started().reduceScatter(in, out, op)}.
   *
   * @param in as of {@link #reduceScatter}
   * @param out as of {@link #reduceScatter}
   * @param op as of {@link #reduceScatter}
   * @return its request, active
   * @throws RuntimeException as {@link CollectiveRequests#reduceScatter}
   */
  default Request ireduceScatter(Data in, Data out, Op op) {
    return started().reduceScatter(in, out, op);
  }

  /**
   * {@code persistent().reduceScatter(in, out, op)}.
   *
   * @param in as of {@link #reduceScatter}
   * @param out as of {@link #reduceScatter}
   * @param op as of {@link #reduceScatter}
   * @return its request, inactive
   * @throws RuntimeException as {@link CollectiveRequests#reduceScatter}
   */
  default Request reduceScatterInit(Data in, Data out, Op op) {
    return persistent().reduceScatter(in, out, op);
  }

  /**
   * Revokes this communicator: all that its ranks wait for on it, and all collectives, end with
   * {@link RevokedException}, within a second and at every rank, also at those that have not noticed the failure that
   * this is called for [ULFM]. A rank that is in no call hears of it in its next wait or collective. What is allowed
   * from then on are {@link #agree}, {@link #shrink} and {@link #close}. Ranks that do not all share memory pass it on
   * to each other, so all that live hear of it whoever dies, once one that lives has heard.
   *
   * @throws CapabilityException when not all ranks share memory, and one is in C
   * @throws IllegalStateException when this communicator is closed
   */
  void revoke();

  /**
   * Agrees on flags: each bit of the result is set when every rank has set it that has come here before it died; at all
   * ranks that live the same, whoever dies meanwhile, at any step [ULFM]. Ranks that have failed or left, or have
   * closed the communicator, are not waited for. All others call it, also when the communicator is revoked, or no more
   * collectives are possible here. After an interrupt the next call goes on with it, with the flags of the first.
   *
   * <p>
   * Where not all ranks share memory, and one dies meanwhile, this may also wait until a rank that has come back from
   * it calls something else, or makes progress by a {@link ProgressThread}.
   *
   * @param flags this rank's
   * @return the flags that all have set
   * @throws CapabilityException when not all ranks share memory, and one is in C
   * @throws CollectiveException when a rank calls {@link #shrink} where others call this
   * @throws ConcurrentUseException when another thread of this rank is here
   * @throws IllegalStateException when this communicator is closed, the job was left, or this rank has to end a
   * {@link #shrink} first that was interrupted
   * @throws InterruptedWaitException when the thread is interrupted while it waits
   */
  int agree(int flags);

  /**
   * Makes a communicator of the ranks that live, in their order, whoever dies meanwhile [ULFM]: all of them get the
   * same. One that dies late may be in it still. All ranks that live call it, also when the communicator is revoked, or
   * no more collectives are possible here. After an interrupt the next call goes on with it.
   *
   * @return the new communicator, to be closed; null: it would be an intercommunicator, and no rank of one of the
   *   groups lives
   * @throws AdrasteaException when all numbers of communicators are taken; on all ranks
   * @throws CapabilityException when not all ranks share memory
   * @throws SegmentException when there is no room for its slot, on the first rank that lives
   * @throws RuntimeException as {@link #agree}
   */
  AnyCommunicator shrink();

  /**
   * Gives this communicator up on this rank while something may be under way on it (MPI_Comm_free); nobody is waited
   * for. No call takes it any more, but receives and collectives that were started go on, and their requests complete
   * as before. Once the last of them is over it is closed, as by {@link #close}, inside a later call of this rank;
   * until then its number is not used again. What never completes ends with the job. A duplicate of it that was started
   * ({@link #idup}) is not made any more unless its request has reported before.
   *
   * @throws IllegalStateException when it is closed or was given up before, or it is that of all ranks, which
   * {@link Job#close} ends
   */
  void release();

  /**
   * Ends this communicator on this rank, which is done with it; nobody is waited for. What the rank has not received is
   * dropped: small messages without a word, while the send of one that is not taken yet fails. Sends that were started
   * go on. When all its ranks have closed it, or are gone, its number and its slot are used for another one. What is
   * not closed ends with the job.
   *
   * @throws IllegalStateException when it is closed, receives or collectives that were started on it are not complete
   * ({@link #release} lets them go on), or it is that of all ranks, which {@link Job#close} ends
   */
  @Override
  void close();
}
