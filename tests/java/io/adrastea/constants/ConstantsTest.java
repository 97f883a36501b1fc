package io.adrastea.constants;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.layout.ControlType;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The constants that C and Java both have, against the list that {@code constants_test.c} holds the C core to. */
class ConstantsTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final Path GOLDEN = ROOT.resolve("tests/constants/constants.golden");
  private static final Pattern OF_BOTH = Pattern.compile("([a-z_]+)\\.([a-z_]+) (-?[0-9]+)");
  private static final Pattern APART =
      Pattern.compile("([a-z_]+)\\.([a-z_]+) (?:C=(-?[0-9]+))? ?(?:Java=(-?[0-9]+))?: [a-zA-Z].*");

  private static final Map<String, String> TWINS =
      Map.ofEntries(
          entry("waiter", "wait.Waiter"),
          entry("sleep", "wait.Waits"),
          entry("pace", "wait.Pace"),
          entry("liveness", "engine.failure.Liveness"),
          entry("cadence", "core.pure.Cadence"),
          entry("poller", "core.pure.PurePoller"),
          entry("sender", "core.pure.PureSender"),
          entry("box_costs", "core.pure.BoxCosts"),
          entry("queue", "queue.MpscQueue"),
          entry("copy_ring", "ring.CopyRing"),
          entry("huge_pages", "segment.HugePages"),
          entry("shared_heap", "shared.SharedHeap"),
          entry("first_fit", "shared.FirstFit"),
          entry("symmetric_heap", "symmetric.SymmetricHeap"),
          entry("symmetric_heaps", "engine.symmetric.SymmetricHeaps"),
          entry("symmetric_state", "engine.symmetric.SymmetricState"),
          entry("symmetric_line", "engine.symmetric.SymmetricLine"),
          entry("joining", "bootstrap.Joining"),
          entry("launcher_watch", "bootstrap.LauncherWatch"),
          entry("rendezvous_line", "bootstrap.RendezvousLine"),
          entry("rendezvous_server", "bootstrap.RendezvousServer"),
          entry("rendezvous_client", "bootstrap.RendezvousClient"),
          entry("status", "core.Core"),
          entry("control", "layout.ControlType"),
          entry("window_block", "window.WindowBlock"),
          entry("window_look", "window.WindowLook"),
          entry("lock_word", "lock.LockWord"),
          entry("lock_table", "lock.LockTable"),
          entry("lock_look", "lock.LockLook"));

  /** Sections whose Java classes and C macros are all in the list. */
  private static final List<String> WHOLE =
      List.of("waiter", "sleep", "pace", "cadence", "poller", "sender", "box_costs", "joining", "launcher_watch");

  /** What Java is to have, by section and name in lower case. */
  private static Map<String, Optional<Long>> golden() throws IOException {
    Map<String, Optional<Long>> golden = new TreeMap<>();
    for (String line : Files.readAllLines(GOLDEN)) {
      Matcher both = OF_BOTH.matcher(line);
      Matcher apart = APART.matcher(line);
      if (both.matches()) {
        golden.put(both.group(1) + "." + both.group(2), Optional.of(Long.valueOf(both.group(3))));
      } else if (apart.matches()) {
        golden.put(apart.group(1) + "." + apart.group(2), Optional.ofNullable(apart.group(4)).map(Long::valueOf));
      } else {
        assertTrue(line.startsWith("#"), () -> "neither a constant nor, with a reason, a difference: " + line);
      }
    }
    return golden;
  }

  private static Class<?> twin(String section) throws ClassNotFoundException {
    return Class.forName("io.adrastea." + TWINS.get(section));
  }

  @Test
  void thoseOfJavaAreThoseOfTheList() throws IOException, ReflectiveOperationException {
    int found = 0;
    for (Map.Entry<String, Optional<Long>> constant : golden().entrySet()) {
      if (constant.getValue().isEmpty()) {
        continue;
      }
      String[] name = constant.getKey().split("\\.");
      Field field = twin(name[0]).getDeclaredField(name[1].toUpperCase(Locale.ROOT));
      field.setAccessible(true);
      assertEquals(constant.getValue().get(), value(field.get(null)), constant.getKey());
      found++;
    }
    assertTrue(found > 40, "constants in the list: " + found);
  }

  private static long value(Object constant) {
    return constant instanceof ControlType type ? type.number() : ((Number) constant).longValue();
  }

  @Test
  void noTypeOfControlMessagesIsMissing() throws IOException {
    String header = Files.readString(ROOT.resolve("native/layout/adr_layout_control.h"));
    for (ControlType type : ControlType.values()) {
      String name = type.name().toLowerCase(Locale.ROOT);
      assertEquals(Optional.of((long) type.number()), golden().get("control." + name), name);
      assertSame(type, ControlType.of(type.number()), name);
    }
    long named = Pattern.compile("ADR_CONTROL_[A-Z_]+ = ").matcher(header).results().count();
    assertEquals(ControlType.values().length + 1, named, "the names of C, and how many there can be");
  }

  @Test
  void noConstantOfTheseClassesIsMissing() throws IOException, ReflectiveOperationException {
    Map<String, Optional<Long>> golden = golden();
    List<String> missing = new ArrayList<>();
    for (String section : WHOLE) {
      Stream.of(twin(section).getDeclaredFields())
          .filter(field -> Modifier.isStatic(field.getModifiers())
              && (field.getType() == int.class || field.getType() == long.class))
          .map(field -> section + "." + field.getName().toLowerCase(Locale.ROOT))
          .filter(name -> !name.equals("cadence.look_pauses")) // measured
          .filter(name -> !golden.containsKey(name))
          .forEach(missing::add);
    }
    assertEquals(List.of(), missing);
  }

  /**
   * A macro {@code ADR_SECTION_NAME} of the C core; those that C names otherwise are found by {@code constants_test.c}
   * alone.
   */
  @Test
  void noMacroOfTheSameSectionsIsMissing() throws IOException {
    Map<String, Optional<Long>> golden = golden();
    Pattern macro =
        Pattern.compile("#define ADR_(WAITER|SLEEP|PACE|LIVENESS|CADENCE|JOINING|LAUNCHER_WATCH)_([A-Z_]+) ");
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("native"))) {
      for (Path file : files.filter(it -> it.toString().endsWith(".h")).toList()) {
        macro.matcher(Files.readString(file)).results().map(ConstantsTest::nameOf).forEach(names::add);
      }
    }
    assertTrue(names.size() > 20, names::toString);
    assertEquals(List.of(), names.stream().filter(name -> !golden.containsKey(name)).toList());
  }

  private static String nameOf(MatchResult macro) {
    return (macro.group(1) + "." + macro.group(2)).toLowerCase(Locale.ROOT);
  }
}
