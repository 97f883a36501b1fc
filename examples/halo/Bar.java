import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A bar on the terminal, if there is one. The launcher carries whole lines of its ranks, so under it the bar is drawn
 * on the launcher's own terminal.
 */
final class Bar implements AutoCloseable {
  private static final int WIDTH = 50;

  private final int steps;
  private final PrintStream terminal;
  private int shown;

  Bar(int steps) {
    this.steps = steps;
    this.terminal = steps > 0 ? terminal() : null;
  }

  private static PrintStream terminal() {
    String launcher = System.getenv().getOrDefault("ADRASTEA_LAUNCHER", "self").split(":")[0];
    Path errors = Path.of("/proc", launcher, "fd", "2");
    try {
      String file = Files.readSymbolicLink(errors).toString();
      return file.matches("/dev/(pts/\\d+|tty\\w*)")
          ? new PrintStream(Files.newOutputStream(errors, StandardOpenOption.WRITE))
          : null;
    } catch (IOException | UnsupportedOperationException e) {
      return null; // no such thing here: no bar
    }
  }

  void show(int step) {
    int filled = terminal == null ? 0 : (int) ((long) WIDTH * step / steps);
    if (filled > shown) {
      shown = filled;
      String bar = "=".repeat(filled) + " ".repeat(WIDTH - filled);
      terminal.printf("\rhalo [%s] %3d %%", bar, 100L * step / steps);
      terminal.flush();
    }
  }

  @Override
  public void close() {
    if (terminal != null) {
      terminal.printf("\r%" + (WIDTH + 13) + "s\r", "");
      terminal.close();
    }
  }
}
