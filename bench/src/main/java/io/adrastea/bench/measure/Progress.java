package io.adrastea.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far a run is: a bar on standard error when that is a terminal, else a line every 10 s. */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 80;
  private static final int UPDATE_MILLIS = 500;

  private static final Duration LINE_EVERY = Duration.ofSeconds(10);

  private final ProgressBar bar; // null: none
  private final ProgressLines lines; // null: none

  private Progress(ProgressBar bar, ProgressLines lines) {
    this.bar = bar;
    this.lines = lines;
  }

  /**
   * @param proc the root of /proc
   */
  public static Progress of(long steps, Path proc) {
    return errorIsTerminal(proc)
        ? new Progress(bar(steps), null)
        : new Progress(null, new ProgressLines(steps, System.err, LINE_EVERY));
  }

  /** The bar or nothing, for a command that writes lines of its own. */
  public static Progress barOnly(long steps, Path proc) {
    return errorIsTerminal(proc) ? new Progress(bar(steps), null) : none();
  }

  /** Nothing is shown. */
  public static Progress none() {
    return new Progress(null, null);
  }

  private static ProgressBar bar(long steps) {
    return new ProgressBarBuilder()
        .setTaskName("bench")
        .setInitialMax(steps)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(UPDATE_MILLIS)
        .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
        .clearDisplayOnFinish()
        .build();
  }

  /** The JVM's console tells of standard input and output only, so the descriptor is asked. */
  private static boolean errorIsTerminal(Path proc) {
    try {
      return isTerminal(Files.readSymbolicLink(proc.resolve("self/fd/2")));
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Whether a file behind a descriptor is a terminal. */
  public static boolean isTerminal(Path file) {
    return file.toString().matches("/dev/(pts/\\d+|tty\\w*|console)");
  }

  /** Whether there is a bar. */
  public boolean isShown() {
    return bar != null;
  }

  /** A step begins; it may be long. */
  public void begin(String what) {
    if (bar != null) {
      bar.setExtraMessage(what);
    } else if (lines != null) {
      lines.begin(what);
    }
  }

  /** It is done. */
  public void step() {
    if (bar != null) {
      bar.step();
    } else if (lines != null) {
      lines.step();
    }
  }

  /** A step is done that {@link #begin} was not told of. */
  public void step(String phase) {
    begin(phase);
    step();
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    } else if (lines != null) {
      lines.close();
    }
  }
}
