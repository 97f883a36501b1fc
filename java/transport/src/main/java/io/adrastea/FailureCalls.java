package io.adrastea;

import io.adrastea.bootstrap.Member;
import io.adrastea.engine.EngineSettings;
import java.util.List;
import java.util.function.IntConsumer;

/** The calls of {@link Job} for ranks that have failed. */
abstract sealed class FailureCalls extends SharedMemoryCalls permits Job {
  FailureCalls(Member member, boolean ownsSegment, EngineSettings settings) {
    super(member, ownsSegment, settings);
  }

  /**
   * Ranks that have failed: they gave up, or their processes are gone without having closed the job, whatever the exit code. Looks at all
   * of them now. Those that left in order are not among them. Any thread may call, at any {@link ThreadLevel}.
   *
   * @return their numbers, ascending, empty when none has; a list that does not change, and that of this moment only: a rank does not come back
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> failedRanks() {
    return engine.failedRanks();
  }

  /**
   * Goes on without the ranks that have failed. As long as a failure is not acknowledged every receive and probe from {@link
   * Communicator#ANY_SOURCE} fails with it, since the message might have come from that rank. Afterwards they wait for the ranks that are there,
   * and fail for a rank that fails later, until that is acknowledged too; also one that is pending, if it has not failed yet. So a server whose
   * clients may die acknowledges, and receives again ({@code run --keep-going} keeps the launcher from ending the job):
   *
   * {@snippet :
   * while (!clients.isEmpty()) { // a Set of ranks
   *   try {
   *     answer(world.recv(request, 0, request.length, Communicator.ANY_SOURCE, REQUEST));
   *   } catch (RankFailedException e) {
   *     job.acknowledgeFailedRanks().forEach(clients::remove);
   *   }
   * }
   * }
   *
   * <p>Or it acknowledges in the handler of {@link #onRankFailure}, which is called before a receive that waits fails: then the one that
   * the thread waits in goes on. Messages that a failed rank has sent are received all the same; one that breaks off fails its receive,
   * once. What needs a failed rank by its number, and the barrier, fail as before. When no other rank is there any more, because each has
   * failed or left, a receive from any fails, acknowledged or not, since nobody could send; with {@link ThreadLevel#MULTIPLE} it
   * waits on, for another thread of this rank.
   *
   * <p>Looks at all ranks now. An acknowledgement is this rank's alone, and cannot be taken back. Any thread may call, at any {@link ThreadLevel}, also
   * from a handler. After MPIX_Comm_failure_ack and MPIX_Comm_failure_get_acked of ULFM, MPI's User Level Failure Mitigation.
   *
   * @return all that have failed, and are acknowledged now: their numbers, ascending, empty when none has; a list that does not change
   * @throws IllegalStateException when the job was left
   */
  public List<Integer> acknowledgeFailedRanks() {
    return engine.acknowledgeFailedRanks();
  }

  /**
   * Names who is told of each rank that fails, once per rank, and of those that have failed already. It is called within about a second of the
   * failure, by a thread of this rank that waits or asks in a call of the job at that time, or by the progress thread; not while this rank
   * makes no call. It is to note the number and return, since that thread goes on only then. It may call {@link #failedRanks}, {@link
   * #acknowledgeFailedRanks} and, with {@link ThreadLevel#MULTIPLE}, whatever other threads may; without it any other call of this rank throws
   * {@link io.adrastea.error.ConcurrentUseException}. What it throws, errors too, is logged ({@link System.Logger}), and harms nobody.
   *
   * @param handler is given the failed rank's number; takes the place of the one named before; null for nobody
   * @throws IllegalStateException when the job was left
   */
  public void onRankFailure(IntConsumer handler) {
    engine.onRankFailure(handler);
  }
}
