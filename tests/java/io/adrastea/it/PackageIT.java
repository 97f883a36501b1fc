package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the jars hold. */
class PackageIT {
  private static final String HERE = "native/linux-" + System.getProperty("os.arch").replace("amd64", "x86_64");
  private static final String LIBRARY = HERE + "/libadrastea.so";
  private static final String LIBRARY_OF_AARCH64 = "native/linux-aarch64/libadrastea.so";
  private static final int MACHINE = 18; // where an ELF header says for which machine the file is
  private static final int AARCH64 = 183;

  @RegisterExtension final ShmDirectory shm = new ShmDirectory();
  @TempDir Path directory;
  @Test
  void theTransportsJarHoldsLibrariesAndNoPrograms() throws Exception {
    Set<String> expected = new TreeSet<>(Set.of(LIBRARY));
    if (hasCrossCompiler()) {
      expected.add(LIBRARY_OF_AARCH64);
    }
    Stream<String> found = entries(transport()).stream().filter(name -> name.startsWith("native/"));
    assertEquals(expected, found.collect(Collectors.toCollection(TreeSet::new)));
  }

  private static boolean hasCrossCompiler() {
    return Files.exists(Path.of("/usr/aarch64-linux-gnu/include/stdio.h"))
        && Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(path -> Files.isExecutable(Path.of(path, "aarch64-linux-gnu-gcc")));
  }

  @Test
  void theLibraryForAarch64IsForThatMachineAndHasTheFunctionsOfTheOther() throws Exception {
    assumeTrue(
        hasCrossCompiler(),
        "no aarch64-linux-gnu-gcc with its headers: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross");
    Path other = extract(LIBRARY_OF_AARCH64);
    ByteBuffer header = ByteBuffer.wrap(Files.readAllBytes(other)).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(AARCH64, header.getShort(MACHINE));
    Set<String> functions = functions(extract(LIBRARY));
    assertTrue(functions.contains("adr_job_join"), functions::toString);
    assertTrue(functions.stream().anyMatch(name -> name.startsWith("Java_")), "the functions of the jni core");
    assertEquals(functions, functions(other));
  }

  private Path extract(String entry) throws IOException {
    Path file = directory.resolve(entry.replace('/', '-'));
    try (JarFile jar = new JarFile(transport().toFile());
        InputStream in = jar.getInputStream(jar.getEntry(entry))) {
      Files.copy(in, file);
    }
    return file;
  }

  private static Set<String> functions(Path library) throws Exception {
    return Launch.command("readelf", "-W", "--dyn-syms", library.toString()).run().exits(0).lines().stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 7 && words[3].equals("FUNC") && !words[6].equals("UND"))
        .map(words -> words[7].split("@")[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aPlatformWithoutALibraryIsToldSo() throws Exception {
    Outcome info =
        Launch.java("-Dos.arch=riscv64", "-jar", Launch.jar().toString(), "info")
            .set("shm.dir", shm.path())
            .run()
            .exits(0);
    info.prints("the jar has no /native/linux-riscv64/libadrastea.so, but those of linux-x86_64");
    assertEquals("unusable", info.core("ffm"), info::toString);
    assertEquals("works, chosen by auto", info.core("java"), info::toString);
  }

  @Test
  void theCommandLinesJarHoldsTheProgramsOfTheBenches() throws Exception {
    Set<String> entries = entries(Launch.jar());
    for (String program : List.of("floor", "calls", "copies", "counts", "counts-plain", "pool")) {
      assertTrue(entries.contains(HERE + "/adrastea-" + program), program);
    }
    assertTrue(entries.contains(LIBRARY));
  }

  private static Set<String> entries(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream()
          .filter(entry -> !entry.isDirectory())
          .map(JarEntry::getName)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Path transport() {
    return Launch.root().resolve("java/transport/target/adrastea-" + version() + ".jar");
  }

  private static String version() {
    return Launch.jar().getFileName().toString().replaceFirst("adrastea-cli-(.*)\\.jar", "$1");
  }
}
