import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.ShmemContext;
import io.adrastea.shmem.Symmetric;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Sorts the integers of a file in symmetric memory: each four bytes of it are one, without a sign, the lowest byte
 * first. Each PE reads its part of the file. The integers fall into buckets by their highest bits, and each PE gets
 * some buckets, about as many integers as the others. For each of its integers a PE takes the next place in the bucket
 * by {@code fetchAdd}, wherever that lies, and puts it there; behind a barrier each sorts what it has got. PE 0
 * compares all of it with what it sorts alone.
 *
 * <pre>
 * bin/adrastea run -n 4 -- java examples/integersort/IntegerSort.java [FILE]
 * </pre>
 *
 * <p>
 * Without a file it takes a picture of the documentation. Any number of PEs gives the same output. The exit code is 1
 * when the order is not that which one PE finds, and 2 when the file cannot be read.
 */
public final class IntegerSort {
  private static final int BUCKETS = 256;
  private static final int BUCKET_SHIFT = Integer.SIZE - 8;
  private static final long MORE_BYTES = 1 << 16; // of the heap, for counts and what is rounded up
  private static final int WRONG = 1;
  private static final int BAD_ARGUMENT = 2;

  private final Shmem shmem;
  private final ShmemContext context;
  private final int[] owners = new int[BUCKETS]; // the PE of each bucket
  private final long[] starts = new long[BUCKETS]; // the first place of each there
  private final long[] sizes; // integers that each PE gets

  private IntegerSort(Shmem shmem) {
    this.shmem = shmem;
    this.context = shmem.context();
    this.sizes = new long[shmem.pes()];
  }

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args.length > 0 ? args[0] : "docs/guide/halo3d.png");
    AtomicInteger code = new AtomicInteger();
    Job.run(job -> code.set(sort(job, file)));
    System.exit(code.get());
  }

  private static int sort(Job job, Path file) {
    Communicator world = job.world();
    int[] own = {};
    String failure = null;
    try {
      own = integers(file, world.rank(), world.size());
    } catch (IOException e) {
      failure = e.getMessage();
    }
    int[] failed = {failure == null ? world.size() : world.rank()};
    world.allreduce(Data.of(failed), Op.MIN);
    if (failed[0] < world.size()) {
      if (failed[0] == world.rank()) { // one message is enough
        System.err.println("integersort: a file cannot be read: " + failure);
      }
      return BAD_ARGUMENT;
    }
    long[] all = {own.length};
    world.allreduce(Data.of(all), Op.SUM);
    // One PE may get all; memory is taken when it is allocated.
    try (Shmem shmem = Shmem.of(job, all[0] * Integer.BYTES + MORE_BYTES)) {
      IntegerSort sort = new IntegerSort(shmem);
      int[] sorted = sort.sort(own);
      int code = shmem.pe() == 0 ? report(sorted, file) : 0;
      shmem.barrierAll();
      return code;
    }
  }

  /** Reads a part of a file's integers; fewer than four bytes at its end are left out. */
  private static int[] integers(Path file, int part, int parts) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long count = channel.size() / Integer.BYTES;
      long begin = count * part / parts;
      long end = count * (part + 1) / parts;
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact((end - begin) * Integer.BYTES));
      while (bytes.hasRemaining() && channel.read(bytes, begin * Integer.BYTES + bytes.position()) > 0) {
        // the next read goes on behind it
      }
      int[] integers = new int[bytes.flip().remaining() / Integer.BYTES];
      bytes.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(integers);
      return integers;
    }
  }

  private static int bucket(int integer) {
    return integer >>> BUCKET_SHIFT;
  }

  /** Sorts the integers of all PEs; returns all of them at PE 0. */
  private int[] sort(int[] own) {
    share(own);
    long most = Math.max(1, Arrays.stream(sizes).max().orElseThrow());
    Symmetric places = shmem.allocate(BUCKETS * (long) Long.BYTES); // the next one of each bucket, at its PE
    Symmetric sorted = shmem.allocate(most * Integer.BYTES);
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      if (owners[bucket] == shmem.pe()) {
        context.putLong(places, bucket * (long) Long.BYTES, starts[bucket], shmem.pe());
      }
    }
    shmem.barrierAll();
    for (int integer : own) {
      int bucket = bucket(integer);
      long place = context.fetchAddLong(places, bucket * (long) Long.BYTES, 1, owners[bucket]);
      context.putInt(sorted, place * Integer.BYTES, integer, owners[bucket]);
    }
    shmem.barrierAll();
    MemorySegment mine = sorted.local().asSlice(0, sizes[shmem.pe()] * Integer.BYTES);
    MemorySegment.copy(inOrder(mine.toArray(ValueLayout.JAVA_INT)), 0, mine, ValueLayout.JAVA_INT, 0,
        (int) sizes[shmem.pe()]);
    shmem.barrierAll();
    return shmem.pe() == 0 ? collect(sorted) : new int[0];
  }

  /** Counts the integers of all PEs in each bucket, and shares the buckets out. */
  private void share(int[] own) {
    Symmetric counts = shmem.allocate(BUCKETS * (long) Long.BYTES);
    for (int integer : own) {
      context.incLong(counts, bucket(integer) * (long) Long.BYTES, shmem.pe());
    }
    shmem.team().reduce(counts, 0, counts, 0, BUCKETS, Datatype.LONG, Op.SUM);
    long[] of = counts.local().toArray(ValueLayout.JAVA_LONG);
    long all = Arrays.stream(of).sum();
    long before = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      owners[bucket] = before == all ? 0 : (int) (before * shmem.pes() / all);
      starts[bucket] = sizes[owners[bucket]];
      sizes[owners[bucket]] += of[bucket];
      before += of[bucket];
    }
    counts.free();
  }

  private int[] collect(Symmetric sorted) {
    int[] all = new int[Math.toIntExact(Arrays.stream(sizes).sum())];
    int at = 0;
    for (int pe = 0; pe < shmem.pes(); pe++) {
      context.get(Data.of(all, at, (int) sizes[pe]), sorted, 0, pe);
      at += (int) sizes[pe];
    }
    return all;
  }

  /** Sorts integers that have no sign. */
  private static int[] inOrder(int[] integers) {
    int[] signed = IntStream.of(integers).map(each -> each ^ Integer.MIN_VALUE).toArray();
    Arrays.sort(signed);
    return IntStream.of(signed).map(each -> each ^ Integer.MIN_VALUE).toArray();
  }

  private static int report(int[] sorted, Path file) {
    long different = IntStream.range(0, sorted.length).filter(i -> i == 0 || sorted[i] != sorted[i - 1]).count();
    System.out.printf("%d integers, %d different ones%n", sorted.length, different);
    if (sorted.length > 0) {
      System.out.printf("%s to %s, the middle one is %s%n", Integer.toUnsignedString(sorted[0]),
          Integer.toUnsignedString(sorted[sorted.length - 1]), Integer.toUnsignedString(sorted[sorted.length / 2]));
    }
    try {
      if (!Arrays.equals(sorted, inOrder(integers(file, 0, 1)))) {
        System.err.println("integersort: one PE alone finds another order");
        return WRONG;
      }
    } catch (IOException e) {
      System.err.println("integersort: cannot be read again: " + e.getMessage());
      return BAD_ARGUMENT;
    }
    System.out.println("One PE alone sorts the same.");
    return 0;
  }
}
