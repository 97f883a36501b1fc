package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.Answering;
import io.adrastea.bench.measure.BenchException;
import io.adrastea.bench.measure.Launched;
import io.adrastea.bench.measure.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The jobs of a run with one number of ranks. They are started once, those that have a quota in their cgroup, and wait
 * for commands between their turns. In each round all variants take turns at each call beside each of what runs beside
 * them, so whatever the machine does meanwhile, it does to neighbours.
 */
final class CrowdRun implements AutoCloseable {
  private static final double QUOTA_CPUS = 1.5;
  private static final double IDLE = 0.1; // of a pass's time, what compilers work in it
  private static final Path PROC = Path.of("/proc");

  private final int ranks;
  private final Where where;
  private final Progress progress;
  private final Consumer<String> notes;
  private final List<Launched> variants;
  private final List<Place> places = new ArrayList<>();

  /**
   * Where jobs run, and what runs beside them.
   *
   * @param cpus how many there are for them
   * @param prefix words that keep a command on these; may be empty
   */
  record Where(int cpus, List<String> prefix) {
    /** Copies the list. */
    Where {
      prefix = List.copyOf(prefix);
    }
  }

  /**
   * Jobs that were started in the same way.
   *
   * @param quota their cgroup; {@code null}: that of this process
   */
  private record Place(List<Beside> besides, Quota quota, Map<Launched, Answering> jobs) {}

  /**
   * A run without jobs.
   *
   * @param variants whose programs are here; those that fail, and are not ours, are left out
   * @param notes is told in a line what is left out, and why
   */
  CrowdRun(int ranks, Where where, List<Launched> variants, Progress progress, Consumer<String> notes) {
    this.ranks = ranks;
    this.where = where;
    this.variants = new ArrayList<>(variants);
    this.progress = progress;
    this.notes = notes;
  }

  /** Steps that {@link Progress} is told of by {@link #measure}. */
  static long steps(List<Beside> besides, int calls, int variants, CrowdEffort effort) {
    int places = besides.contains(Beside.QUOTA) && besides.size() > 1 ? 2 : 1;
    return (long) variants * (calls * effort.rounds() * besides.size() + places * effort.passes(calls));
  }

  /** Steps that {@link Progress} is told of by {@link #first}. */
  static long firstSteps(int variants, CrowdEffort effort) {
    return (long) variants * effort.rounds();
  }

  /** Measures the calls. */
  FoundCrowd measure(List<Beside> besides, List<Call> calls, CrowdEffort effort)
      throws IOException, BenchException, InterruptedException {
    startJobs(besides);
    warmUp(calls, effort);
    Map<Situation, Map<String, Spells>> found = new LinkedHashMap<>();
    List<Beside> failed = new ArrayList<>();
    for (int round = 1; round <= effort.rounds(); round++) {
      for (Beside beside : besides) {
        for (Place place : places) {
          if (place.besides.contains(beside) && !failed.contains(beside)) {
            round(place, beside, calls, effort, round, found, failed);
          }
        }
      }
    }
    List<String> left = variants.stream().map(Launched::name).toList();
    found.values().forEach(spells -> spells.keySet().retainAll(left));
    return new FoundCrowd(found, names(true), names(false));
  }

  /**
   * Goes through all calls, with pauses in which the others have their turns: ranks that wait for messages leave their
   * compilers little, and what these still have to do they do in the others' time. A job of ours is warm once its
   * compilers did next to nothing in a pass; not in the first one, since a method counts when it is done.
   */
  private void warmUp(List<Call> calls, CrowdEffort effort) throws BenchException, InterruptedException {
    Set<Answering> warm = new HashSet<>();
    for (int pass = 0; pass < effort.passes(calls.size()); pass++) {
      for (Place place : places) {
        for (Launched variant : List.copyOf(variants)) {
          progress.begin("%d ranks, warm-up of %s".formatted(ranks, variant.name()));
          Answering job = place.jobs.get(variant);
          if (!warm.contains(job) && isIdle(place, variant, calls, effort) && (pass > 0 || !isOurs(variant))) {
            warm.add(job);
          }
          progress.step();
        }
      }
    }
  }

  /** Whether compilers were idle in a pass. */
  private boolean isIdle(Place place, Launched variant, List<Call> calls, CrowdEffort effort)
      throws BenchException, InterruptedException {
    double compilers = 0;
    double time = 0;
    for (Call call : calls) {
      Optional<Windows> windows = variants.contains(variant) ? ask(place, variant, effort.slice(call), effort)
          : Optional.empty();
      compilers += windows.map(Windows::compilerNanos).orElse(0L);
      time += windows.map(Windows::nanos).orElse(0L);
    }
    return compilers <= IDLE * time;
  }

  private List<String> names(boolean ours) {
    return variants.stream().filter(variant -> isOurs(variant) == ours).map(Launched::name).toList();
  }

  private static boolean isOurs(Launched variant) {
    return variant instanceof OurJob;
  }

  private void startJobs(List<Beside> besides) throws IOException, BenchException, InterruptedException {
    List<Beside> plain = besides.stream().filter(beside -> beside != Beside.QUOTA).toList();
    if (!plain.isEmpty()) {
      places.add(new Place(plain, null, new LinkedHashMap<>()));
    }
    if (besides.contains(Beside.QUOTA)) {
      try {
        places.add(new Place(List.of(Beside.QUOTA), Quota.open(PROC, QUOTA_CPUS), new LinkedHashMap<>()));
      } catch (BenchException e) {
        leaveOut(Beside.QUOTA, e);
      }
    }
    for (Place place : places) {
      for (Launched variant : List.copyOf(variants)) {
        start(variant, place.quota).ifPresentOrElse(job -> place.jobs.put(variant, job), () -> forget(variant));
      }
    }
  }

  private Optional<Answering> start(Launched variant, Quota quota)
      throws IOException, BenchException, InterruptedException {
    List<String> prefix = new ArrayList<>(quota == null ? List.of() : quota.prefix());
    prefix.addAll(where.prefix);
    try {
      return Optional.of(variant.launch(ranks, where.cpus, prefix));
    } catch (IOException e) {
      leaveOut(variant, e);
      return Optional.empty();
    } catch (BenchException e) {
      leaveOut(variant, e);
      return Optional.empty();
    }
  }

  private void leaveOut(Beside beside, Exception reason) {
    notes.accept("with %d ranks, %s is left out: %s".formatted(ranks, beside.word(), reason.getMessage()));
  }

  /** A job of ours that fails is no detail. */
  private <E extends Exception> void leaveOut(Launched variant, E reason) throws E {
    if (isOurs(variant)) {
      throw reason;
    }
    notes.accept("with %d ranks, %s is left out: %s".formatted(ranks, variant.name(), reason.getMessage()));
  }

  private void forget(Launched variant) {
    variants.remove(variant);
    for (Place place : places) {
      Answering job = place.jobs.remove(variant);
      if (job != null) {
        job.close();
      }
    }
  }

  private void round(Place place, Beside beside, List<Call> calls, CrowdEffort effort, int round,
      Map<Situation, Map<String, Spells>> found, List<Beside> failed) throws BenchException, InterruptedException {
    Company company;
    try {
      company = Company.start(beside, where.cpus, where.prefix);
    } catch (IOException | BenchException e) {
      failed.add(beside);
      leaveOut(beside, e);
      return;
    }
    try {
      for (Call call : calls) {
        Map<String, Spells> spells =
            found.computeIfAbsent(new Situation(ranks, call, beside), one -> new LinkedHashMap<>());
        for (Launched variant : List.copyOf(variants)) {
          progress.begin("%d ranks, %s beside %s, round %d".formatted(ranks, call.title(), beside.word(), round));
          ask(place, variant, effort.round(call), effort).ifPresent(
              windows -> spells.computeIfAbsent(variant.name(), name -> new Spells(name, call.messages()))
                  .addRound(windows));
          progress.step();
        }
      }
    } finally {
      company.close();
    }
  }

  private Optional<Windows> ask(Place place, Launched variant, String command, CrowdEffort effort)
      throws BenchException, InterruptedException {
    try {
      return Optional
          .of(Windows.parse(variant.name(), place.jobs.get(variant).ask(command, effort.deadline())));
    } catch (BenchException e) {
      leaveOut(variant, e);
      forget(variant);
      return Optional.empty();
    }
  }

  /** Measures jobs from their first message on, each round with new ones. */
  FirstMessages first(CrowdEffort effort) throws IOException, BenchException, InterruptedException {
    Map<String, List<Windows>> found = new LinkedHashMap<>();
    for (int round = 1; round <= effort.rounds(); round++) {
      for (Launched variant : List.copyOf(variants)) {
        progress.begin("first messages of %s, round %d".formatted(variant.name(), round));
        Optional<Answering> job = start(variant, null);
        if (job.isPresent()) {
          try (Answering started = job.get()) {
            Windows windows = Windows.parse(variant.name(), started.ask(effort.firstMessages(), effort.deadline()));
            found.computeIfAbsent(variant.name(), name -> new ArrayList<>()).add(windows);
          } catch (BenchException e) {
            leaveOut(variant, e);
            forget(variant);
          }
        } else {
          forget(variant);
        }
        progress.step();
      }
    }
    List<String> left = variants.stream().map(Launched::name).toList();
    found.keySet().retainAll(left);
    return new FirstMessages(found, names(true), names(false));
  }

  @Override
  public void close() {
    places.forEach(place -> place.jobs.values().forEach(Answering::close));
    places.stream().filter(place -> place.quota != null).forEach(place -> place.quota.close());
  }
}
