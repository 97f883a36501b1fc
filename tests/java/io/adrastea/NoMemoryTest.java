package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.AdrasteaException;
import io.adrastea.peers.Links;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An end of a large message that runs out of memory in the middle: both operations fail, nobody hangs, and the messages
 * behind it arrive.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NoMemoryTest {
  private static final int BYTES = 3_000_000;
  private static final int BEHIND = 3;

  /** What one rank moves bytes with; a call of one name throws once, when so many have gone well. */
  private static Spaces failing(Spaces real, String name, AtomicInteger left) {
    return (Spaces) Proxy.newProxyInstance(
        Spaces.class.getClassLoader(),
        new Class<?>[] {Spaces.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals(name) && left.getAndDecrement() == 0) {
            throw new OutOfMemoryError("on purpose");
          }
          return called(real, method, arguments);
        });
  }

  private static Object called(Object real, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
    try {
      method.setAccessible(true);
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static CoreProvider with(CoreProvider real, Spaces spaces) {
    return (CoreProvider) Proxy.newProxyInstance(
        CoreProvider.class.getClassLoader(),
        new Class<?>[] {CoreProvider.class},
        (proxy, method, arguments) -> method.getName().equals("spaces") ? spaces : called(real, method, arguments));
  }

  private static Job job(ThreadJob threadJob, int rank, String failing, AtomicInteger left) {
    JoinedRank joined = threadJob.enter(rank, () -> false);
    Spaces spaces = failing == null ? joined.provider().spaces() : failing(joined.provider().spaces(), failing, left);
    JoinedRank changed =
        new JoinedRank(joined.segment(), joined.table(), rank, with(joined.provider(), spaces), joined.core());
    return new Job(changed, false,
        new EngineSettings(new WaitPolicy(100, Optional.empty(), null, 0), TransferSettings.inForce(), true,
            Gate.Threads.IN_TURN, Links.SHARED_MEMORY));
  }

  /** Memory of a message: an array, for which there is only the ring, or what the other rank can reach. */
  private static MemorySegment memory(Job job, boolean shared) {
    return shared ? job.allocate(BYTES, 64) : MemorySegment.ofArray(new long[BYTES / Long.BYTES]);
  }

  private static Object sends(Job job, boolean shared) {
    MemorySegment memory = memory(job, shared).fill((byte) 1);
    Request failed = job.world().isend(memory, 0, BYTES, 1, 0);
    assertThrows(AdrasteaException.class, failed::await);
    for (int tag = 1; tag <= BEHIND; tag++) {
      memory.fill((byte) (tag + 1));
      job.world().send(memory, 0, BYTES, 1, tag);
    }
    job.close();
    return null;
  }

  private static Object receives(Job job, boolean shared, AtomicInteger left) {
    byte[] expected = new byte[BYTES];
    MemorySegment memory = memory(job, shared);
    assertThrows(AdrasteaException.class, () -> job.world().recv(memory, 0, BYTES, 0, 0));
    for (int tag = 1; tag <= BEHIND; tag++) {
      job.world().recv(memory, 0, BYTES, 0, tag);
      Arrays.fill(expected, (byte) (tag + 1));
      assertArrayEquals(expected, memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE), "message " + tag);
    }
    assertTrue(left.get() < 0, "there was memory all the time");
    job.close();
    return null;
  }

  @ParameterizedTest
  @CsvSource({"1,take,0,false", "1,take,3,false", "0,put,0,false", "0,put,2,false", "1,copy,0,true", "1,copy,1,true"})
  void bothEndsAreToldAndTheNextMessagesArrive(int rank, String call, int after, boolean shared) throws Exception {
    AtomicInteger left = new AtomicInteger(after);
    Map<String, String> settings =
        Map.of("adrastea.core", "java", "adrastea.eager.bytes", "4096", "adrastea.ring.bytes", "65536",
            "adrastea.split.bytes", after == 0 ? "49152" : "0"); // else the other end may copy all the rest
    Settings.with(
        settings,
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(2);
              ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> sender = threads.submit(() -> sends(job(threadJob, 0, rank == 0 ? call : null, left), shared));
            Future<?> receiver =
                threads.submit(() -> receives(job(threadJob, 1, rank == 1 ? call : null, left), shared, left));
            receiver.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
            sender.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
          }
          return null;
        });
  }
}
