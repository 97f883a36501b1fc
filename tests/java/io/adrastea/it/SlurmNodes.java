package io.adrastea.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A Slurm of this machine alone, on the loopback address: one controller and two nodes, n1 and n2, whose daemons run
 * here. They end with {@link #close} or with the thread that started them.
 */
final class SlurmNodes implements AutoCloseable {
  private static final List<String> PROGRAMS = List.of("/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/bin/srun");

  private final Path directory;
  private final Path configuration;
  private final List<Process> daemons = new ArrayList<>();

  private SlurmNodes(Path directory) {
    this.directory = directory;
    this.configuration = directory.resolve("slurm.conf");
  }

  /** Why there can be no Slurm here; empty: there can. */
  static String missing() {
    for (String program : PROGRAMS) {
      if (!Files.isExecutable(Path.of(program))) {
        return "no " + program + " (apt-get install slurm-wlm)";
      }
    }
    return System.getProperty("user.name").equals("root") ? "" : "a Slurm without munge starts ranks for root alone";
  }

  /** Starts the daemons, and waits until both nodes take work. */
  static SlurmNodes start(Path directory) throws Exception {
    SlurmNodes slurm = new SlurmNodes(directory);
    try {
      Files.writeString(slurm.configuration, slurm.text(InetAddress.getLocalHost().getHostName().split("\\.")[0]));
      Files.createDirectory(directory.resolve("state"));
      slurm.daemon("slurmctld", "-D");
      slurm.daemon("slurmd", "-D", "-N", "n1");
      slurm.daemon("slurmd", "-D", "-N", "n2");
      Deadline.await("two idle nodes", slurm::isIdle, slurm::said);
      return slurm;
    } catch (Throwable e) {
      slurm.close();
      throw e;
    }
  }

  private String text(String host) throws IOException {
    return """
        ClusterName=it
        SlurmctldHost=%1$s(127.0.0.1)
        AuthType=auth/none
        CredType=cred/none
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
        SlurmdPidFile=%2$s/node.%%n.pid
        SlurmctldPidFile=%2$s/controller.pid
        SlurmctldPort=%3$d
        ReturnToService=2
        NodeName=n1 NodeHostname=%1$s NodeAddr=127.0.0.1 Port=%4$d CPUs=%6$d
        NodeName=n2 NodeHostname=%1$s NodeAddr=127.0.0.1 Port=%5$d CPUs=%6$d
        PartitionName=p Nodes=ALL Default=YES OverSubscribe=FORCE:8
        """.formatted(host, directory, freePort(), freePort(), freePort(),
        Runtime.getRuntime().availableProcessors());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void daemon(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("setpriv", "--pdeathsig", "KILL", "--"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("daemons.log").toFile()));
    builder.environment().putAll(environment());
    daemons.add(builder.start());
  }

  /** What a command needs to find this Slurm. */
  Map<String, String> environment() {
    return Map.of("SLURM_CONF", configuration.toString());
  }

  private boolean isIdle() {
    try {
      ProcessBuilder builder = new ProcessBuilder("sinfo", "-h", "-N", "-o", "%T").redirectErrorStream(true);
      builder.environment().putAll(environment());
      Process process = builder.start();
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

  @Override
  public void close() {
    for (Process daemon : daemons) {
      daemon.destroy();
    }
    for (Process daemon : daemons) {
      daemon.onExit().orTimeout(Deadline.SECONDS, java.util.concurrent.TimeUnit.SECONDS).exceptionally(late -> {
        daemon.destroyForcibly();
        return daemon;
      }).join();
    }
  }
}
