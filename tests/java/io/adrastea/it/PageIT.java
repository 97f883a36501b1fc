package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code bench --html}, opened in a browser without a window. */
@Tag("spins")
class PageIT {
  /** Asks the browser, which only knows once it has laid out the page, how wide each curve is. */
  private static final String PROBE =
      """
          <script>
          for (const curve of document.querySelectorAll("g.curve")) {
            curve.setAttribute("data-drawn", Math.round(curve.getBBox().width));
          }
          </script>
          """;

  private static final Pattern DRAWN =
      Pattern.compile("data-curve=\"([^\"]+)\" data-points=\"\\d+\" data-drawn=\"(\\d+)\"");

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void everyVariantHasItsCurveInTheBrowser() throws Exception {
    Programs.require("chromium", "chromium");
    Path page = measure();
    Files.writeString(page, Files.readString(page).replace("</body>", PROBE + "</body>"));
    String dom = open(page);
    Map<String, Integer> widths = new TreeMap<>();
    for (Matcher curve = DRAWN.matcher(dom); curve.find();) {
      widths.merge(curve.group(1), Integer.parseInt(curve.group(2)), Math::min);
    }
    assertEquals("[ffm, floor, java, line]", widths.keySet().toString(), dom);
    widths.forEach((variant, width) -> assertTrue(width > 100, variant + " in " + dom));
  }

  private Path measure() throws Exception {
    Path page = directory.resolve("page.html");
    Launch.adrastea(shm, "bench", "latency", "--sizes", "8,64", "--core", "ffm,java")
        .add("--rounds", "1", "--seconds", "0.01", "--warmup", "0.1", "--html", page.toString())
        .run()
        .exits(0);
    return page;
  }

  private String open(Path page) throws Exception {
    return Launch.command("chromium", "--headless", "--no-sandbox", "--disable-gpu")
        .add("--disable-background-networking", "--no-first-run")
        .add("--user-data-dir=" + directory.resolve("browser"), "--dump-dom")
        .add(page.toUri().toString())
        .run()
        .exits(0)
        .out();
  }
}
