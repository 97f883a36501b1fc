package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Boxes.Box;
import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.datatypes.Gather.Points;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The shapes of DDTBench (Schneider, Gerstenberger and Hoefler, 2012), made anew after what it tells of them: which
 * parts of their arrays WRF, MILC, NAS LU and MG, LAMMPS, SPECFEM3D and a two-dimensional FFT exchange with a
 * neighbour. All of its sizes are here. Every process makes the same cases, lists of indices included.
 */
final class Shapes {
  private static final long LINE = 64;
  private static final int FLOAT = Float.BYTES;
  private static final int DOUBLE = Double.BYTES;
  private static final int COMPLEX = 2 * Double.BYTES;
  private static final int SEED = 2012;

  private final List<Case> cases = new ArrayList<>();

  private Shapes() {}

  /** All of them; the number of each is its place. */
  static List<Case> all() {
    Shapes shapes = new Shapes();
    shapes.weather();
    shapes.lattice();
    shapes.pencils();
    shapes.faces();
    shapes.atoms();
    shapes.points();
    shapes.transpositions();
    return List.copyOf(shapes.cases);
  }

  private void add(String shape, String variety, long memoryBytes, Layout send, Layout receive) {
    cases.add(new Case(Group.SHAPES, cases.size(), shape, variety, memoryBytes, send, receive));
  }

  /** A range of indices of an array that begins elsewhere. */
  private record Range(int first, int last, int from, int to) {
    int size() {
      return last - first + 1;
    }

    int part() {
      return to - from + 1;
    }

    int start() {
      return from - first;
    }
  }

  /** WRF's halo in both directions, each by vectors and by subarrays. */
  private void weather() {
    Range height = new Range(1, 65, 1, 65);
    Range[][] south = {
      {new Range(-4, 27, 1, 23), new Range(34, 85, 41, 43)},
      {new Range(8, 34, 12, 30), new Range(21, 61, 28, 30)},
      {new Range(4, 27, 8, 23), new Range(14, 47, 21, 23)},
      {new Range(10, 31, 14, 27), new Range(10, 39, 17, 19)},
      {new Range(4, 22, 8, 18), new Range(4, 27, 11, 13)},
    };
    String[] grids = {"2x2", "3x3", "4x4", "5x5", "8x8"};
    for (int i = 0; i < grids.length; i++) {
      weather("WRF_y", grids[i], south[i][0], height, south[i][1]);
    }
    weather("WRF_x", "2x2", new Range(-4, 27, 18, 20), height, new Range(34, 85, 38, 81));
    weather("WRF_x", "4x4", new Range(4, 27, 18, 20), height, new Range(14, 47, 18, 43));
    weather("WRF_x", "8x8", new Range(4, 22, 13, 15), height, new Range(4, 27, 8, 23));
  }

  /** Four arrays of two dimensions, three of three, and two of four, of which the second half is exchanged. */
  private void weather(String shape, String grid, Range x, Range z, Range y) {
    long row = (long) x.size() * FLOAT;
    long plane = row * z.size();
    long volume = plane * y.size();
    List<Box> boxes = new ArrayList<>();
    List<Long> arrays = new ArrayList<>();
    long at = 0;
    for (int array = 0; array < 9; array++) {
      arrays.add(at);
      boolean flat = array < 4;
      boolean scalars = array >= 7;
      boxes.add(flat
          ? new Box(at + x.start() * FLOAT + y.start() * row, 1, 0, y.part(), row, x.part(), FLOAT)
          : new Box(at + (scalars ? volume : 0) + x.start() * FLOAT + z.start() * row + y.start() * plane, y.part(),
              plane, z.part(), row, x.part(), FLOAT));
      at += lines(flat ? row * y.size() : scalars ? 2 * volume : volume);
    }
    Boxes hand = new Boxes(boxes);
    Described flat = Described.vector(y.part(), x.part(), x.size(), Described.FLOAT);
    Described deep = Described.hvector(y.part(), 1, plane,
        Described.vector(z.part(), x.part(), x.size(), Described.FLOAT));
    Described scalars = Described.hvector(1, 1, volume, deep);
    long[] firsts = boxes.stream().mapToLong(Box::at).toArray();
    Described[] vectors =
        IntStream.range(0, 9).mapToObj(i -> i < 4 ? flat : i < 7 ? deep : scalars).toArray(Described[]::new);
    same(shape + "_vec", grid, at, new Layout(Described.struct(firsts, vectors), 0, hand));
    Described[] parts = IntStream.range(0, 9).mapToObj(i -> i < 4
        ? Described.subarray(sizes(x, y), parts(x, y), starts(x, y), Described.FLOAT)
        : i < 7
            ? Described.subarray(sizes(x, z, y), parts(x, z, y), starts(x, z, y), Described.FLOAT)
            : Described.subarray(and(sizes(x, z, y), 2), and(parts(x, z, y), 1), and(starts(x, z, y), 1),
                Described.FLOAT))
        .toArray(Described[]::new);
    long[] begins = arrays.stream().mapToLong(Long::longValue).toArray();
    same(shape + "_sa", grid, at, new Layout(Described.struct(begins, parts), 0, hand));
  }

  private static long[] sizes(Range... ranges) {
    return Arrays.stream(ranges).mapToLong(Range::size).toArray();
  }

  private static long[] parts(Range... ranges) {
    return Arrays.stream(ranges).mapToLong(Range::part).toArray();
  }

  private static long[] starts(Range... ranges) {
    return Arrays.stream(ranges).mapToLong(Range::start).toArray();
  }

  private static long[] and(long[] numbers, long last) {
    return LongStream.concat(LongStream.of(numbers), LongStream.of(last)).toArray();
  }

  /** What is sent comes back to the same place. */
  private void same(String shape, String variety, long memoryBytes, Layout both) {
    add(shape, variety, memoryBytes, both, both);
  }

  /** MILC's vectors of three complex numbers, on a lattice of four dimensions, for the neighbour below in z. */
  private void lattice() {
    int[][] lattices = {{16, 16, 16, 16}, {8, 8, 16, 16}, {8, 8, 8, 16}, {8, 8, 8, 8}};
    for (int[] sites : lattices) {
      int plane = sites[0] * sites[1];
      int half = plane * sites[2] / 2;
      Described sitesOfTime =
          Described.vector(sites[3], plane / 2, half, Described.contiguous(6, Described.FLOAT));
      long parity = 24L * half * sites[3];
      Described both = Described.hvector(2, 1, parity, sitesOfTime);
      Boxes hand = Boxes.of(new Box(0, 2, parity, sites[3], 24L * half, 6 * plane / 2, FLOAT));
      same("MILC_su3_zdown", joined(sites), 2 * parity, new Layout(both, 0, hand));
    }
  }

  private static String joined(int... numbers) {
    return String.join("x", IntStream.of(numbers).mapToObj(String::valueOf).toList());
  }

  /** NAS LU: five numbers of each point of the border of a plane. */
  private void pencils() {
    for (int points : new int[] {12, 33, 64, 102, 162, 408, 1020}) {
      long point = 5 * DOUBLE;
      long row = point * (points + 2);
      long memory = row * (points + 2);
      Described type = Described.contiguous(5L * points, Described.DOUBLE);
      twoPlaces("NAS_LU_x", "" + points, memory, point + points * row, point,
          at -> new Layout(type, at, Boxes.of(new Box(at, 1, 0, 1, 0, 5 * points, DOUBLE))));
    }
    for (int points : new int[] {12, 33, 64, 102, 162, 408, 1020}) {
      long point = 5 * DOUBLE;
      long row = point * (points + 2);
      long memory = row * (points + 2);
      Described type =
          Described.vector(points, 1, points + 2, Described.contiguous(5, Described.DOUBLE));
      twoPlaces("NAS_LU_y", "" + points, memory, points * point + row, row,
          at -> new Layout(type, at, Boxes.of(new Box(at, 1, 0, points, row, 5, DOUBLE))));
    }
  }

  private void twoPlaces(String shape, String variety, long memoryBytes, long send, long receive,
      Function<Long, Layout> layout) {
    add(shape, variety, memoryBytes, layout.apply(send), layout.apply(receive));
  }

  /** NAS MG: the faces of a block in each direction; what is sent lies inside of what is received. */
  private void faces() {
    int[][] blocks = {{34, 18, 18}, {130, 66, 66}, {258, 130, 130}, {514, 258, 258}};
    List<BiFunction<int[], Boolean, Layout>> directions =
        List.of(Shapes::faceX, Shapes::faceY, Shapes::faceZ);
    for (int direction = 0; direction < directions.size(); direction++) {
      for (int[] block : blocks) {
        BiFunction<int[], Boolean, Layout> face = directions.get(direction);
        add("NAS_MG_" + "xyz".charAt(direction), joined(block), (long) block[0] * block[1] * block[2] * DOUBLE,
            face.apply(block, false), face.apply(block, true));
      }
    }
  }

  private static long place(int[] block, int x, int y, int z) {
    return ((z * (long) block[1] + y) * block[0] + x) * DOUBLE;
  }

  private static Layout faceX(int[] block, boolean outer) {
    long row = place(block, 0, 1, 0);
    long plane = place(block, 0, 0, 1);
    long at = place(block, block[0] - (outer ? 1 : 2), 1, 1);
    Described type = Described.hvector(block[2] - 2, 1, plane,
        Described.vector(block[1] - 2, 1, block[0], Described.DOUBLE));
    return new Layout(type, at,
        Boxes.of(new Box(at, block[2] - 2, plane, block[1] - 2, row, 1, DOUBLE)));
  }

  private static Layout faceY(int[] block, boolean outer) {
    long plane = place(block, 0, 0, 1);
    long at = place(block, 1, block[1] - (outer ? 1 : 2), 1);
    Described type =
        Described.vector(block[2] - 2, block[0] - 2, (long) block[0] * block[1], Described.DOUBLE);
    return new Layout(type, at,
        Boxes.of(new Box(at, 1, 0, block[2] - 2, plane, block[0] - 2, DOUBLE)));
  }

  private static Layout faceZ(int[] block, boolean outer) {
    long row = place(block, 0, 1, 0);
    long at = place(block, 1, 1, block[2] - (outer ? 1 : 2));
    Described type = Described.vector(block[1] - 2, block[0] - 2, block[0], Described.DOUBLE);
    return new Layout(type, at,
        Boxes.of(new Box(at, 1, 0, block[1] - 2, row, block[0] - 2, DOUBLE)));
  }

  /** LAMMPS: some atoms go to the end of the neighbour's arrays; the peptide example and the crack example. */
  private void atoms() {
    int[][] peptide = {{3062, 3534}, {2243, 2597}, {1662, 1907}};
    int[][] crack = {{243, 4084}, {145, 2157}, {114, 1217}};
    for (int[] sizes : peptide) {
      atoms("LAMMPS_full", sizes[0], sizes[1], 5);
    }
    for (int[] sizes : crack) {
      atoms("LAMMPS_atomic", sizes[0], sizes[1], 3);
    }
  }

  private void atoms(String shape, int sent, int own, int propertyCount) {
    int all = own + sent;
    long coordinateBytes = lines(3L * all * DOUBLE);
    long propertyBytes = lines((long) all * DOUBLE);
    long[] properties =
        LongStream.range(0, propertyCount).map(property -> coordinateBytes + property * propertyBytes).toArray();
    int[] chosen = chosen(sent, own);
    Described[] parts = new Described[1 + propertyCount];
    Arrays.fill(parts, Described.indexedBlock(1, longs(chosen, 1), Described.DOUBLE));
    parts[0] = Described.indexedBlock(3, longs(chosen, 3), Described.DOUBLE);
    Layout send = new Layout(Described.struct(begins(0, properties), parts), 0, new Atoms(0, properties, chosen));
    Described[] ends = new Described[1 + propertyCount];
    Arrays.fill(ends, Described.contiguous(sent, Described.DOUBLE));
    ends[0] = Described.contiguous(3L * sent, Described.DOUBLE);
    long[] behind = LongStream.of(properties).map(at -> at + (long) own * DOUBLE).toArray();
    Layout receive = new Layout(Described.struct(begins(3L * own * DOUBLE, behind), ends), 0,
        new Atoms(0, properties, IntStream.range(own, all).toArray()));
    add(shape, "" + sent, coordinateBytes + propertyCount * propertyBytes, send, receive);
  }

  private static long[] begins(long first, long[] others) {
    return LongStream.concat(LongStream.of(first), LongStream.of(others)).toArray();
  }

  private static long[] longs(int[] numbers, int times) {
    return IntStream.of(numbers).mapToLong(number -> (long) times * number).toArray();
  }

  /** Different numbers below {@code of}, in no order, the same in every process. */
  private static int[] chosen(int count, int of) {
    int[] all = IntStream.range(0, of).toArray();
    Random random = new Random(SEED + 31L * count + of);
    for (int i = 0; i < count; i++) {
      int other = i + random.nextInt(of - i);
      int swapped = all[i];
      all[i] = all[other];
      all[other] = swapped;
    }
    return Arrays.copyOf(all, count);
  }

  /** SPECFEM3D: points of the outer core, of crust with inner core, and of the matrix of a mesh. */
  private void points() {
    int[][] outer = {{3225, 88881}, {1897, 38585}, {877, 12857}, {493, 3697}};
    for (int[] sizes : outer) {
      int[] chosen = chosen(sizes[0], sizes[1]);
      same("SPECFEM3D_oc", "" + sizes[0], (long) sizes[1] * FLOAT,
          new Layout(Described.indexedBlock(1, longs(chosen, 1), Described.FLOAT), 0,
              new Gather(List.of(new Points(0, 1, chosen)))));
    }
    int[][] crust = {
      {11797, 3009, 834917, 51153}, {7125, 1729, 396849, 22477}, {3801, 801, 152001, 7209}, {1957, 245, 39929, 1225}};
    for (int[] sizes : crust) {
      int[] mantle = chosen(sizes[0], sizes[2]);
      int[] core = chosen(sizes[1], sizes[3]);
      long second = lines(3L * sizes[2] * FLOAT);
      Described type = Described.struct(new long[] {0, second},
          Described.indexedBlock(3, longs(mantle, 3), Described.FLOAT),
          Described.indexedBlock(3, longs(core, 3), Described.FLOAT));
      same("SPECFEM3D_cm", sizes[0] + "+" + sizes[1], second + 3L * sizes[3] * FLOAT,
          new Layout(type, 0, new Gather(List.of(new Points(0, 3, mantle), new Points(second, 3, core)))));
    }
    for (int points : new int[] {7600, 6400, 5600, 6200}) {
      long second = lines(6L * points * FLOAT);
      Described vector = Described.vector(points, 1, 2, Described.contiguous(3, Described.FLOAT));
      add("SPECFEM3D_mt", "" + points, second + 3L * points * FLOAT,
          new Layout(vector, 0, Boxes.of(new Box(0, 1, 0, points, 6 * FLOAT, 3, FLOAT))),
          new Layout(Described.contiguous(3L * points, Described.FLOAT), second,
              Boxes.of(new Box(second, 1, 0, 1, 0, 3 * points, FLOAT))));
    }
  }

  /** A 2-D FFT on two ranks: half of one's rows goes to the other, which receives it transposed. */
  private void transpositions() {
    for (int edge : new int[] {256, 512, 768, 1024, 1536}) {
      int half = edge / 2;
      long row = (long) edge * COMPLEX;
      long matrix = half * row;
      long sent = (long) half * COMPLEX;
      Described complex = Described.contiguous(2, Described.DOUBLE);
      Described gather = Described.resized(0, sent, Described.vector(half, half, edge, complex));
      Described scatter = Described.contiguous(half,
          Described.resized(0, COMPLEX, Described.vector(half, 1, edge, complex)));
      add("FFT2D", "" + edge, 2 * matrix,
          new Layout(gather, sent, Boxes.of(new Box(sent, 1, 0, half, row, 2 * half, DOUBLE))),
          new Layout(scatter, matrix + sent, new Columns(matrix + sent, half, half, row)));
    }
  }

  private static long lines(long bytes) {
    return (bytes + LINE - 1) / LINE * LINE;
  }
}
