package io.adrastea.bench.paper;

import io.adrastea.bench.datatypes.Noncontig;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.CorePair;
import io.adrastea.bench.measure.CoreVariant;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.FirstCore;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Sizes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench paper scimpich}: [SCI-MPICH 2002, 3.4 and 5]. */
@Command(
    name = "scimpich",
    defaultValueProvider = FirstCore.class,
    description = {
      "Blocks with gaps by datatype, packed first, and in one piece (SCI-MPICH 2002, Figs. 7 and 10).",
      "256 KiB a message; Open MPI and MPICH stand for the other systems of Fig. 10, where they are installed.",
      "On core ffm, unless --core names others."
    })
final class ScimpichCommand extends Experiment {
  private final List<String> notes = new ArrayList<>();

  @Option(
      names = "--sizes",
      paramLabel = "LIST",
      converter = Sizes.Converter.class,
      defaultValue = "8,16,32,64,128,256,512,1K,2K,4K,8K,16K,32K,64K,128K",
      description = {"Blocks in bytes, powers of two, with K.", "Default: ${DEFAULT-VALUE}."})
  private Sizes sizes;

  @Option(names = "--without-peers", description = "Open MPI and MPICH are left out.")
  private boolean alone;

  @Override
  String title() {
    return "adrastea bench paper scimpich: SCI-MPICH 2002, Figs. 7 and 10, the micro-benchmark noncontig";
  }

  @Override
  Optional<String> content() {
    return Optional
        .of("content  written before each send and read after each receive, a word of each line of 64 bytes");
  }

  @Override
  Kind kind() {
    return Noncontig.KIND;
  }

  @Override
  List<Integer> bytes() {
    return Noncontig.checked(sizes.bytes());
  }

  @Override
  int mostRanks(int asked) {
    if (asked != 2) {
      throw new IllegalArgumentException("-n has no meaning here: two ranks exchange messages");
    }
    return 2;
  }

  @Override
  void fill(Cast cast, List<CorePair> cores, int two, Cpus cpus)
      throws IOException, BenchException, InterruptedException {
    for (CorePair pair : cores) {
      Noncontig.add(cast, CoreVariant.start(pair, 2, cpus));
    }
    if (!alone) {
      Noncontig.addPeers(cast, sizes.bytes(), cpus, notes::add);
    }
  }

  @Override
  Report report(Results results) {
    return ScimpichReport.of(results, notes);
  }
}
