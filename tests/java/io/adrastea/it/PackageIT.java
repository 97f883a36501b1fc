package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What the jars hold, and that a program elsewhere can depend on the transport's. */
class PackageIT {
  private static final String POM = "META-INF/maven/io.adrastea/adrastea/pom.xml";
  private static final String HERE = "native/linux-" + System.getProperty("os.arch").replace("amd64", "x86_64");
  private static final String LIBRARY = HERE + "/libadrastea.so";
  private static final String LIBRARY_OF_AARCH64 = "native/linux-aarch64/libadrastea.so";
  private static final int MACHINE = 18; // where an ELF header says for which machine the file is
  private static final int AARCH64 = 183;
  /**
   * A line of META-INF/THIRD-PARTY: coordinates, licence, the file with its text where that is not META-INF/LICENSE.
   */
  private static final Pattern THIRD_PARTY =
      Pattern.compile(
          "(?m)^(?<group>\\S+):(?<name>\\S+):(?<version>\\S+)  +(?<licence>.*?)(  +(?<file>META-INF/licenses/\\S+))?$");

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;
  private final List<Path> links = new ArrayList<>();

  /** What they lead to is not the test's. */
  @AfterEach
  void removeLinks() throws IOException {
    for (Path link : links) {
      Files.delete(link);
    }
  }

  @Test
  void thePomInTheJarStandsAloneAndHasNoDependencyThatIsNotOptional() throws Exception {
    Document pom = pom();
    Element project = pom.getDocumentElement();
    assertEquals("", child(project, "parent"), "a parent would have to be installed too");
    assertEquals(List.of("io.adrastea", "adrastea"), List.of(child(project, "groupId"), child(project, "artifactId")));
    assertEquals(version(), child(project, "version"));
    var dependencies = pom.getElementsByTagName("dependency");
    List<String> found = new ArrayList<>();
    for (int i = 0; i < dependencies.getLength(); i++) {
      Element dependency = (Element) dependencies.item(i);
      assertEquals("true", child(dependency, "optional"), child(dependency, "artifactId"));
      assertTrue(child(dependency, "version").matches("[0-9.]+"), child(dependency, "artifactId"));
      found.add(child(dependency, "artifactId"));
    }
    assertEquals(List.of("agrona", "jna"), found.stream().sorted().toList());
  }

  private static Document pom() throws Exception {
    try (JarFile jar = new JarFile(transport("").toFile());
        InputStream in = jar.getInputStream(jar.getEntry(POM))) {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    }
  }

  /** The text of a child element; empty where there is none. */
  private static String child(Element element, String name) {
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node.getTextContent().strip();
      }
    }
    return "";
  }

  /** The local repository holds the jar and the POM that is in it, and nothing else of Adrastea's. */
  @Test
  void aProgramThatDependsOnItIsBuiltOffline() throws Exception {
    Path repository = repositoryWithTheJarAlone();
    Path program = Files.createDirectories(directory.resolve("program/src/main/java"));
    Files.writeString(
        program.resolve("Main.java"),
        """
            public class Main {
              public static void main(String[] args) {
                io.adrastea.Job.runThreads(2, job -> System.out.println("rank " + job.world().rank()));
              }
            }
            """);
    Files.writeString(
        directory.resolve("program/pom.xml"),
        """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>someone</groupId>
              <artifactId>program</artifactId>
              <version>1</version>
              <properties>
                <maven.compiler.release>22</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <dependencies>
                <dependency>
                  <groupId>io.adrastea</groupId>
                  <artifactId>adrastea</artifactId>
                  <version>%s</version>
                </dependency>
              </dependencies>
              <build>
                <plugins>
                  <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
                  <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version></plugin>
                </plugins>
              </build>
            </project>
            """
            .formatted(version()));
    Launch.command("mvn", "-o", "-q", "-Dmaven.repo.local=" + repository, "compile")
        .variable("JAVA_HOME", System.getProperty("java.home"))
        .in(directory.resolve("program"))
        .run()
        .exits(0);
    String classes = directory.resolve("program/target/classes").toString();
    Outcome outcome =
        Launch.java("--enable-native-access=ALL-UNNAMED", "-cp", classes + ":" + transport(""), "Main")
            .variable("CLASSPATH", "")
            .set("shm.dir", shm.path())
            .run()
            .exits(0);
    assertEquals(List.of("rank 0", "rank 1"), outcome.lines().stream().sorted().toList());
  }

  /** All that the machine's repository has, but of Adrastea's only the jar and its POM. */
  private Path repositoryWithTheJarAlone() throws IOException {
    Path machine = Path.of(System.getProperty("adrastea.repository"));
    Path repository = Files.createDirectories(directory.resolve("repository"));
    link(machine, repository, "io");
    link(machine.resolve("io"), Files.createDirectory(repository.resolve("io")), "adrastea");
    Path home = Files.createDirectories(repository.resolve("io/adrastea/adrastea").resolve(version()));
    Files.copy(transport(""), home.resolve(transport("").getFileName()));
    try (JarFile jar = new JarFile(transport("").toFile());
        InputStream in = jar.getInputStream(jar.getEntry(POM))) {
      Files.copy(in, home.resolve("adrastea-" + version() + ".pom"));
    }
    return repository;
  }

  private void link(Path from, Path to, String butNot) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.filter(path -> !path.endsWith(butNot)).toList()) {
        links.add(Files.createSymbolicLink(to.resolve(entry.getFileName()), entry));
      }
    }
  }

  @Test
  void theTransportsJarHoldsLibrariesAndNoPrograms() throws Exception {
    Set<String> expected = new TreeSet<>(Set.of(LIBRARY));
    if (hasCrossCompiler()) {
      expected.add(LIBRARY_OF_AARCH64);
    }
    Stream<String> found = entries(transport("")).stream().filter(name -> name.startsWith("native/"));
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
    try (JarFile jar = new JarFile(transport("").toFile());
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
  void theBenchesAreInAJarOfTheirOwn() throws Exception {
    Set<String> entries = entries(Launch.jar());
    assertTrue(entries.contains(LIBRARY));
    assertEquals(
        List.of(LIBRARY), entries.stream().filter(entry -> entry.startsWith(HERE + "/")).toList(), entries::toString);
    assertTrue(entries.stream().noneMatch(entry -> entry.startsWith("io/adrastea/bench/")), entries::toString);
    Set<String> benches = entries(Launch.benchJar());
    for (String program : List.of("floor", "calls", "copies", "counts", "counts-plain", "pool")) {
      assertTrue(benches.contains(HERE + "/adrastea-" + program), program);
    }
    assertTrue(benches.containsAll(entries.stream().filter(entry -> !entry.startsWith("META-INF/")).toList()));
  }

  @Test
  void thereAreJarsOfSourcesAndOfJavadoc() throws Exception {
    Set<String> sources = entries(transport("-sources"));
    assertTrue(sources.contains("io/adrastea/Job.java"), sources::toString);
    assertTrue(sources.contains("module-info.java"), sources::toString);
    assertFalse(sources.contains(LIBRARY), sources::toString);
    assertTrue(entries(transport("-javadoc")).contains("io.adrastea/io/adrastea/Job.html"));
  }

  @Test
  void thePomNamesLicenceAndDevelopers() throws Exception {
    Element project = pom().getDocumentElement();
    assertEquals("Adrastea: transport", child(project, "name"));
    Element licence = (Element) project.getElementsByTagName("license").item(0);
    assertEquals("Apache-2.0", child(licence, "name"));
    Element developer = (Element) project.getElementsByTagName("developer").item(0);
    assertEquals("The Adrastea developers", child(developer, "name"));
  }

  @Test
  void everyJarHasTheProjectsLicenceAndNotice() throws Exception {
    for (Path jar : jars()) {
      for (String name : List.of("LICENSE", "NOTICE")) {
        String expected = Files.readString(Launch.root().resolve(name));
        assertEquals(expected, text(jar, "META-INF/" + name), name + " of " + jar);
        assertFalse(entries(jar).contains(name), name + " of others stands as ours in " + jar);
      }
    }
  }

  /**
   * A clock that stamps entries makes two builds of a commit unequal, and its time is later than that of the commit.
   */
  @Test
  void noEntryOfAJarIsYoungerThanTheCommit() throws Exception {
    Matcher told =
        Pattern.compile("<project.build.outputTimestamp>(.*)Z<")
            .matcher(Files.readString(Launch.root().resolve("pom.xml")));
    assertTrue(told.find());
    LocalDateTime commit = LocalDateTime.parse(told.group(1));
    for (Path file : jars()) {
      try (JarFile jar = new JarFile(file.toFile())) {
        List<JarEntry> younger = jar.stream().filter(entry -> entry.getTimeLocal().isAfter(commit)).toList();
        assertEquals(List.of(), younger, file.toString());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"adrastea.cli.jar", "adrastea.bench.jar"})
  void everyClassOfOthersIsOfAJarThatIsListedWithItsLicence(String property) throws Exception {
    Path jar = Path.of(System.getProperty(property));
    Map<String, Long> unlisted = classesOfOthers(jar);
    Matcher works = THIRD_PARTY.matcher(text(jar, "META-INF/THIRD-PARTY"));
    int listed = 0;
    for (; works.find(); listed++) {
      String licence = works.group("file") == null ? "META-INF/LICENSE" : works.group("file");
      assertTrue(entries(jar).contains(licence), licence);
      assertEquals(works.group("file") == null, works.group("licence").strip().equals("Apache-2.0"), works.group());
      Path original =
          Path.of(System.getProperty("adrastea.repository"), works.group("group").split("[.]"))
              .resolve(works.group("name"))
              .resolve(works.group("version"))
              .resolve(works.group("name") + "-" + works.group("version") + ".jar");
      Map<String, Long> classes = classesOfOthers(original);
      int before = unlisted.size();
      unlisted.entrySet().removeAll(classes.entrySet());
      assertTrue(unlisted.size() < before, "the jar holds nothing of " + works.group());
    }
    assertTrue(listed > 0);
    assertEquals(Set.of(), unlisted.keySet());
  }

  /** Names and checksums. */
  private static Map<String, Long> classesOfOthers(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream()
          .filter(entry -> entry.getName().endsWith(".class") && !entry.getName().startsWith("io/adrastea/"))
          .collect(Collectors.toMap(JarEntry::getName, JarEntry::getCrc));
    }
  }

  private static List<Path> jars() {
    Path ofNative = Launch.root().resolve("native/target/adrastea-native-" + version() + ".jar");
    return List.of(
        transport(""), transport("-sources"), transport("-javadoc"), ofNative, Launch.jar(), Launch.benchJar());
  }

  private static String text(Path file, String entry) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      assertTrue(jar.getEntry(entry) != null, file + " has no " + entry);
      return new String(jar.getInputStream(jar.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Set<String> entries(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      return jar.stream()
          .filter(entry -> !entry.isDirectory())
          .map(JarEntry::getName)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Path transport(String classifier) {
    return Launch.root().resolve("java/transport/target/adrastea-" + version() + classifier + ".jar");
  }

  private static String version() {
    return Launch.jar().getFileName().toString().replaceFirst("adrastea-cli-(.*)\\.jar", "$1");
  }
}
