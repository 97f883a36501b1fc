package io.adrastea.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A setting, declared once with name, default, unit and what it does. The system property {@code adrastea.x.y}
 * goes before the environment variable {@code ADRASTEA_X_Y}, which goes before the default.
 */
public enum Tunable {
  JOB("adrastea.job", "", "16 hex digits", "job to join; set by the launcher"),
  RANK("adrastea.rank", "", "rank", "rank of this process in the job; set by the launcher"),
  SIZE("adrastea.size", "", "ranks", "number of ranks in the job; set by the launcher"),
  LAUNCHER("adrastea.launcher", "", "pid:start", "process whose end ends this rank; set by the launcher"),
  CORE("adrastea.core", "auto", "ffm|jni|jna|java|auto", "implementation of the primitives on shared memory"),
  BIND("adrastea.bind", "", "CPU", "CPU that the joining thread is pinned to"),
  LIBRARY("adrastea.library", "", "path", "native library to load instead of the one in the jar"),
  SHM_DIR("adrastea.shm.dir", "", "path", "directory of segment files; /dev/shm where there is one"),
  JOIN_TIMEOUT("adrastea.join.timeout", "60000", "ms", "how long joining waits for the other ranks"),
  CELLS("adrastea.cells", "64", "cells", "cells of each rank"),
  CELL_BYTES("adrastea.cell.bytes", "8192", "bytes", "payload of one cell"),
  BOX_SLOTS("adrastea.box.slots", "256", "lines", "ring of one fastbox, a power of two from 64 to 1024; 0: no fastboxes"),
  BOX_BYTES("adrastea.box.bytes", "4096", "bytes", "most payload of a message in a fastbox, at most half a ring less 32"),
  BOX_THRESHOLD("adrastea.box.threshold", "16", "messages", "messages by queue after which a sender asks for a fastbox"),
  BOX_EAGER("adrastea.box.eager", "16", "ranks", "jobs of up to so many ranks have all fastboxes from the start"),
  LMT("adrastea.lmt", "auto", "auto|shared|xpmem|cma|ring", "how large messages reach the other end"),
  EAGER_BYTES("adrastea.eager.bytes", "auto", "bytes|auto", "longest message that is sent before its receive is known"),
  SPLIT_BYTES("adrastea.split.bytes", "49152", "bytes", "from this size on both ends copy, each a part; 0: one end only"),
  RING_BYTES("adrastea.ring.bytes", "1048576", "bytes", "copy ring of a pair of ranks, a power of two"),
  RING_CHUNK("adrastea.ring.chunk", "8192", "bytes", "bytes copied into a copy ring before they show, a power of two"),
  BYPASS("adrastea.bypass", "on", "on|off", "receives look for their message before they are posted"),
  SPINS("adrastea.spins", "2000", "looks", "looks before a waiting rank yields its CPU and later sleeps, where there is a CPU for each rank"),
  CROWDED("adrastea.crowded", "auto", "auto|on|off", "whether ranks are taken to outnumber CPUs: they wait with few spins and hold nobody up; auto: found out");

  private final String property;
  private final String defaultValue;
  private final String unit;
  private final String description;

  Tunable(String property, String defaultValue, String unit, String description) {
    this.property = property;
    this.defaultValue = defaultValue;
    this.unit = unit;
    this.description = description;
  }

  /** All settings, in the order of their declaration. */
  public static List<Tunable> all() {
    return List.of(values());
  }

  /** Name of the system property. */
  public String property() {
    return property;
  }

  /** Name of the environment variable. */
  public String variable() {
    return property.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  public String defaultValue() {
    return defaultValue;
  }

  public String unit() {
    return unit;
  }

  public String description() {
    return description;
  }

  /** The value in force; empty where nothing is set and there is no default. */
  public String value() {
    String fromProperty = System.getProperty(property);
    String fromEnvironment = System.getenv(variable());
    return fromProperty != null ? fromProperty : fromEnvironment != null ? fromEnvironment : defaultValue;
  }

  /** Where {@link #value} comes from: {@code property}, {@code environment} or {@code default}. */
  public String origin() {
    return System.getProperty(property) != null
        ? "property"
        : System.getenv(variable()) != null ? "environment" : "default";
  }

  public boolean isSet() {
    return !value().isEmpty();
  }

  /**
   * Whether a setting that is {@code on} or {@code off} is on.
   *
   * @throws IllegalArgumentException when it is neither; the message names the setting
   */
  public boolean isOn() {
    return switch (value().trim()) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException(
              "%s is '%s' (from %s); allowed are on and off".formatted(property, value(), origin()));
    };
  }

  /**
   * Whether a setting that is {@code on}, {@code off} or {@code auto} is on; empty: it is {@code auto}.
   *
   * @throws IllegalArgumentException when it is none of them; the message names the setting
   */
  public Optional<Boolean> isOnUnlessAuto() {
    return switch (value().trim()) {
      case "on" -> Optional.of(true);
      case "off" -> Optional.of(false);
      case "auto" -> Optional.empty();
      default ->
          throw new IllegalArgumentException(
              "%s is '%s' (from %s); allowed are on, off and auto".formatted(property, value(), origin()));
    };
  }

  /**
   * The value as a whole number.
   *
   * @throws IllegalArgumentException when it is none, or out of range; the message names the setting
   */
  public int intValue(int least, int most) {
    String text = value();
    try {
      int number = Integer.parseInt(text.trim());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, with the range
    }
    throw new IllegalArgumentException(
        "%s is '%s' (from %s); allowed is a whole number from %d to %d (%s)"
            .formatted(property, text, origin(), least, most, unit));
  }
}
