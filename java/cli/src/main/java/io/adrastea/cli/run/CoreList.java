package io.adrastea.cli.run;

import io.adrastea.config.Tunable;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The cores that an option names, to be dealt to the ranks in turn. */
final class CoreList {
  private CoreList() {}

  /**
   * The names in {@code option}; for {@code null} those of the setting; none when that is not set.
   *
   * @throws IllegalArgumentException when one is unknown
   */
  static List<String> parse(String option) {
    if (option == null) {
      return Tunable.CORE.origin().equals("default") ? List.of() : parse(Tunable.CORE.property(), Tunable.CORE.value());
    }
    return parse("--core", option);
  }

  private static List<String> parse(String source, String value) {
    List<String> names = Stream.of(value.split(",", -1)).map(name -> name.trim().toLowerCase(Locale.ROOT)).toList();
    List<String> known = known();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "%s has '%s'; allowed are %s, or several of them with commas%s"
                .formatted(source, name, String.join(", ", known), hint(name)));
      }
    }
    return names;
  }

  private static String hint(String name) {
    return name.equalsIgnoreCase("c")
        ? "; a C rank is a program: name it behind a lone colon, as in : -n 1 ./prog"
        : "";
  }

  private static List<String> known() {
    List<String> names = new ArrayList<>(List.of("auto"));
    Cores.all().stream().map(CoreProvider::name).forEach(names::add);
    return names;
  }
}
