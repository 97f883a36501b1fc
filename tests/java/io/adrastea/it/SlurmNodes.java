package io.adrastea.it;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Slurm of this machine alone: one controller and two nodes, n1 and n2, whose daemons run here. They end with
 * {@link #end} or with the thread that started them. The daemons and srun listen on the loopback address alone. They
 * listen where the machine's name leads to, so all of them run in a mount namespace in which that is the loopback
 * address ({@link #command}).
 */
final class SlurmNodes {
  private static final List<String> PROGRAMS =
      List.of("/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/srun", "/usr/bin/sbatch", "/usr/bin/sinfo");
  private static final List<String> IN_NAMESPACE = List.of("unshare", "-m", "--propagation", "private");
  private static final String HOSTS = "/etc/hosts";
  private static final String LISTEN = "0A"; // a state of TCP

  private final Path directory;
  private final Path configuration;
  private final Path hosts;
  private final List<Process> daemons = new ArrayList<>();

  private SlurmNodes(Path directory) {
    this.directory = directory;
    this.configuration = directory.resolve("slurm.conf");
    this.hosts = directory.resolve("hosts");
  }

  /** Which of the things that a Slurm needs this machine lacks; empty: none, so that one must start. */
  static String missing() throws Exception {
    for (String program : PROGRAMS) {
      if (!Files.isExecutable(Path.of(program))) {
        return "no " + program + " (apt-get install slurm-wlm)";
      }
    }
    if (!System.getProperty("user.name").equals("root")) {
      return "a Slurm without munge starts ranks for root alone";
    }
    if (NetworkInterface.networkInterfaces().allMatch(SlurmNodes::isLoopbackOrBare)) {
      return "a Slurm finds no address where lo is the only network interface";
    }
    Launch mounting = Launch.command(IN_NAMESPACE.toArray(String[]::new)).add("mount", "--bind", HOSTS, HOSTS);
    return mounting.run().code() == 0
        ? ""
        : "a Slurm on the loopback address needs the right to mount a file in a namespace of its own (unshare -m)";
  }

  private static boolean isLoopbackOrBare(NetworkInterface one) {
    try {
      return one.isLoopback() || one.getInterfaceAddresses().isEmpty();
    } catch (SocketException e) {
      return true; // it is gone
    }
  }

  /** Starts the daemons, and waits until both nodes take work; fails at once when a daemon ends. */
  static SlurmNodes start(Path directory) throws Exception {
    SlurmNodes slurm = new SlurmNodes(directory);
    try {
      String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().split("\\.")[0];
      Files.writeString(slurm.hosts, "127.0.0.1 localhost n1 n2 " + host + "\n");
      Files.writeString(slurm.configuration, slurm.text(host));
      for (String name : List.of("state", "tmp.n1", "tmp.n2")) { // those of nodes are for the plugin of PMIx
        Files.createDirectory(directory.resolve(name));
      }
      slurm.daemon("slurmctld", "-D");
      slurm.daemon("slurmd", "-D", "-N", "n1");
      slurm.daemon("slurmd", "-D", "-N", "n2");
      Deadline.await("two idle nodes", () -> slurm.hasLost() || slurm.isIdle(), slurm::said);
      if (slurm.hasLost()) {
        throw new IOException("a daemon of Slurm has ended: " + slurm.said());
      }
      return slurm;
    } catch (Throwable e) {
      slurm.end();
      throw e;
    }
  }

  private boolean hasLost() {
    return daemons.stream().anyMatch(daemon -> !daemon.isAlive());
  }

  private String text(String host) throws IOException {
    List<Integer> ports = freePorts(3);
    return """
        ClusterName=it
        SlurmctldHost=%1$s(127.0.0.1)
        AuthType=auth/none
        CredType=cred/none
        CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
        ProctrackType=proctrack/linuxproc
        TaskPlugin=task/none
        SelectType=select/cons_tres
        SelectTypeParameters=CR_CPU
        SwitchType=switch/none
        MpiDefault=none
        JobAcctGatherType=jobacct_gather/none
        SlurmUser=root
        SlurmdUser=root
        StateSaveLocation=%2$s/state
        SlurmdSpoolDir=%2$s/spool.%%n
        TmpFS=%2$s/tmp.%%n
        SlurmdPidFile=%2$s/node.%%n.pid
        SlurmctldPidFile=%2$s/controller.pid
        SlurmctldPort=%3$d
        ReturnToService=2
        NodeName=n1 NodeHostname=%1$s NodeAddr=127.0.0.1 Port=%4$d CPUs=%6$d
        NodeName=n2 NodeHostname=%1$s NodeAddr=127.0.0.1 Port=%5$d CPUs=%6$d
        PartitionName=p Nodes=ALL Default=YES OverSubscribe=FORCE:8
        """.formatted(host, directory, ports.get(0), ports.get(1), ports.get(2),
        Runtime.getRuntime().availableProcessors());
  }

  /** So many, each another: all are held until all are chosen. */
  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      while (held.size() < count) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }

  private void daemon(String... words) throws IOException {
    ProcessBuilder builder = builder(words)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("daemons.log").toFile()));
    builder.command().addAll(0, List.of("setpriv", "--pdeathsig", "KILL", "--"));
    daemons.add(builder.start());
  }

  private ProcessBuilder builder(String... words) {
    List<String> command = new ArrayList<>(List.of(command()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment());
    return builder;
  }

  /** Words before a command of this Slurm, such as srun, which take its place when they have done their work. */
  String[] command() {
    String script = "mount --bind '%s' %s && exec \"$@\"".formatted(hosts, HOSTS);
    return Stream.concat(IN_NAMESPACE.stream(), Stream.of("sh", "-c", script, "sh")).toArray(String[]::new);
  }

  /** What a command needs to find this Slurm. */
  Map<String, String> environment() {
    return Map.of("SLURM_CONF", configuration.toString());
  }

  /** Local addresses at which its processes listen now, srun's among them, in the words of /proc/net/tcp. */
  List<String> listening() throws IOException {
    Set<String> sockets = new HashSet<>();
    for (long pid : living()) {
      sockets.addAll(open(pid));
    }
    List<String> addresses = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] words = line.strip().split(" +");
        if (words[3].equals(LISTEN) && sockets.contains("socket:[" + words[9] + "]")) {
          addresses.add(words[1]);
        }
      }
    }
    return addresses;
  }

  private List<Long> living() {
    return Processes.with("SLURM_CONF", configuration.toString());
  }

  /** What its descriptors lead to; nothing: it has ended. */
  private static List<String> open(long pid) {
    List<String> targets = new ArrayList<>();
    File[] descriptors = new File("/proc/" + pid + "/fd").listFiles();
    for (File descriptor : descriptors == null ? new File[0] : descriptors) {
      try {
        targets.add(Files.readSymbolicLink(descriptor.toPath()).toString());
      } catch (IOException e) {
        // it has been closed
      }
    }
    return targets;
  }

  private boolean isIdle() {
    try {
      Process process = builder("sinfo", "-h", "-N", "-o", "%T").start();
      String said = new String(process.getInputStream().readAllBytes());
      process.waitFor();
      return said.lines().filter("idle"::equals).count() == 2;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String said() {
    try {
      return Files.readString(directory.resolve("daemons.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Ends the daemons and the steps, of which some wait for minutes for an srun that has been killed. */
  void end() throws InterruptedException {
    Deadline.await("the end of Slurm", () -> {
      List<Long> left = living();
      left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
      return left.isEmpty();
    }, this::said);
  }
}
