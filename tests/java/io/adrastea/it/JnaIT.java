package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The core {@code jna} and its jar, which the transport's jar does not bring and the command line does. */
class JnaIT {
  private static final String JNA = "net/java/dev/jna/jna/5.19.1/jna-5.19.1.jar";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @Test
  void withoutItsJarItSaysWhichOneToAdd() throws Exception {
    Outcome outcome = threads("jna").exits(1);
    outcome.says("core 'jna' cannot be used here", "add jna-5.19.1.jar (net.java.dev.jna:jna) to the class path");
    assertFalse(outcome.err().contains("NoClassDefFoundError"), outcome::toString);
  }

  @Test
  void withoutItsJarTheOthersGoOn() throws Exception {
    for (String core : List.of("ffm", "jni", "java")) {
      threads(core).exits(0).prints("a job of 1 on " + core);
    }
    threads("auto").exits(0).prints("a job of 1 on ffm");
  }

  @Test
  void withItsJarItWorks() throws Exception {
    Outcome outcome = threads("jna", JNA).exits(0).prints("rank 1 answered 11", "a job of 1 on jna");
    outcome.saysNothing();
  }

  @Test
  void onTheModulePathItWorksOnceItsModuleIsAdded() throws Exception {
    Launch.java("--module-path", path(JNA), "--add-modules", "io.adrastea,com.sun.jna")
        .add("--enable-native-access=io.adrastea,com.sun.jna")
        .add("-cp", Launch.classes().toString(), "io.adrastea.it.ThreadsMain")
        .variable("CLASSPATH", "")
        .set("shm.dir", shm.path())
        .set("core", "jna")
        .run()
        .exits(0)
        .prints("a job of 1 on jna in module io.adrastea");
  }

  @Test
  void theCommandLineBringsIt() throws Exception {
    Outcome info = Launch.adrastea(shm, "info").run().exits(0);
    assertEquals("works", info.core("jna"), info::toString);
    assertEquals("works", info.core("jni"), info::toString);
  }

  /** {@link ThreadsMain} on a core, with the transport and these jars of the local repository. */
  private Outcome threads(String core, String... jars) throws Exception {
    return Launch.java("--enable-native-access=ALL-UNNAMED", "-cp", path(jars) + File.pathSeparator + Launch.classes())
        .add("io.adrastea.it.ThreadsMain")
        .variable("CLASSPATH", "")
        .set("shm.dir", shm.path())
        .set("core", core)
        .run();
  }

  private static String path(String... jars) {
    Path repository = Path.of(System.getProperty("adrastea.repository"));
    List<Path> paths = Stream.concat(Stream.of(transport()), Stream.of(jars).map(repository::resolve)).toList();
    paths.forEach(path -> assertTrue(Files.exists(path), () -> path + " is not there"));
    return String.join(File.pathSeparator, paths.stream().map(Path::toString).toList());
  }

  private static Path transport() {
    String name = Launch.jar().getFileName().toString().replace("adrastea-cli-", "adrastea-");
    return Launch.root().resolve("java/transport/target").resolve(name);
  }
}
