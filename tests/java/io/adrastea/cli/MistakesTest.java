package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What is said of words that are wrong: first what, then what may have been meant, then where help is. */
class MistakesTest {
  private static List<String> said(String words) {
    StringWriter err = new StringWriter();
    CommandLine line = Main.commandLine().setErr(new PrintWriter(err));
    assertEquals(2, line.execute(words.split(" ")));
    return err.toString().lines().toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock = """
          rum | run
          hepl | help
          help rum | run
          bnech latency | bench
          bench latecy | latency
          bench paper halp | halo
          run --lable always true | --label
          run --bnid cpu true | --bind
          run --cor ffm true | --core
          run --lable=always true | --label
          run true : --bnid cpu true | --bind
          run -D cels=4 true | cells
          run -D adrastea.cels=4 true | cells
          info --pahts | --paths
          bench latency --sizs 8 | --sizes
          bench guard --lst | --list
          bench soak --cores ffm | --core
          """)
  void whatMayHaveBeenMeantIsNamed(String words, String meant) {
    String said = String.join("\n", said(words));
    int at = said.indexOf("Did you mean " + meant + "?");
    assertTrue(at >= 0, said);
    assertTrue(Stream.of("ommands are ", "There are ").allMatch(list -> said.indexOf(list, at) == said.indexOf(list)),
        () -> "what there is stands before what may have been meant: " + said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock = """
          run -hostfile h true | '-hostfile' is a word of other launchers: write --hosts a:4,b:4, \
          which has the ranks of each host, or --hostfile FILE.
          run -host a,b true | '-host' is a word of other launchers: write --hosts a:4,b:4, \
          which has the ranks of each host, or --hostfile FILE.
          run true : -H a true | '-H' is a word of other launchers: write --hosts a:4,b:4, \
          which has the ranks of each host, or --hostfile FILE.
          run --nnodes=1:4 true | '--nnodes' is a word of other launchers: write --hosts a:4,b:4, \
          which has the ranks of each host, or --hostfile FILE.
          run --nnodes 2 true | '--nnodes' is a word of other launchers: write --hosts a:4,b:4, \
          which has the ranks of each host, or --hostfile FILE.
          run --standalone true | '--standalone' is a word of other launchers: without --hosts all ranks run on this \
          host; leave it out.
          run --nproc-per-node 4 true | '--nproc-per-node' is a word of other launchers: write -n N.
          run --nproc_per_node=4 true | '--nproc_per_node' is a word of other launchers: write -n N.
          run --rdzv-endpoint=h:1 true | '--rdzv-endpoint' is a word of other launchers: ranks of one host meet in \
          shared memory; with --hosts write --rendezvous HOST:PORT.
          run --max-restarts=3 true | '--max-restarts' is a word of other launchers: a job is not restarted: write \
          --keep-going to go on without ranks that failed, or start it again.
          run --no-python true | '--no-python' is a word of other launchers: any program is started as it is; leave it \
          out.
          run --log-dir d true | '--log-dir' is a word of other launchers: write --output DIR.
          run -N 1 true | '-N' is a word of other launchers: write --hosts a:4,b:4, \
          which has the ranks of each host, or --hostfile FILE.
          run --ntasks=4 true | '--ntasks' is a word of other launchers: write -n N.
          run --chdir /tmp true | '--chdir' is a word of other launchers: write --wdir DIR.
          run -wdir /tmp true | '-wdir' is a word of other launchers: write --wdir DIR.
          run -l true | '-l' is a word of other launchers: write --label always.
          run --cpu-bind=cores true | '--cpu-bind' is a word of other launchers: write --bind cpu, cache, numa or none.
          """)
  void forWordsOfOtherLaunchersIsSaidWhatToWrite(String words, String hint) {
    List<String> lines = said(words);
    assertEquals(hint, lines.get(1), lines::toString);
    assertEquals("Try 'adrastea run --help'.", lines.getLast());
  }

  @ParameterizedTest
  @CsvSource({"xyz", "bench altitude", "run --verbose true"})
  void whereNothingIsAlikeNothingIsGuessed(String words) {
    assertEquals(2, said(words).size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock = """
          run --set cells true | adrastea: Value for option '--set' (NAME=VALUE) should be \
          in KEY=VALUE format but was cells
          run -n two true | adrastea: Invalid value for option '-n': 'two' is not an int
          run true : -np two true | adrastea: part 2 of 2: Invalid value for option '-n': 'two' is not an int
          """)
  void whatIsWrongIsSaidInPlainWords(String words, String first) {
    assertEquals(first, said(words).getFirst());
  }
}
