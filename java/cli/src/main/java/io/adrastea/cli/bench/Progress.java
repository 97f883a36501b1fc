package io.adrastea.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on standard error when that is a terminal, else nothing. */
public final class Progress implements AutoCloseable {
  private static final int WIDTH = 80;
  private static final int UPDATE_MILLIS = 500;

  private final ProgressBar bar;

  private Progress(ProgressBar bar) {
    this.bar = bar;
  }

  /**
   * @param proc the root of /proc
   */
  public static Progress of(long steps, Path proc) {
    return errorIsTerminal(proc) ? new Progress(bar(steps)) : none();
  }

  public static Progress none() {
    return new Progress(null);
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

  /** One step is done. */
  public void step(String phase) {
    if (bar != null) {
      bar.setExtraMessage(phase);
      bar.step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
