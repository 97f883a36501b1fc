package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.compare.StoredRun;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Tells how far the page is wider than the window, which labels overlap, and what a box switches off. */
  private static final String LOOK =
      """
          <script>
          const shown = (one) => one.getClientRects().length && one.checkVisibility();
          const seen = (query) => [...document.querySelectorAll(query)].filter(shown);
          let overlaps = [];
          for (const svg of seen("figure.ratio > svg")) {
            const boxes = [...svg.querySelectorAll("text.name")].map(one => one.getBoundingClientRect());
            const edge = svg.getBoundingClientRect();
            boxes.forEach((a, i) => {
              if (a.right > edge.right + 1 || a.bottom > edge.bottom) overlaps.push("outside " + i);
              boxes.slice(i + 1).forEach((b, j) => {
                if (Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height * 0.25) overlaps.push(i + "-" + j);
              });
            });
          }
          const drawn = seen("figure.ratio .curve").length;
          const folded = seen("details table, details figure").length;
          const ucx = () => seen("[data-curve=ucx]").length;
          const before = ucx();
          [...document.querySelectorAll("label")].find(one => one.textContent == "ucx").click();
          document.body.setAttribute("data-look", JSON.stringify({
            over: document.documentElement.scrollWidth - window.innerWidth > 0,
            overlaps, pictures: seen("figure.ratio > svg").length, narrow: seen("svg.narrow").length,
            bars: seen("figure.bars.ratio").length,
            drawn, folded, before, after: ucx(), paper: getComputedStyle(document.body).backgroundColor}));
          </script>
          """;

  @ParameterizedTest
  @CsvSource({"1280, 1, 'rgb(255, 255, 255)'", "390, 1, 'rgb(255, 255, 255)'", "1280, 0, 'rgb(20, 23, 26)'",
    "390, 0, 'rgb(20, 23, 26)'"})
  void aComparisonAnswersAtAGlance(int width, int scheme, String paper) throws Exception {
    Programs.require("chromium", "chromium");
    Path page = directory.resolve("compare.html");
    Path stored = Files.write(directory.resolve("stored.csv"), StoredRun.lines());
    Launch.adrastea(shm, "bench", "compare", "--from", stored.toString(), "--html", page.toString()).run().exits(0);
    Files.writeString(page, Files.readString(page).replace("</body>", LOOK + "</body>"));
    String dom = open(page, "--window-size=" + width + ",1600", "--blink-settings=preferredColorScheme=" + scheme);
    String look = dom.replaceAll("(?s).*data-look=\"([^\"]*)\".*", "$1").replace("&quot;", "\"");
    assertEquals(
        ("{\"over\":false,\"overlaps\":[],\"pictures\":4,\"narrow\":%d,\"bars\":2,\"drawn\":36,\"folded\":0,"
            + "\"before\":6,\"after\":0,\"paper\":\"%s\"}")
            .formatted(width < 600 ? 4 : 0, paper),
        look);
  }

  private Path measure() throws Exception {
    Path page = directory.resolve("page.html");
    Launch.adrastea(shm, "bench", "latency", "--sizes", "8,64", "--core", "ffm,java")
        .quickThroughout()
        .add("--rounds", "1", "--seconds", "0.01", "--warmup", "0.01", "--html", page.toString())
        .run()
        .exits(0);
    return page;
  }

  private String open(Path page, String... more) throws Exception {
    return Launch.command("chromium", "--headless", "--no-sandbox", "--disable-gpu")
        .add("--disable-background-networking", "--no-first-run")
        .add("--user-data-dir=" + directory.resolve("browser"), "--dump-dom")
        .add(more)
        .add(page.toUri().toString())
        .run()
        .exits(0)
        .out();
  }
}
