package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Ranks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands say of themselves, and of words that they do not know. */
class CommandLineIT {
  private static final int WIDTH = 100;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "walk | unknown command 'walk'; commands are run, bench, info",
        "--wrong | '--wrong'",
        "run --wrong -- true | '--wrong'",
        "run -n 0 -- true | -n is 0; allowed is 1 to 1024",
        "run -n 1025 -- true | -n is 1025; allowed is 1 to 1024",
        "run -n two -- true | 'two'",
        "run -n 2 | no program given",
        "run -n 2 true : --label never true | part 2 of 2: --label is an option of the whole job",
        "run -n 1024 true : true | the parts have 1025 ranks together; allowed is 1 to 1024",
        "run --core fast -- true | 'fast'; allowed are auto, ffm, jni, java, jna",
        "run --core ffm, -- true | ''; allowed are auto, ffm, jni, java, jna",
        "run --bind socket -- true | [cpu, cache, numa, none]",
        "run --map scatter true | --map is 'scatter'; allowed are packed, spread, cache, numa, socket, or a list",
        "run --map 99999 true | CPU 99999, which does not exist or is not allowed here; allowed are",
        "run --bind none --map packed true | choose one of cpu, cache and numa",
        "run true : --map packed true | part 2 of 2: --map is an option of the whole job",
        "info --bind socket | [cpu, cache, numa, none]",
        "info -n 0 | -n is 0; allowed is 1 and more",
        "info -n 2 --layout | go with none of --layout, --paths, --collectives and --nodes",
        "run --exit rank0 true | --exit rank0 is for ranks that go on after another has failed, and here the first",
        "run --exit failures true | add --keep-going",
        "run --exit worst true | [first, rank0, failures]",
        "run --timeout 5x true | --timeout is '5x'; allowed are seconds, or a number with s, m or h",
        "run -n 2 --stdin 2 true | --stdin is '2'; allowed is a rank from 0 to 1, or none",
        "run --stdin -1 true | --stdin is '-1'; allowed is 0, the only rank, or none",
        "run -n 2 --stdin all true | or none; one rank reads it, and broadcasts what others need",
        "man walk | unknown command 'walk'; commands are run, bench, info",
        "man run fast | 'adrastea run' has no commands, so there is no page of 'fast'",
        "run -D speed=1 -- true | 'adrastea.speed'",
        "bench | latency, bandwidth",
        "bench altitude | 'altitude'",
        "bench latency --sizes 8,x | 'x'",
        "info --wrong | '--wrong'",
        "info --layout --paths | adrastea: --layout, --paths are mutually exclusive",
        "bench barrier -n 1 | -n must be a number from 2 to 1024, not 1",
        "bench latency -n 3 | -n must be an even number from 2 to 1024, not 3",
        "bench altitude | overlap, calls, paper, guard, soak, compare, datatypes, collectives, rma, shmem, crowd, jmh",
        "bench paper scimpich-sparse --peers lam | there is no peer 'lam'; peers are openmpi-shared, openmpi-allocate",
        "soak --help | unknown command 'soak'; commands are run, bench, info",
        "version --help | unknown command 'version'",
        "bench altitude --help | unknown command 'altitude'; commands are latency"
      })
  void wordsThatAreWrongAreNamedAndHelpIsOffered(String words, String said) throws Exception {
    Outcome outcome = Outcome.here(words.trim().split(" ")).exits(2);
    outcome.says("adrastea: ", said, "--help");
    assertEquals("", outcome.out());
    assertFalse(outcome.err().contains("\tat "), outcome::toString);
  }

  @Test
  void noWordsAtAllGetTheCommandsNamed() throws Exception {
    Launch.adrastea(shm)
        .run()
        .exits(2)
        .says("no command given; commands are run, bench, info", "Try 'adrastea --help'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--help | run bench info completion man",
        "run --help | -n --core --bind --label --map --join-timeout --hang --shm-dir PROGRAM",
        "run --help | --timeout --output --timestamp --exit --wdir --stdin -x --keep-going",
        "run --help | --hosts --host --hostfile --agent --rendezvous",
        "help run | -n --core --bind",
        "bench --help | latency bandwidth",
        "bench latency --help | -n --core --sizes --rounds --seconds --csv --cpus --warmup",
        "bench bandwidth --help | -n --core --sizes --rounds --seconds --csv --cpus --warmup",
        "bench barrier --help | -n --core --rounds --seconds --csv --cpus --warmup",
        "info --help | --layout --paths --nodes -n --bind --map"
      })
  void helpNamesEachOption(String words, String options) throws Exception {
    Outcome outcome = Outcome.here(words.trim().split(" ")).exits(0);
    List<String> missing = new ArrayList<>(List.of(options.trim().split(" ")));
    missing.removeIf(
        option -> outcome.out().matches("(?s).*(?<![\\w-])" + option + "(?![\\w-]).*"));
    assertEquals(List.of(), missing, outcome::toString);
    outcome.saysNothing();
    outcome.lines().forEach(line -> assertTrue(line.length() <= WIDTH, line));
  }

  @Test
  void infoTellsTheJobsOfThisNodeWithTheirRanks() throws Exception {
    String rank = "(?:  rank \\d of this node .*\n)*"
        + "  rank 0 of this node +process %d +Java +is there\n".formatted(ProcessHandle.current().pid());
    Ranks.run("java+nodes", 2, job -> {
      job.world().barrier();
      if (job.world().rank() == 0) {
        String out = Outcome.here("info", "--nodes").exits(0).out();
        assertTrue(out.matches("(?s)this node\n.*\n  ranks of other nodes +by .*"), out);
        for (int node = 0; node < 2; node++) {
          String title = "job [0-9a-f]{16}, node %d: 1 rank\\(s\\) of this node\n".formatted(node);
          assertTrue(Pattern.compile(title + rank).matcher(out).find(), out);
        }
      }
      job.world().barrier();
    });
  }

  @Test
  void helpOfTheBenchesTellsWhereTheyAreWhenTheyAreMissing() throws Exception {
    Launch.adrastea(shm, "help", "bench").run().exits(0).prints("bin/adrastea", "adrastea-bench");
  }

  @Test
  void digitsAreThoseOfProgramsWhateverTheLanguage() throws Exception {
    Launch.adrastea(shm, "run", "-n", "4000", "--", "true")
        .variable("JAVA_TOOL_OPTIONS", "-Duser.language=ar -Duser.country=EG")
        .run()
        .exits(2)
        .says("-n is 4000; allowed is 1 to 1024");
  }

  @Test
  void theHelpOfRunTellsOptionsOfAPartFromThoseOfTheJob() throws Exception {
    String help = Outcome.here("run", "--help").exits(0).out();
    int part = help.indexOf("Options of each part, before its program:");
    int job = help.indexOf("Options of the whole job, before the first program:");
    for (String option : List.of("-n, -np=N", "--core=", "--bind=")) {
      int at = help.indexOf(" " + option);
      assertTrue(part >= 0 && part < at && at < job, () -> option + ": " + help);
    }
    for (String option : List.of("--set=", "--label=", "--map=", "--join-timeout=", "--shm-dir=", "--help")) {
      assertTrue(help.indexOf(" " + option) > job, () -> option + ": " + help);
    }
    assertTrue(help.contains("adrastea run -n 2 --label always java Prog.java 10 : -n 1 ./prog 10"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  void theVersionIsThatOfTheJar(String option) throws Exception {
    String version =
        Launch.jar().getFileName().toString().replaceAll("adrastea-cli-(.*)\\.jar", "$1");
    Outcome outcome = Launch.adrastea(shm, option).run().exits(0);
    assertEquals(List.of("adrastea " + version), outcome.lines());
  }

  @Test
  void wordsBehindTheProgramAreThePrograms() throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "--", "echo", "--help", "-n", "5", "@file").run().exits(0);
    assertEquals(List.of("--help -n 5 @file"), outcome.lines());
  }
}
