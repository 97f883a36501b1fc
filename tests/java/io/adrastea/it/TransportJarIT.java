package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport's jar as a program's only dependency, and beside Agrona's. */
class TransportJarIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void theTransportsJarServesTheClassPath(String core) throws Exception {
    threads(
        "-cp",
        transport() + ":" + Launch.classes(),
        "--enable-native-access=ALL-UNNAMED",
        "io.adrastea.it.ThreadsMain")
        .set("core", core)
        .run()
        .exits(0)
        .prints("rank 1 answered 11", "a job of 1 on " + core + " in module null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void theTransportsJarServesTheModulePath(String core) throws Exception {
    Outcome outcome =
        threads("--module-path", transport(), "--add-modules", "io.adrastea")
            .add(
                "--enable-native-access=io.adrastea",
                "-cp",
                Launch.classes().toString(),
                "io.adrastea.it.ThreadsMain")
            .set("core", core)
            .run()
            .exits(0)
            .prints("rank 1 answered 11", "a job of 1 on " + core + " in module io.adrastea");
    outcome.saysNothing();
  }

  /** Every kind of buffer, and an idle strategy; reflection looks at all signatures. */
  private static final String PROGRAM =
      """
          package app;
          import io.adrastea.*;
          import io.adrastea.error.AdrasteaException;
          import java.lang.foreign.*;
          import java.nio.ByteBuffer;
          import java.util.List;
          public class Main {
            public static void main(String[] args) {
              List<Class<?>> types =
                  List.of(Job.class, Job.Builder.class, Communicator.class, Burst.class, Data.class, IoVector.class);
              for (Class<?> type : types) {
                List.of(type.getMethods()).forEach(method -> method.toGenericString());
              }
              Job.builder().idleStrategy(() -> Thread::onSpinWait).runThreads(2, Main::exchange);
              try (Job alone = Job.join()) {
                System.out.println("alone on " + alone.core());
              } catch (AdrasteaException e) {
                System.exit(9);
              }
            }
            private static void exchange(Job job) {
              Communicator world = job.world();
              int peer = 1 - world.rank();
              byte[] bytes = {1, 2, 3, 4};
              long[] longs = {5};
              if (world.rank() == 0) {
                world.send(Data.of(bytes, 1, 2), peer, 0);
                world.send(Data.of(ByteBuffer.wrap(bytes)), peer, 0);
                world.isend(MemorySegment.ofArray(longs), peer, 0).await();
                world.sendInit(Data.of(longs), peer, 0).start().await();
                try (Burst burst = world.burst(peer)) {
                  burst.send(Data.of(bytes), 0);
                  burst.send(Data.of(new IoVector().add(Data.of(longs))), 0);
                }
              } else {
                long sum = 0;
                for (int i = 0; i < 6; i++) {
                  sum += world.recv(Data.of(new byte[8]), peer, 0).bytes();
                }
                System.out.println(sum + " bytes");
              }
              world.sendrecv(Data.of(longs), peer, 1, Data.of(new long[1]), peer, 1);
            }
          }
          """;

  private static final List<String> SAID = List.of("34 bytes", "alone on ffm");

  private String compiledModule() throws IOException {
    return compile(transport(), "module app { requires io.adrastea; }", PROGRAM);
  }

  @Test
  void aProgramIsCompiledAndRunsOnTheClassPath() throws Exception {
    javac("-cp", transport(), source("Main.java", PROGRAM));
    Outcome outcome =
        threads("--enable-native-access=ALL-UNNAMED", "-cp", transport() + ":" + classes(), "app.Main").run().exits(0);
    assertEquals(SAID, outcome.lines());
    outcome.saysNothing();
  }

  @Test
  void aModuleThatRequiresItRuns() throws Exception {
    Outcome outcome =
        threads("--module-path", transport() + ":" + compiledModule())
            .add("--enable-native-access=io.adrastea", "-m", "app/app.Main")
            .run()
            .exits(0);
    assertEquals(SAID, outcome.lines());
    outcome.saysNothing();
  }

  /** Brings a link of its own, which hands on what shared memory does, and counts what is sent by it. */
  private static final String NETWORK =
      """
          package app;
          import io.adrastea.*;
          import io.adrastea.link.*;
          import java.lang.reflect.Proxy;
          import java.util.BitSet;
          import java.util.concurrent.atomic.AtomicInteger;
          public class Main implements LinkProvider {
            private static final AtomicInteger SENT = new AtomicInteger();
            public static void main(String[] args) {
              Job.runThreads(2, job -> {
                byte[] bytes = new byte[1 << 20];
                if (job.world().rank() == 0) {
                  bytes[bytes.length - 1] = 7;
                  job.world().send(Data.of(bytes), 1, 0);
                } else {
                  job.world().recv(Data.of(bytes), 0, 0);
                  System.out.println("received " + bytes[bytes.length - 1]);
                }
                job.world().barrier();
              });
              System.out.println(SENT.get() >= (1 << 20) / 8192 ? "by the link" : SENT + " pieces by the link");
            }
            @Override
            public String name() {
              return "handing-on";
            }
            @Override
            public int preference() {
              return SHARED_MEMORY_PREFERENCE - 1;
            }
            @Override
            public boolean reaches(JobRank self, int rank) {
              return self.node(rank) == self.node(self.rank());
            }
            @Override
            public Link open(JobRank self, BitSet ranks) {
              return (Link) Proxy.newProxyInstance(Main.class.getClassLoader(), new Class<?>[] {Link.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("trySend")) {
                      SENT.incrementAndGet();
                    }
                    return method.invoke(self.sharedMemory(), arguments);
                  });
            }
          }
          """;

  @Test
  void aModuleBringsALinkOfItsOwn() throws Exception {
    String module = "module app { requires io.adrastea; provides io.adrastea.link.LinkProvider with app.Main; }";
    Outcome outcome =
        threads("--module-path", transport() + ":" + compile(transport(), module, NETWORK))
            .add("--enable-native-access=io.adrastea", "-m", "app/app.Main")
            .run()
            .exits(0);
    assertEquals(List.of("received 7", "by the link"), outcome.lines());
    outcome.saysNothing();
  }

  @Test
  void aJarOnTheClassPathBringsALinkOfItsOwn() throws Exception {
    javac("-cp", transport(), source("Main.java", NETWORK));
    Path services = Files.createDirectories(Path.of(classes(), "META-INF", "services"));
    Files.writeString(services.resolve("io.adrastea.link.LinkProvider"), "app.Main\n");
    Outcome outcome =
        threads("--enable-native-access=ALL-UNNAMED", "-cp", transport() + ":" + classes(), "app.Main").run().exits(0);
    assertEquals(List.of("received 7", "by the link"), outcome.lines());
  }

  @Test
  void aModuleThatRequiresItIsLinkedToAnImageThatRuns() throws Exception {
    Path image = directory.resolve("image");
    String modules = transport() + ":" + compiledModule();
    tool("jlink", "--module-path", modules, "--add-modules", "app", "--output", image.toString());
    Outcome outcome =
        Launch.command(image.resolve("bin/java").toString())
            .add("--enable-native-access=io.adrastea", "-m", "app/app.Main")
            .set("shm.dir", shm.path())
            .run()
            .exits(0);
    assertEquals(SAID, outcome.lines());
    outcome.saysNothing();
  }

  @Test
  void aModuleThatRequiresAgronaTooSendsItsBuffers() throws Exception {
    String modules = transport() + ":" + agrona();
    String app =
        compile(
            modules,
            "@SuppressWarnings(\"requires-automatic\") module app { requires io.adrastea; requires org.agrona; }",
            """
                package app;
                import io.adrastea.Job;
                import io.adrastea.agrona.Agrona;
                import io.adrastea.agrona.AgronaData;
                import io.adrastea.agrona.SegmentBuffer;
                import java.lang.foreign.Arena;
                import org.agrona.MutableDirectBuffer;
                import org.agrona.concurrent.BackoffIdleStrategy;
                public class Main {
                  public static void main(String[] args) {
                    Job.builder()
                        .idleStrategy(() -> Agrona.idleStrategy(new BackoffIdleStrategy()))
                        .runThreads(2, Main::exchange);
                  }
                  private static void exchange(Job job) {
                    MutableDirectBuffer buffer = new SegmentBuffer(Arena.ofAuto().allocate(16));
                    if (job.world().rank() == 0) {
                      buffer.putLong(8, 42);
                      job.world().send(AgronaData.of(buffer, 8, 8), 1, 0);
                    } else {
                      job.world().recv(Agrona.memory(buffer, 0, 8), 0, 0);
                      System.out.println("received " + buffer.getLong(0));
                    }
                  }
                }
                """);
    Outcome outcome =
        threads("--module-path", modules + ":" + app)
            .add("--enable-native-access=io.adrastea", "-m", "app/app.Main")
            .run()
            .exits(0);
    assertEquals(List.of("received 42"), outcome.lines());
  }

  /** Compiles class app.Main and its module; returns where they are. */
  private String compile(String modulePath, String module, String program) throws IOException {
    javac("--module-path", modulePath, source("module-info.java", module), source("Main.java", program));
    return classes();
  }

  /** Compiles with the warnings of javac, of which there are to be none. */
  private void javac(String... words) {
    List<String> all = new ArrayList<>(List.of("-Xlint:all,-try", "-Werror", "-d", classes()));
    all.addAll(List.of(words));
    if (!all.contains("-cp")) {
      all.addAll(List.of("-cp", directory.toString())); // else it is that of this test
    }
    tool("javac", all.toArray(String[]::new));
  }

  private String classes() {
    return directory.resolve("app").toString();
  }

  private String source(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private static void tool(String name, String... words) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = ToolProvider.findFirst(name).orElseThrow().run(writer, writer, words);
    assertEquals(0, code, () -> name + " said: " + said);
  }

  private Launch threads(String... words) {
    return Launch.java(words).variable("CLASSPATH", "").set("shm.dir", shm.path());
  }

  /** Finds the jar on the class path of the tests, where the packed command line has its classes too. */
  private static Path agrona() {
    return Stream.of(System.getProperty("java.class.path").split(":"))
        .map(Path::of)
        .filter(path -> path.getFileName().toString().matches("agrona-[0-9.]+\\.jar"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no jar of Agrona on the class path"));
  }

  private static String transport() {
    Path jar =
        Launch.root()
            .resolve("java/transport/target")
            .resolve(Launch.jar().getFileName().toString().replace("adrastea-cli-", "adrastea-"));
    assertTrue(Files.exists(jar), () -> jar + " is not there");
    return jar.toString();
  }
}
