package io.adrastea.config;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A setting, declared once with name, default, unit, the values allowed and what it does. The system property
 * {@code adrastea.x.y} goes before the environment variable {@code ADRASTEA_X_Y}, which goes before the default.
 *
 * <p>
 * Blanks around the value of any setting are no part of it, an empty value counts as no value, and words may be in
 * upper or lower case. C ranks read them in the same way, see {@code bootstrap/adr_settings.h}.
 * {@code docs/settings.md} lists all; tests hold this list and that of the C ranks to it.
 */
public enum Tunable {
  // @formatter:off
  JOB("adrastea.job", "", "16 hex digits",
      Rule.pattern("[0-9a-f]{16}", "allowed are 16 hex digits in lower case"),
      "the job to join; the launcher sets it"),
  RANK("adrastea.rank", "", "rank",
      Rule.whole(0, Integer.MAX_VALUE),
      "the rank of this process in the job; the launcher sets it"),
  SIZE("adrastea.size", "", "ranks",
      Rule.whole(1, 1024),
      "the number of ranks in the job; the launcher sets it"),
  LAUNCHER("adrastea.launcher", "", "pid:start",
      Rule.pattern("[0-9]{1,9}:[0-9]{1,18}(:[0-9]{1,18})?",
          "allowed is <pid>:<start>, and behind that :<PID namespace>"),
      "the process whose end ends this rank; the launcher sets it"),
  BOOTSTRAP("adrastea.bootstrap", "auto", "name|auto",
      Rule.word("auto", "adrastea", "slurm", "pmix", "pmi", "rendezvous", "none"),
      "how this process learns its rank; auto: by the first launcher that claims it; none: it is a job of one"),
  RENDEZVOUS("adrastea.rendezvous", "", "host:port",
      Rule.hostAndPort(),
      "where ranks meet that no launcher has started: an address of the host of rank 0, which listens there"),
  CORE("adrastea.core", "auto", "ffm|jni|jna|java|auto",
      Rule.any(),
      "the implementation of the primitives on shared memory"),
  LINKS("adrastea.links", "auto", "names|auto",
      Rule.pattern("[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+)*", "allowed are auto and names, with commas between them"),
      "the links that ranks are reached by, the preferred one first; auto: all that there are, in their own order"),
  TCP_ADDRESSES("adrastea.tcp.addresses", "auto", "addresses|auto",
      Rule.pattern("auto|[0-9A-Fa-f.:/]+(,[0-9A-Fa-f.:/]+)*",
          "allowed are auto, IP addresses and networks such as 10.1.0.0/16, with commas between them"),
      "where ranks of other nodes reach this one by tcp; auto: at all addresses of the host but loopback"),
  TCP_TIMEOUT("adrastea.tcp.timeout", "20", "s",
      Rule.whole(1, 86_400),
      "after how long without a word from a rank tcp takes it for failed"),
  TCP_LINGER("adrastea.tcp.linger", "10", "s",
      Rule.whole(0, 3600),
      "how long a rank that leaves waits until the others have what it has sent by tcp"),
  TCP_BUFFER("adrastea.tcp.buffer", "0", "bytes",
      Rule.whole(0, 1 << 30),
      "of the system's buffers of each connection, once for each way; 0: as the system likes, which is fastest mostly"),
  BIND("adrastea.bind", "", "CPU",
      Rule.whole(0, 1 << 20),
      "the CPU that the joining thread is pinned to"),
  LIBRARY("adrastea.library", "", "path",
      Rule.any(),
      "the native library to load instead of the one in the jar"),
  SHM_DIR("adrastea.shm.dir", "", "path",
      Rule.any(),
      "the directory of segment files; /dev/shm where it exists"),
  JOIN_TIMEOUT("adrastea.join.timeout", "60000", "ms",
      Rule.whole(1, Integer.MAX_VALUE),
      "how long joining waits for the other ranks"),
  CELLS("adrastea.cells", "64", "cells",
      Rule.whole(2, 65_536),
      "cells of each rank"),
  CELL_BYTES("adrastea.cell.bytes", "8192", "bytes",
      Rule.whole(64, 65_472),
      "payload of one cell"),
  BOX_LINES("adrastea.box.lines", "1024", "lines",
      Rule.powerOrNone(64, 1024),
      "lines of 64 bytes in the ring of one fastbox, a power of two from 64 to 1024; 0: no fastboxes"),
  BOX_MESSAGE_BYTES("adrastea.box.message.bytes", "auto", "bytes|auto",
      Rule.wholeOrAuto(0, 1 << 15),
      "the longest message by fastbox, at most half a ring less 32; auto: 16384, and above 1 KiB what costs less"),
  BOX_THRESHOLD("adrastea.box.threshold", "16", "messages",
      Rule.whole(1, Integer.MAX_VALUE),
      "after so many messages by queue a sender asks for a fastbox"),
  BOX_PREALLOCATE_RANKS("adrastea.box.preallocate.ranks", "16", "ranks",
      Rule.whole(0, Integer.MAX_VALUE),
      "jobs of up to so many ranks make all fastboxes when they start"),
  LMT("adrastea.lmt", "auto", "auto|shared|xpmem|cma|ring",
      Rule.word("auto", "shared", "xpmem", "cma", "ring"),
      "the path that large messages take; auto: the one that costs least, as measured with each peer"),
  WINDOW("adrastea.window", "auto", "auto|direct|xpmem|cma|handler",
      Rule.word("auto", "direct", "xpmem", "cma", "handler"),
      "how windows reach memory of other ranks; auto: the first of these that there is"),
  LMT_LEARN("adrastea.lmt.learn", "on", "on|off",
      Rule.word("on", "off"),
      "with adrastea.lmt=auto the ways of large messages are measured and compared; off: the first that fits"),
  LMT_BLOCK_BYTES("adrastea.lmt.block.bytes", "0", "bytes",
      Rule.whole(0, Integer.MAX_VALUE),
      "elements of a datatype whose blocks are shorter than this are packed, not copied from layout to layout"),
  EAGER_BYTES("adrastea.eager.bytes", "auto", "bytes|auto",
      Rule.wholeOrAuto(0, Integer.MAX_VALUE),
      "the longest message that is sent before its receive is known"),
  SPLIT_BYTES("adrastea.split.bytes", "49152", "bytes",
      Rule.whole(0, Integer.MAX_VALUE),
      "from this size on both ends copy a part of the message each; 0: only one end copies"),
  RING_BYTES("adrastea.ring.bytes", "1048576", "bytes",
      Rule.power(1 << 12, 1 << 30),
      "size of the copy ring of a pair of ranks, a power of two"),
  RING_CHUNK("adrastea.ring.chunk", "8192", "bytes",
      Rule.power(1 << 6, 1 << 30),
      "a copy ring passes its data on in chunks of so many bytes, a power of two"),
  BYPASS("adrastea.bypass", "on", "on|off",
      Rule.word("on", "off"),
      "a receive polls for its message before it is posted"),
  CHECK("adrastea.check", "off", "off|types|collectives|all",
      Rule.word("off", "types", "collectives", "all"),
      "types of messages are compared with those of their receives; collectives: each rank with every other;"
          + " both are told"),
  BARRIER("adrastea.barrier", "slot", "slot|counter",
      Rule.word("slot", "counter"),
      "the barrier of all ranks goes by a line of each rank, as in all communicators (slot), or by counter and signal"),
  COLLECTIVE_WAY("adrastea.collective.way", "auto", "auto|stages|direct",
      Rule.word("auto", "stages", "direct"),
      "longer collectives: through stages, or straight from memory that all can reach; auto: what takes less time"),
  REDUCE("adrastea.reduce", "auto", "auto|exact",
      Rule.word("auto", "exact"),
      "reductions over several nodes: each node combines its part first (auto), or all from the left as on one node"),
  SPINS("adrastea.spins", "2000", "polls",
      Rule.whole(0, Integer.MAX_VALUE),
      "how often a waiting rank polls before it yields its CPU and later sleeps, where there is a CPU for each rank"),
  HANG_REPORT("adrastea.hang.report", "30", "s",
      Rule.whole(0, 86_400),
      "a rank that has waited for so long while nothing moved reports once whom it waits for; 0: never"),
  OVERSUBSCRIBED("adrastea.oversubscribed", "auto", "auto|on|off",
      Rule.word("on", "off", "auto"),
      "whether ranks outnumber CPUs, so that they spin little and yield early; auto: found out, other programs too");
  // @formatter:on

  private final String property;
  private final String defaultValue;
  private final String unit;
  private final Rule rule;
  private final String description;

  Tunable(String property, String defaultValue, String unit, Rule rule, String description) {
    this.property = property;
    this.defaultValue = defaultValue;
    this.unit = unit;
    this.rule = rule;
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

  /** What is allowed, as error messages say it; empty: whatever it is. */
  public String allowed() {
    return rule.words(unit);
  }

  /** The least number that is allowed, beside 0 for none; 0 for a setting that is no number. */
  public int least() {
    return rule.least();
  }

  /** The greatest number that is allowed; 0 for a setting that is no number. */
  public int most() {
    return rule.most();
  }

  /** The value in force, without blanks around it; empty where nothing is set and there is no default. */
  public String value() {
    String fromProperty = trimmed(System.getProperty(property));
    String fromEnvironment = trimmed(System.getenv(variable()));
    return !fromProperty.isEmpty() ? fromProperty : !fromEnvironment.isEmpty() ? fromEnvironment : defaultValue;
  }

  /** Where {@link #value} comes from: {@code property}, {@code environment} or {@code default}. */
  public String origin() {
    return !trimmed(System.getProperty(property)).isEmpty()
        ? "property"
        : !trimmed(System.getenv(variable())).isEmpty() ? "environment" : "default";
  }

  private static String trimmed(String text) {
    return text == null ? "" : text.trim();
  }

  public boolean isSet() {
    return !value().isEmpty();
  }

  /** Whether nobody has asked for a value. */
  public boolean isDefault() {
    return origin().equals("default");
  }

  /**
   * What is allowed, when the value in force is not; empty too for one that is not set, and for those that their reader
   * checks.
   */
  public Optional<String> refusal() {
    return value().isEmpty() || rule.allows(value()) ? Optional.empty() : Optional.of(allowed());
  }

  /**
   * Refuses a value that is not allowed.
   *
   * @param text the value; one that is empty is as none, and allowed
   * @param origin where it comes from, for the message
   * @throws IllegalArgumentException when it is not allowed; the message names the setting
   */
  public void require(String text, String origin) {
    if (!text.isBlank() && !rule.allows(text.trim())) {
      throw refused(text.trim(), origin);
    }
  }

  private IllegalArgumentException refused(String text, String origin) {
    return new ArgumentException(Reason.SETTING,
        "%s is '%s' (from %s); %s".formatted(property, text, origin, allowed()));
  }

  /**
   * The value as a word, in lower case.
   *
   * @throws IllegalArgumentException when it is not allowed; the message names the setting
   */
  public String word() {
    require(value(), origin());
    return value().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether a setting that is {@code on} or {@code off} is on.
   *
   * @throws IllegalArgumentException when it is neither; the message names the setting
   */
  public boolean isOn() {
    return word().equals("on");
  }

  /**
   * Whether a setting that is {@code on}, {@code off} or {@code auto} is on; empty: it is {@code auto}.
   *
   * @throws IllegalArgumentException when it has another value; the message names the setting
   */
  public Optional<Boolean> isOnUnlessAuto() {
    String word = word();
    return word.equals("auto") ? Optional.empty() : Optional.of(word.equals("on"));
  }

  /**
   * The value as a whole number.
   *
   * @throws IllegalArgumentException when it is not a whole number, or out of range; the message names the setting
   */
  public int intValue() {
    String text = value();
    if (!rule.allows(text)) {
      throw refused(text, origin());
    }
    return Integer.parseInt(text);
  }
}
