package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.AdrasteaException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A started duplicate whose making ends with an error. */
class StartedDupFailureTest {
  @Test
  void itIsMadeOnceAndTheRequestTellsTheErrorWhenItIsAskedAgain() throws Exception {
    Ranks.run("java", 1, job -> {
      InternalError error = new InternalError("on purpose");
      AtomicInteger made = new AtomicInteger();
      AtomicInteger givenUp = new AtomicInteger();
      StartedDup<Communicator> dup = new StartedDup<>("world", null, () -> {
        made.incrementAndGet();
        throw error;
      }, givenUp::incrementAndGet);
      Request request = dup.request().begin(job.world(), dup.progress());
      assertSame(error, assertThrows(InternalError.class, request::test));
      assertTrue(request.isActive(), "it has not reported");
      assertTrue(givenUp.get() > 0);
      AdrasteaException told = assertThrows(AdrasteaException.class, request::await);
      assertSame(error, told.getCause());
      assertFalse(request.isActive());
      assertEquals(1, made.get());
      Refusals.refuses(IllegalStateException.class,
          "a duplicate of world was not made: the duplicate of world could not be made: " + error, dup::communicator);
    });
  }
}
