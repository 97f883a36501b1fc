package io.adrastea.arrows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Files that need each other: within a room, which {@link ArrowsTest} does not look into. What there is of them is held
 * down by limits, which are lowered whenever one is gone, and never raised.
 */
class CirclesTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));

  /** Most C files of a room, each with its header, that stand in a circle; other rooms have none. */
  private static final Map<String, Integer> MOST_IN_CIRCLES = Map.of("channel", 4, "contextid", 2, "job", 5);

  /** Most pairs of Java files of a room that name each other. */
  private static final Map<String, Integer> MOST_PAIRS =
      Map.of("api", 20, "coll", 0, "comm", 0, "engine.collective", 0);

  private static Map<String, Set<String>> above(Map<String, Set<String>> found, Map<String, Integer> most) {
    Map<String, Set<String>> above = new TreeMap<>(found);
    above.entrySet().removeIf(entry -> entry.getValue().size() <= most.getOrDefault(entry.getKey(), 0));
    return above;
  }

  @Test
  void filesOfTheCoreStandInNoMoreCirclesThanTheyDid() {
    List<Source> core =
        Source.allC(ROOT).stream().filter(source -> source.file().startsWith("native/")).toList();
    assertEquals(Map.of(), above(Circles.ofC(core), MOST_IN_CIRCLES));
  }

  @Test
  void noMorePairsOfJavaFilesNameEachOtherThanDid() {
    Map<String, Set<String>> pairs = Circles.ofJava(Source.allJava(ROOT));
    pairs.keySet().retainAll(MOST_PAIRS.keySet());
    assertEquals(Map.of(), above(pairs, MOST_PAIRS));
  }

  @Test
  void aCircleOfIncludesIsFound() {
    Source lower = Source.c("native/coll/adr_a.h", "coll", "#include \"coll/adr_b.h\"\n");
    Source upper = Source.c("native/coll/adr_b.h", "coll", "#include \"coll/adr_c.h\"\n");
    Source last = Source.c("native/coll/adr_c.c", "coll", "#include \"coll/adr_a.h\"\n");
    Source outside = Source.c("native/job/adr_d.c", "job", "#include \"coll/adr_a.h\"\n");
    assertEquals(Map.of("coll", Set.of("coll/adr_a", "coll/adr_b", "coll/adr_c")),
        Circles.ofC(List.of(lower, upper, last, outside)));
  }

  @Test
  void aCircleOfCallsIsFoundAndTheHeaderThatDeclaresThem() {
    Source header = Source.c("native/coll/adr_all.h", "coll", "void adr_one(int);\nvoid adr_two(int);\n");
    Source one = Source.c("native/coll/adr_one.c", "coll",
        "#include \"coll/adr_all.h\"\nvoid adr_one(int i) { adr_two(i); }\n");
    Source two = Source.c("native/coll/adr_two.c", "coll",
        "#include \"coll/adr_all.h\"\nstatic int adr_in(int i) { return i; }\nvoid adr_two(int i) { adr_in(i); }\n");
    assertEquals(Map.of("coll", Set.of("coll/adr_all", "coll/adr_one", "coll/adr_two")),
        Circles.ofC(List.of(header, one, two)));
    assertEquals(Map.of(), Circles.ofC(List.of(one)));
  }

  @Test
  void aFileAndItsHeaderAreNoCircle() {
    Source header = Source.c("native/coll/adr_one.h", "coll", "void adr_one(int);\n");
    Source file = Source.c("native/coll/adr_one.c", "coll",
        "#include \"coll/adr_one.h\"\nvoid adr_one(int i) { adr_one(i); }\n");
    assertEquals(Map.of(), Circles.ofC(List.of(header, file)));
  }

  @Test
  void aPairOfJavaFilesIsFoundWithoutWhatCommentsAndTextsName() {
    Source one = Source.java("One.java", "package io.adrastea.coll;\nclass One { Two two; }\n");
    Source two = Source.java("Two.java", "package io.adrastea.coll;\nclass Two { One one; Three three; }\n");
    Source three =
        Source.java("Three.java", "package io.adrastea.coll;\n/** {@link Two} */\nclass Three { String s = \"Two\"; }");
    assertEquals(Map.of("coll", Set.of("One and Two")), Circles.ofJava(List.of(one, two, three)));
  }
}
