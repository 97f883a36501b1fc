package io.adrastea.cli.run;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.util.ArrayList;
import java.util.List;

/** The cores that an option names, to be dealt to the ranks in turn. */
final class CoreList {
  private CoreList() {}

  /**
   * The names in {@code option}; none for {@code null}.
   *
   * @throws IllegalArgumentException when one is unknown
   */
  static List<String> parse(String option) {
    if (option == null) {
      return List.of();
    }
    List<String> names = List.of(option.split(",", -1));
    List<String> known = known();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "--core has '%s'; allowed are %s, or several of them with commas%s"
                .formatted(name, String.join(", ", known), hint(name)));
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
