package io.adrastea.bootstrap;

import io.adrastea.bootstrap.Bootstrap.Claim;
import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import io.adrastea.segment.ProcessIdentity;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Variables of other launchers. Twin of {@code bootstrap/adr_variables.h}. */
final class Variables {
  private static final long BASIS = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private Variables() {}

  /** The number of a job that has a name: FNV-1a of 64 bits over its bytes. */
  static long jobNumber(String name) {
    long hash = BASIS;
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * PRIME;
    }
    return hash;
  }

  /** A random number for a job that has no name. */
  static long drawJobNumber() {
    return new SecureRandom().nextLong();
  }

  /** The value of a variable; empty: it is not set. */
  static String variable(Map<String, String> environment, String name) {
    return environment.getOrDefault(name, "");
  }

  /**
   * Reads rank and size from the variables of these names.
   *
   * @param words what was found before
   * @throws JoinException when one is missing, is not a whole number in decimal digits, or out of range
   */
  static Claim claim(Map<String, String> environment, String words, String rank, String size) {
    String rankText = variable(environment, rank);
    String sizeText = variable(environment, size);
    if (rankText.isEmpty() || sizeText.isEmpty()) {
      throw new JoinException(
          ("%s needs %s and %s too; missing: %s (start the program by its launcher, or set ADRASTEA_BOOTSTRAP)")
              .formatted(PlainText.of(words), rank, size, rankText.isEmpty() ? rank : size));
    }
    int number = digits(rankText);
    int ranks = digits(sizeText);
    if (number < 0 || ranks < 1 || ranks > Tunable.SIZE.most() || number >= ranks) {
      throw new JoinException(
          "%s is '%.32s' and %s is '%.32s'; allowed are whole numbers, a size from 1 to %d and a rank below it"
              .formatted(rank, rankText, size, sizeText, Tunable.SIZE.most()));
    }
    return new Claim(number, ranks, PlainText.of("%s, %s=%s, %s=%s".formatted(words, rank, rankText, size, sizeText)));
  }

  /** As {@link #claim}, where only the rank is in a variable; the size is told later, and is 0 until then. */
  static Claim claimOfRank(Map<String, String> environment, String words, String rank) {
    String text = variable(environment, rank);
    int number = digits(text);
    if (number < 0 || number >= Tunable.SIZE.most()) {
      throw new JoinException("%s needs %s too, which is '%.32s'; allowed is a whole number from 0 to %d"
          .formatted(words, rank, text, Tunable.SIZE.most() - 1));
    }
    return new Claim(number, 0, PlainText.of("%s, %s=%s".formatted(words, rank, text)));
  }

  /** A number from 0 on, of at most 9 digits and nothing else; -1: it is not a number like that. */
  static int digits(String text) {
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
  }

  /**
   * The nearest process up the chain of parents that has one of these names; empty: there is none, the chain leads into
   * another PID namespace or {@code /proc} is not there.
   */
  static Optional<ProcessIdentity> parentNamed(Set<String> names) {
    if (ProcessIdentity.visibleNamespace() == 0) {
      return Optional.empty();
    }
    long pid = ProcessIdentity.self().pid();
    Optional<ProcessIdentity.Named> process = ProcessIdentity.lookUp(pid);
    while (process.isPresent() && process.get().parent() > 1) {
      process = ProcessIdentity.lookUp(process.get().parent());
      if (process.isPresent() && names.contains(process.get().name())) {
        return process.map(ProcessIdentity.Named::identity);
      }
    }
    return Optional.empty();
  }
}
