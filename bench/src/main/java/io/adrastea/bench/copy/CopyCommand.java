package io.adrastea.bench.copy;

import io.adrastea.bench.measure.Bench;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.BenchOptions;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Output;
import io.adrastea.bench.measure.Sizes;
import io.adrastea.cli.base.CommandFailure;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code bench copy}. */
@Command(
    name = "copy",
    description = {
      "Copying what the other CPU has just written: memcpy in C and in Java. Below it the routines that the library"
          + " copies with, the limits between them, and whether those it chooses are good here."
    })
public final class CopyCommand implements Callable<Integer> {
  private static final String FLOOR_SIZES = "64,512,4K,64K,1M";
  private static final String SHORT_SIZES = "4K,64K,1M,4M";
  private static final String ROUTINE_SIZES = "512,4K,16K,64K,256K,1M,4M,16M,64M";
  private static final String EFFECT_SIZES = "64K,256K,512K,1M,1536K,2M,4M,16M";

  @Spec
  private CommandSpec spec;
  @Mixin
  private BenchOptions options;

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      description = {
        "Bytes to copy, with K, M or G.",
        "Default: " + FLOOR_SIZES + "; of --routines " + ROUTINE_SIZES + "; of --cache-effect " + EFFECT_SIZES + "."
      })
  private Sizes sizes;

  @ArgGroup
  private Only only = new Only();

  /** What is measured instead of all. */
  static final class Only {
    @Option(names = "--routines", description = "Only the routines, with the rounds and seconds given.")
    private boolean routines;

    @Option(
        names = "--cache-effect",
        description = "Only what a message leaves of the sender's cache, when it is written with regular and "
            + "with nontemporal"
            + " stores.")
    private boolean cacheEffect;
  }

  /** Creates the command for the command line. */
  public CopyCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    options.check();
    if (only.routines || only.cacheEffect) {
      return reportOnly(only.routines ? ROUTINE_SIZES : EFFECT_SIZES);
    }
    int status = new Bench(Kind.COPY, options, sizes(FLOOR_SIZES), spec.commandLine()).run();
    return status == ExitCode.OK ? routinesInShort() : status;
  }

  private Sizes sizes(String otherwise) {
    return sizes == null ? Sizes.parse(otherwise) : sizes;
  }

  private Integer reportOnly(String defaultSizes) throws IOException, InterruptedException {
    Cpus cpus = options.chosenCpus();
    List<Integer> bytes = checked(sizes(defaultSizes));
    try (Output output = options.output();
        CopyProgram program = CopyProgram.start(cpus)) {
      CopyReport report = new CopyReport(program, output);
      if (only.routines) {
        report.routines(bytes, options, cpus);
      } else {
        report.cacheEffect(bytes, nontemporal(program), options, cpus);
      }
      return ExitCode.OK;
    } catch (BenchException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }

  /** The figures of the floor are there already, in files too: what follows is for people. */
  private Integer routinesInShort() throws IOException, InterruptedException {
    try (Output output = new Output(spec.commandLine(), "-".equals(options.csv()) ? "-" : null, null, null)) {
      try (CopyProgram program = CopyProgram.start(options.chosenCpus())) {
        new CopyReport(program, output).routinesInShort(Sizes.parse(SHORT_SIZES).bytes(), options);
      } catch (IOException e) {
        output.text()
            .println("warning: nothing on the routines, since adrastea-copies cannot be run: " + e.getMessage());
        output.text().flush();
      }
      return ExitCode.OK;
    } catch (BenchException e) {
      throw new CommandFailure(ExitCode.SOFTWARE, e.getMessage());
    }
  }

  private static String nontemporal(CopyProgram program) throws BenchException, InterruptedException {
    String past = program.pastTheCaches();
    if (past == null) {
      throw new CommandFailure(
          ExitCode.SOFTWARE, "the library has no nontemporal stores for this CPU, so there is no effect to be shown");
    }
    return past;
  }

  private List<Integer> checked(Sizes asked) {
    for (int bytes : asked.bytes()) {
      if (bytes < 1 || bytes > CopyProgram.MAX_BYTES) {
        throw new ParameterException(
            spec.commandLine(),
            "--sizes: %d bytes cannot be measured by --routines and --cache-effect; 1 to 64M are allowed"
                .formatted(bytes));
      }
    }
    return asked.bytes();
  }
}
