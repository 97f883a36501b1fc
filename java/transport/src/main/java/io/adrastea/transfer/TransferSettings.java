package io.adrastea.transfer;

import io.adrastea.config.Tunable;
import io.adrastea.core.Spaces;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Settings of the transfer of large messages. The name LMT in {@code adrastea.lmt} is that of [MPICH2 2007, 3.2]: large
 * message transfer.
 *
 * @param paths set of the paths that are allowed; the ring always is
 * @param eager longest messages that are sent before their receive is known
 * @param splitBytes least length of which both ends copy parts; 0: one end copies all
 * @param ringBytes of a copy ring, a power of two
 * @param ringChunk bytes that are copied before they show, a power of two
 * @param learning whether the way is chosen by what it costs, where several are allowed
 * @param learningChunks whether the ring's chunk is chosen so, too: none was set
 * @param learningRing whether so is how much of the ring is used: no length was set
 * @param blockBytes elements of a datatype whose blocks are shorter, on average and at either end, are packed; 0: none
 */
public record TransferSettings(int paths, EagerLimits eager, long splitBytes, int ringBytes, int ringChunk,
    boolean learning, boolean learningChunks, boolean learningRing, long blockBytes) {
  static final int LEAST_CHUNK = Tunable.RING_CHUNK.least();
  static final int LEAST_RING = Tunable.RING_BYTES.least();
  static final int MOST_RING = Tunable.RING_BYTES.most();

  public TransferSettings {
    requirePower("adrastea.ring.bytes", ringBytes, LEAST_RING, MOST_RING);
    requirePower("adrastea.ring.chunk", ringChunk, LEAST_CHUNK, ringBytes);
  }

  /** Reads those that are set, or takes their defaults. */
  public static TransferSettings inForce() {
    return new TransferSettings(
        paths(Tunable.LMT.word()),
        EagerLimits.inForce(),
        Tunable.SPLIT_BYTES.intValue(),
        Tunable.RING_BYTES.intValue(),
        Tunable.RING_CHUNK.intValue(),
        Tunable.LMT_LEARN.isOn(),
        Tunable.RING_CHUNK.isDefault(),
        Tunable.RING_BYTES.isDefault(),
        Tunable.LMT_BLOCK_BYTES.intValue());
  }

  /** Whether all paths are allowed: none was asked for by its name. */
  public boolean allowsAll() {
    return paths == Path.all();
  }

  /**
   * Refuses a path that was asked for by its name and is not there, rather than to take another one in silence.
   *
   * @param able paths by which a rank can copy, whatever the settings
   * @param spaces those of that rank, which tell why it lacks one
   */
  public void requireAble(int able, Spaces spaces) {
    int missing = paths & ~able;
    if (allowsAll() || missing == 0) {
      return;
    }
    Path lacking = Path.values()[Integer.numberOfTrailingZeros(missing)];
    throw new ArgumentException(Reason.SETTING,
        "adrastea.lmt is '%s', which this rank does not have (%s); allowed here are auto, %s"
            .formatted(lacking.name().toLowerCase(Locale.ROOT), why(lacking, spaces), names(able)));
  }

  /** Finds the line about a path among those that describe a core. */
  private static String why(Path lacking, Spaces spaces) {
    return spaces.describe().stream().filter(line -> line.startsWith(lacking.name() + ": "))
        .collect(Collectors.joining("; "));
  }

  /** Lists paths in words. There are at least the two that every rank has: shared and ring. */
  private static String names(int paths) {
    List<String> names =
        Stream.of(Path.values()).filter(it -> it.isIn(paths)).map(it -> it.name().toLowerCase(Locale.ROOT))
            .toList();
    return String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
  }

  /** Whether anything but the ring is allowed. */
  public boolean reaches() {
    return paths != Path.RING.bit();
  }

  private static void requirePower(String name, int value, int least, int most) {
    if (value < least || value > most || Integer.bitCount(value) != 1) {
      throw new ArgumentException(Reason.SETTING,
          "%s is %d; allowed are powers of two from %d to %d (bytes)".formatted(name, value, least, most));
    }
  }

  /** Tells the paths that a value of {@code adrastea.lmt} allows. */
  public static int paths(String value) {
    if (value.equals("auto")) {
      return Path.all();
    }
    for (Path path : Path.values()) {
      if (path.name().equalsIgnoreCase(value)) {
        return path.bit() | Path.RING.bit();
      }
    }
    throw new ArgumentException(Reason.SETTING,
        "adrastea.lmt is '%s'; allowed are auto, shared, xpmem, cma and ring".formatted(value));
  }
}
