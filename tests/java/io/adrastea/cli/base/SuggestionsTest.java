package io.adrastea.cli.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {
  private static final List<String> WORDS =
      List.of("-n", "-np", "--bind", "--core", "--label", "--list", "--rounds", "latency", "bandwidth",
          "adrastea.cells", "adrastea.cell.bytes");

  @ParameterizedTest
  @CsvSource({
    "--lable, --label", // swapped
    "--lst, --list", // left out
    "--llabel, --label", // added
    "--bnid, --bind",
    "--cores, --core",
    "--CORE, --core",
    "-m, -n",
    "--ro, --rounds", // the beginning
    "latecy, latency",
    "bandwith, bandwidth",
    "adrastea.cels, adrastea.cells",
  })
  void whatIsLikeAWordIsFound(String written, String meant) {
    assertEquals(meant, String.join(" or ", Suggestions.of(written, WORDS)));
    assertEquals("Did you mean " + meant + "?", Suggestions.sentence(written, WORDS));
  }

  @ParameterizedTest
  @CsvSource({"xyz", "--verbose", "--", "l"})
  void whatIsLikeNoneIsNotGuessed(String written) {
    assertEquals(List.of(), Suggestions.of(written, WORDS));
    assertEquals("", Suggestions.sentence(written, WORDS));
  }
}
