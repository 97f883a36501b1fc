package io.adrastea.arrows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The code against the picture of its rooms: an arrow that is not in {@code docs/arrows.txt} fails here. */
class ArrowsTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));

  private static Picture drawn(String language) throws IOException {
    return Picture.of(language, Files.readAllLines(ROOT.resolve("docs/arrows.txt")));
  }

  /** Every arrow and every use of a type that the picture does not have, with its file. */
  private static Set<String> strays(
      Picture picture, Collection<Source> sources, Function<Source, Set<String>> rooms) {
    Set<String> strays = new TreeSet<>();
    for (Source source : sources) {
      for (String to : rooms.apply(source)) {
        if (!picture.allows(source.room(), to)) {
          strays.add("%s -> %s in %s".formatted(source.room(), to, source.file()));
        }
      }
      picture.only().forEach(
          (type, allowed) -> {
            if (source.names(type) && !allowed.contains(source.room())) {
              strays.add("%s -> %s in %s".formatted(source.room(), type, source.file()));
            }
          });
    }
    return strays;
  }

  private static void assertNone(Set<String> lines) {
    assertEquals("", String.join("\n", lines));
  }

  private static Set<String> roomsOf(Collection<Source> sources) {
    return sources.stream().map(Source::room).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyArrowOfTheJavaCodeIsInThePicture() throws IOException {
    assertNone(strays(drawn("java"), Source.allJava(ROOT), Source::roomsUsedByJava));
  }

  @Test
  void everyArrowOfTheCCodeIsInThePicture() throws IOException {
    assertNone(strays(drawn("c"), Source.allC(ROOT), Source::roomsUsedByC));
  }

  @Test
  void thePictureHasTheRoomsThatThereAre() throws IOException {
    assertEquals(roomsOf(Source.allJava(ROOT)), new TreeSet<>(drawn("java").rooms()));
    assertEquals(roomsOf(Source.allC(ROOT)), new TreeSet<>(drawn("c").rooms()));
  }

  @Test
  void thePictureHasNoCycleAndNoArrowBetweenSiblings() throws IOException {
    assertNone(drawn("java").faults());
    assertNone(drawn("c").faults());
  }

  @Test
  void aStrayArrowIsFoundInImportsAndInFullNames() {
    Picture picture = Picture.of("java", List.of("java: engine -> core", "java: core -> error", "java: error ->"));
    Source source =
        Source.java(
            "Made.java",
            """
                package io.adrastea.engine;
                import io.adrastea.core.Core;
                import static io.adrastea.atomic.Words.load;
                import io.adrastea.queue.*;
                /** {@link io.adrastea.layout.LayoutDump} is no arrow. */
                class Made { // nor is io.adrastea.wait.Waiter
                  String text = "http://"; io.adrastea.config.Tunable full; io.adrastea.Job job;
                }
                """);
    assertEquals(
        Set.of(
            "engine -> atomic in Made.java",
            "engine -> queue in Made.java",
            "engine -> config in Made.java",
            "engine -> api in Made.java"),
        strays(picture, List.of(source), Source::roomsUsedByJava));
  }

  @Test
  void aStrayIncludeIsFound() {
    Picture picture = Picture.of("c", List.of("c: queue -> segment", "c: segment ->"));
    Source source =
        Source.c(
            "made.c",
            "queue",
            "#include <sys/mman.h>\n#include \"segment/adr_view.h\"\n#  include \"channel/adr_cell_pool.h\"\n"
                + "/*\n#include \"layout/adr_layout.h\"\n*/\n#include \"adr_mpsc_queue.h\"\n#include "
                + "\"queue/adr_x.h\"\n");
    assertEquals(
        Set.of("queue -> channel in made.c", "queue -> \"adr_mpsc_queue.h\" in made.c"),
        strays(picture, List.of(source), Source::roomsUsedByC));
  }

  @Test
  void aTypeThatIsForSomeRoomsOnlyIsFoundElsewhere() {
    Picture picture =
        Picture.of("java",
            List.of("java: engine ->", "java: core.ffm ->", "java: only java.lang.foreign.Linker -> core.ffm"));
    String use = "import java.lang.foreign.*;\nclass Made { Linker linker; }\n";
    Source engine = Source.java("Made.java", "package io.adrastea.engine;\n" + use);
    Source ffm = Source.java("Made.java", "package io.adrastea.core.ffm;\n" + use);
    assertEquals(
        Set.of("engine -> java.lang.foreign.Linker in Made.java"),
        strays(picture, List.of(engine, ffm), Source::roomsUsedByJava));
  }

  @Test
  void aPictureWithACycleIsAtFault() {
    Picture picture =
        Picture.of("java", List.of("java: a -> b, d", "java: b -> c", "java: c -> a", "java: d -> ", "c: a -> a"));
    assertEquals(Set.of("cycle: a -> b -> c -> a"), picture.faults());
    assertEquals(Set.of("cycle: a -> a"), Picture.of("c", List.of("c: a -> a")).faults());
  }

  @Test
  void aPictureWithAnArrowBetweenSiblingsOrToNowhereIsAtFault() {
    Picture picture =
        Picture.of(
            "java", List.of("java: core.ffm -> core.pure, nowhere", "java: core.pure ->",
                "java: siblings core.ffm, core.pure"));
    assertEquals(
        Set.of("core.ffm -> core.pure: siblings never use each other", "core.ffm -> nowhere: no such room"),
        picture.faults());
  }

  @Test
  void aLineThatSaysNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Picture.of("java", List.of("java: engine core")));
    assertThrows(IllegalArgumentException.class, () -> Picture.of("java", List.of("java: a -> b", "java: a -> c")));
    assertTrue(Picture.of("java", List.of("# java: a -> b", "c: a -> b")).rooms().isEmpty());
  }
}
