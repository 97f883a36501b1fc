package io.adrastea.bench.worker;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.nio.file.Path;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Aeron IPC: an exclusive publication for each direction. Short messages are claimed and written in the log, longer
 * ones offered; all touched ones are read where they lie. The media driver lives in the process of side 0, in one
 * thread that backs off when idle, since both CPUs are taken by the two sides.
 */
final class AeronLink implements Link {
  private static final String CHANNEL = "aeron:ipc?term-length=8m|mtu=65504";
  private static final int STREAM = 100;
  private static final int FRAGMENTS = 256; // of one poll at most: the sender sees room when it ends

  private final MediaDriver driver;
  private final Aeron aeron;
  private final ExclusivePublication to;
  private final Subscription from;
  private final FragmentAssembler handler = new FragmentAssembler(this::take);
  private final BufferClaim claim = new BufferClaim();
  private Contents contents;
  private UnsafeBuffer[] outgoing;
  private int got;

  AeronLink(Path directory, int side) throws IOException {
    String place = directory.resolve("aeron").toString();
    driver = side == 0 ? MediaDriver.launch(driverContext(place)) : null;
    aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(place));
    from = aeron.addSubscription(CHANNEL, STREAM + side);
    to = aeron.addExclusivePublication(CHANNEL, STREAM + 1 - side);
    Meeting.await(() -> to.isConnected() && from.isConnected(), "Aeron's other side");
  }

  private static MediaDriver.Context driverContext(String place) {
    return new MediaDriver.Context()
        .aeronDirectoryName(place)
        .threadingMode(ThreadingMode.SHARED)
        .dirDeleteOnShutdown(true);
  }

  @Override
  public void prepare(Contents contents) {
    this.contents = contents;
    outgoing = RingLink.views(contents);
  }

  @Override
  public void send(int bytes) throws IOException {
    if (contents.inPlace()) {
      claim(bytes);
      return;
    }
    UnsafeBuffer message = outgoing[contents.write()];
    for (int spins = 0;;) {
      long position = to.offer(message, 0, bytes);
      if (position > 0) {
        return;
      }
      refuse(position);
      spins = Meeting.idle(spins);
    }
  }

  private void claim(int bytes) throws IOException {
    for (int spins = 0;;) {
      long position = to.tryClaim(bytes, claim);
      if (position > 0) {
        contents.write(claim.buffer(), claim.offset());
        claim.commit();
        return;
      }
      refuse(position);
      spins = Meeting.idle(spins);
    }
  }

  /** Back pressure and the change of terms pass; all else does not. */
  private static void refuse(long position) throws IOException {
    if (position != Publication.BACK_PRESSURED && position != Publication.ADMIN_ACTION) {
      throw new IOException("Aeron: " + Publication.errorString(position));
    }
  }

  @Override
  public void receive(int bytes, int count) {
    int spins = 0;
    for (got = 0; got < count;) {
      spins = from.poll(handler, Math.min(FRAGMENTS, count - got)) > 0 ? 0 : Meeting.idle(spins);
    }
  }

  private void take(DirectBuffer buffer, int index, int length, Header header) {
    contents.take(buffer, index, length);
    got++;
  }

  @Override
  public void close() {
    CloseHelper.closeAll(to, from, aeron, driver);
  }
}
