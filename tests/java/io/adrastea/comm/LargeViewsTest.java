package io.adrastea.comm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Views of large buffers, which are found again but keep nothing. */
class LargeViewsTest {
  private static final int LARGE = 1 << 20;

  @Test
  void areFoundAgain() {
    Buffers buffers = new Buffers();
    byte[] first = new byte[LARGE];
    long[] second = new long[LARGE];
    Buffers.View view = buffers.of(first);
    Buffers.View other = buffers.of(second);
    assertNotSame(view, other);
    assertSame(view, buffers.of(first));
    assertSame(other, buffers.of(second));
    assertEquals(LARGE * 8L, other.memory().byteSize());
  }

  @Test
  @Timeout(value = 240, threadMode = SEPARATE_THREAD)
  void keepNoArrayFromTheGarbageCollector() throws InterruptedException {
    Buffers buffers = new Buffers();
    WeakReference<byte[]> array = new WeakReference<>(new byte[LARGE]);
    buffers.of(array.get());
    while (array.get() != null) {
      System.gc();
      Thread.sleep(10);
    }
    assertEquals(LARGE, buffers.of(new byte[LARGE]).memory().byteSize());
  }
}
