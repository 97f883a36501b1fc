package io.adrastea.bench.measure;

import io.adrastea.segment.SegmentFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two hosts on this machine: each has a network, a host name, IPC and a {@code /dev/shm} of its own, and a pair of
 * virtual Ethernet devices leads from one to the other. A host is the namespaces of one process, which have no name and
 * are gone with the last process in them. That one ends with its input, so nothing is left however this JVM ends.
 */
public final class Hosts implements AutoCloseable {
  /** How many there are. */
  public static final int COUNT = 2;

  /** The device that leads from a host to the other one. */
  public static final String DEVICE = "veth0";

  /** The addresses of both. */
  public static final String NETWORK = "10.93.0.0/24";

  /** The variable that names the file in which ranks of several hosts meet before a call that is timed. */
  public static final String START_LINE = "BENCH_START_LINE";

  private static final List<String> PROGRAMS = List.of("ip", "unshare", "nsenter", "mount");
  private static final String READY = "ready";
  private static final long START_LINE_BYTES = 1 << 20;
  private static final long COMMAND_SECONDS = 20;
  private static final long GRACE_MILLIS = 2000;
  private static final int FIRST_PORT = 20_000; // below those that the system chooses itself

  /** What the process of a host does, whose name is its first word. UCX looks for the network's devices in /sys. */
  private static final String HOST = "echo \"$0\" >/proc/sys/kernel/hostname"
      + " && mount -t tmpfs -o size=1g bench /dev/shm && mount -t sysfs bench /sys && ip link set lo up"
      + " && echo " + READY + " && exec cat >/dev/null";

  /** Returns once the device is up: the kernel may take a second to tell so, and ranks use no other devices. */
  private static final String IS_UP = "until read -r state </sys/class/net/" + DEVICE
      + "/operstate && [ \"$state\" = up ]; do sleep 0.01; done";

  private final List<Process> holders = new ArrayList<>();
  private final List<Path> directories = new ArrayList<>(); // of its own, guarded by this
  private final Path files; // which all hosts see
  private final Path shared; // in memory, of this host
  private boolean removed; // guarded by this
  private final Thread hook = new Thread(this::removeFiles, "bench hosts");
  private int ports;

  private Hosts() throws IOException {
    try {
      Runtime.getRuntime().addShutdownHook(hook); // before there is anything that it is to remove
    } catch (IllegalStateException e) {
      throw ending();
    }
    files = makeDirectory(Path.of(System.getProperty("java.io.tmpdir")));
    shared = makeDirectory(SegmentFile.directory());
  }

  private synchronized Path makeDirectory(Path parent) throws IOException {
    requireOpen();
    Path made = Files.createTempDirectory(parent, "bench-adrastea-hosts-");
    directories.add(made);
    return made;
  }

  /** Nothing is made any more once what there was has been removed. */
  private void requireOpen() throws IOException {
    if (removed) {
      throw ending();
    }
  }

  private static IOException ending() {
    return new IOException("this JVM is ending, and makes no hosts");
  }

  /** What is lacking for it here, and what to do about that; empty: nothing. */
  public static Optional<String> lacking() {
    List<String> absent = PROGRAMS.stream().filter(name -> !isOnPath(name)).toList();
    if (!absent.isEmpty()) {
      return Optional.of("hosts of this machine are made by programs that are not on PATH: %s; they come with:"
          .formatted(String.join(", ", absent)) + " apt-get install iproute2 util-linux mount");
    }
    return isRoot() ? Optional.empty()
        : Optional.of("hosts of this machine are network namespaces, which root alone may make: call it as root, as in"
            + " 'sudo bin/adrastea bench compare --hosts 2'");
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
  }

  private static boolean isRoot() {
    try {
      return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Makes them.
   *
   * @throws BenchException when that cannot be done here; it says why
   */
  public static Hosts make() throws IOException, BenchException, InterruptedException {
    Optional<String> lacking = lacking();
    if (lacking.isPresent()) {
      throw new BenchException(lacking.get());
    }
    Hosts hosts = new Hosts();
    boolean made = false;
    try {
      hosts.start();
      made = true;
      return hosts;
    } finally {
      if (!made) {
        hosts.close();
      }
    }
  }

  private void start() throws IOException, BenchException, InterruptedException {
    for (int host = 0; host < COUNT; host++) {
      ProcessBuilder builder = new ProcessBuilder("unshare", "-n", "-m", "-u", "-i", "sh", "-c", HOST, name(host));
      builder.redirectErrorStream(true);
      Process holder = Children.start(builder, false);
      holders.add(holder);
      BufferedReader output = holder.inputReader(StandardCharsets.UTF_8);
      String line = output.readLine();
      if (!READY.equals(line)) {
        throw new BenchException("no host can be made here (are namespaces and mounts allowed in this container?): "
            + (line == null ? "unshare ended without a word" : line));
      }
    }
    run(0, "ip", "link", "add", DEVICE, "type", "veth", "peer", "name", DEVICE, "netns", "" + holders.get(1).pid());
    for (int host = 0; host < COUNT; host++) {
      run(host, "ip", "addr", "add", address(host) + "/24", "dev", DEVICE);
      run(host, "ip", "link", "set", DEVICE, "up");
    }
    for (int host = 0; host < COUNT; host++) {
      run(host, "sh", "-c", IS_UP);
    }
    writeAgent();
  }

  private synchronized void writeAgent() throws IOException {
    requireOpen();
    String cases = IntStream.range(0, COUNT)
        .mapToObj(host -> "%s) set -- %s \"$@\" ;;\n".formatted(address(host), String.join(" ", enter(host))))
        .reduce("", String::concat);
    Files.writeString(agent(), "#!/bin/sh\nwhile case $1 in -*) true ;; *) false ;; esac; do shift; done\n"
        + "host=$1\nshift\nset -- sh -c \"$*\"\ncase $host in\n" + cases
        + "*) echo \"no host $host\" >&2; exit 1 ;;\nesac\nexec \"$@\"\n");
    Files.setPosixFilePermissions(agent(), PosixFilePermissions.fromString("rwx------"));
  }

  private void run(int host, String... words) throws IOException, BenchException, InterruptedException {
    List<String> command = new ArrayList<>(enter(host));
    command.addAll(List.of(words));
    Process process = Children.start(new ProcessBuilder(command).redirectErrorStream(true), false);
    try {
      if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        String said = process.isAlive() ? "no end within " + COMMAND_SECONDS + " s"
            : new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        throw new BenchException("'%s' failed: %s".formatted(String.join(" ", words), said));
      }
    } finally {
      Children.end(process, 0, false);
    }
  }

  /** The name of a host. */
  public static String name(int host) {
    return "bench-host-" + (char) ('a' + host);
  }

  /** The address of a host. */
  public String address(int host) {
    return "10.93.0." + (host + 1);
  }

  /** The host of a rank: the lower half of the ranks is on the first one. */
  public int of(int rank, int ranks) {
    return rank * COUNT / ranks;
  }

  /** What begins a command that is to run on a host. */
  public List<String> enter(int host) {
    return List.of("nsenter", "-t", "" + holders.get(host).pid(), "-m", "-u", "-i", "-n", "--");
  }

  /** A program in ssh's place: {@code AGENT ADDRESS COMMAND…}; options before the address do not count. */
  public Path agent() {
    return files.resolve("agent");
  }

  /** A port of the first host that nobody else has been told. */
  public int port() {
    return FIRST_PORT + ports++;
  }

  /** Makes a file in memory, full of zeros, for {@link #START_LINE}; the name is that for processes of all hosts. */
  public synchronized String startLine() throws IOException {
    requireOpen();
    Path file = Files.createTempFile(shared, "line", "");
    try (RandomAccessFile line = new RandomAccessFile(file.toFile(), "rw")) {
      line.setLength(START_LINE_BYTES);
    }
    return "/proc/%d/root%s".formatted(ProcessHandle.current().pid(), file.toAbsolutePath());
  }

  private synchronized void removeFiles() {
    removed = true;
    for (Path directory : directories) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        // What somebody else removed is no reason to fail.
      }
    }
  }

  @Override
  public void close() {
    holders.forEach(Children::dismiss);
    holders.forEach(holder -> Children.end(holder, GRACE_MILLIS, false));
    removeFiles();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM is ending, and the hook runs.
    }
  }
}
