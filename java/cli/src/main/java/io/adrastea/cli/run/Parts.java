package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.place.Binding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.ParameterException;

/**
 * The parts of a job as a command line tells them: programs with a lone colon between, each with options of its own. A
 * mistake names its part when there are several.
 */
final class Parts {
  private static final String SEPARATOR = ":";

  private final RunArguments arguments;
  private final List<List<String>> pieces;
  private final Origin origin;
  private final int unsaidSize;

  private Parts(RunArguments arguments, Origin origin, int unsaidSize) {
    this.arguments = arguments;
    this.pieces = split(arguments.words());
    this.origin = origin;
    this.unsaidSize = pieces.size() == 1 ? unsaidSize : 1;
  }

  /**
   * All parts, in their order; the first has the lowest ranks.
   *
   * @param arguments the words of the command line
   * @param origin where they were given
   * @param unsaidSize ranks of the only part, when it says nothing of that
   * @throws IllegalArgumentException when the words are wrong
   * @throws CommandFailure when a program cannot be executed
   */
  static List<Part> of(RunArguments arguments, Origin origin, int unsaidSize) {
    List<Part> parts = new Parts(arguments, origin, unsaidSize).all();
    int ranks = size(parts);
    if (ranks > PartOptions.MOST_RANKS) {
      throw new IllegalArgumentException(
          "the parts have %d ranks together; allowed is 1 to %d"
              .formatted(ranks, PartOptions.MOST_RANKS));
    }
    return parts;
  }

  /** The ranks of all of them together. */
  static int size(List<Part> parts) {
    return parts.stream().mapToInt(Part::size).sum();
  }

  /** What each rank is bound to. */
  static List<Binding> bindings(List<Part> parts) {
    return parts.stream().flatMap(part -> Collections.nCopies(part.size(), part.binding()).stream()).toList();
  }

  /** Names of the variables that programs get. */
  static Set<String> variables(List<Part> parts) {
    return parts.stream().flatMap(part -> part.program().environment().keySet().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<List<String>> split(List<String> words) {
    List<List<String>> pieces = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).equals(SEPARATOR)) {
        pieces.add(words.subList(from, i));
        from = i + 1;
      }
    }
    pieces.add(words.subList(from, words.size()));
    return pieces;
  }

  private List<Part> all() {
    List<Part> parts = new ArrayList<>();
    Binding unsaid = arguments.job.isMapped() ? Binding.cpu : Binding.none;
    parts.add(named(0, () -> part(arguments.part, pieces.get(0), unsaid)));
    Binding binding = parts.get(0).binding();
    for (int i = 1; i < pieces.size(); i++) {
      List<String> piece = pieces.get(i);
      parts.add(named(i, () -> laterPart(piece, binding)));
    }
    return parts;
  }

  private Part laterPart(List<String> piece, Binding binding) {
    RunArguments later = RunArguments.ofLaterPart(piece);
    return part(later.part, later.words(), binding);
  }

  private Part part(PartOptions options, List<String> words, Binding otherwise) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("no program given; " + whereItStands());
    }
    return options.with(words, unsaidSize, otherwise, origin);
  }

  private String whereItStands() {
    return pieces.size() == 1
        ? "it stands behind the options, as in: adrastea run -n 2 -- java Prog.java"
        : "a lone : stands between two programs, as in: adrastea run -n 2 java Prog.java : ./prog";
  }

  private Part named(int index, Supplier<Part> part) {
    String name = pieces.size() == 1 ? "" : "part %d of %d: ".formatted(index + 1, pieces.size());
    try {
      return part.get();
    } catch (CommandFailure e) {
      throw new CommandFailure(e.exitCode(), name + e.getMessage());
    } catch (IllegalArgumentException | ParameterException e) {
      throw new IllegalArgumentException(name + e.getMessage(), e);
    }
  }

  /**
   * Neighbouring ranks of a job that execute the same program.
   *
   * @param size how many they are
   * @param cores the names dealt to them in turn; none for the default
   * @param binding what each is bound to
   * @param program what they execute
   */
  record Part(int size, List<String> cores, Binding binding, Program program) {
    /** The core of its rank of this index, or {@code null} for the default. */
    String core(int index) {
      return cores.isEmpty() ? null : cores.get(index % cores.size());
    }
  }
}
