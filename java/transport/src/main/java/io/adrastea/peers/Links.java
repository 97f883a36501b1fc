package io.adrastea.peers;

import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import io.adrastea.link.JobRank;
import io.adrastea.link.Link;
import io.adrastea.link.LinkPort;
import io.adrastea.link.LinkProvider;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What brings the links of a job's ranks, in the order of preference, and which rank is reached by which. */
public final class Links {
  static final LinkProvider SHM = new SharedMemory();

  /** Shared memory alone: all ranks are on one node. */
  public static final Links SHARED_MEMORY = new Links(List.of(SHM));

  private static List<LinkProvider> found; // in the order of preference; null: not looked for yet; guarded by the class

  private final List<LinkProvider> providers;

  /** Links of these providers, the preferred one first. */
  Links(List<LinkProvider> providers) {
    this.providers = List.copyOf(providers);
  }

  /** Shared memory as one way to reach ranks among others. */
  private static final class SharedMemory implements LinkProvider {
    @Override
    public String name() {
      return "shm";
    }

    @Override
    public int preference() {
      return SHARED_MEMORY_PREFERENCE;
    }

    @Override
    public boolean reaches(JobRank self, int rank) {
      return self.node(rank) == self.node(self.rank());
    }

    @Override
    public Link open(JobRank self, BitSet ranks) {
      return self.sharedMemory();
    }
  }

  /**
   * The links that the setting names, or all that there are.
   *
   * @throws JoinException when it names one that is not there, or a provider does not load; the message says which
   */
  public static Links inForce() {
    String names = Tunable.LINKS.word();
    if (names.equals(SHM.name())) {
      return SHARED_MEMORY; // whatever other providers there are, and whether they load
    }
    List<LinkProvider> all = all();
    return new Links(names.equals("auto") ? all : Stream.of(names.split(",")).map(name -> named(name, all)).toList());
  }

  /**
   * Opens the ports of a rank that has joined on its node, in a job on several.
   *
   * @throws JoinException when a provider tells what has no place in a card; ports that were opened are closed
   * @throws RuntimeException what a provider throws; likewise
   */
  public LinkPorts listen(long job, int rank) {
    LinkPorts ports = new LinkPorts();
    try {
      providers.forEach(provider -> ports.add(provider, provider.listen(job, rank)));
      return ports;
    } catch (RuntimeException | Error e) {
      ports.close();
      throw e;
    }
  }

  /** Names of the links that may reach ranks of other nodes. */
  public List<String> beyondNode() {
    return providers.stream().filter(provider -> provider != SHM).map(LinkProvider::name).toList();
  }

  private static LinkProvider named(String name, List<LinkProvider> all) {
    return all.stream().filter(provider -> provider.name().equals(name)).findFirst()
        .orElseThrow(() -> new JoinException(
            ("adrastea.links names '%s', and there are: auto, %s; put the jar that brings '%s' on the class path or "
                + "the module path, or leave the name out").formatted(name, names(all), name)));
  }

  private static String names(List<LinkProvider> providers) {
    return providers.stream().map(LinkProvider::name).collect(Collectors.joining(", "));
  }

  private static synchronized List<LinkProvider> all() {
    if (found == null) {
      List<LinkProvider> all = new ArrayList<>(List.of(SHM));
      try {
        ServiceLoader.load(LinkProvider.class, Links.class.getClassLoader()).forEach(all::add);
      } catch (ServiceConfigurationError | LinkageError e) {
        throw new JoinException(
            "a provider of links does not load (%s); mend its jar, or take it off the class path or the module path"
                .formatted(e),
            e);
      }
      found = ordered(all);
    }
    return found;
  }

  /**
   * These providers in the order of preference.
   *
   * @throws JoinException when one has a name that is not allowed, or two have the same name
   */
  static List<LinkProvider> ordered(List<LinkProvider> providers) {
    providers.forEach(Links::requireName);
    for (LinkProvider one : providers) {
      if (providers.stream().anyMatch(other -> other != one && other.name().equals(one.name()))) {
        throw new JoinException(
            "two providers of links are called '%s'; take one of them off the class path or the module path"
                .formatted(one.name()));
      }
    }
    return providers.stream().sorted(Comparator.comparingInt(LinkProvider::preference)).toList();
  }

  private static void requireName(LinkProvider provider) {
    String name = provider.name();
    boolean allowed = name != null && name.matches("[a-z0-9_-]+") && !name.equals("auto") && !name.equals(SHM.name());
    if (!allowed && provider != SHM) {
      throw new JoinException(
          ("the provider of links %s has the name %s; allowed are lower-case letters, digits, - and _, but neither "
              + "auto nor shm: mend it, or take its jar off the class path or the module path")
              .formatted(provider.getClass().getName(), name == null ? "null" : "'" + name + "'"));
    }
  }

  /**
   * A rank that has joined its job on its node.
   *
   * @param sharedMemory the link to the ranks of that node
   * @param ports what its providers have opened, and what the others have told of theirs
   */
  public record Joined(long job, int rank, Nodes nodes, Link sharedMemory, LinkPorts ports) implements JobRank {
    /** Makes one in a job on one node. */
    public Joined(long job, int rank, Nodes nodes, Link sharedMemory) {
      this(job, rank, nodes, sharedMemory, new LinkPorts());
    }

    @Override
    public int size() {
      return nodes.size();
    }

    @Override
    public int node(int rank) {
      return nodes.node(rank);
    }

    @Override
    public String words(LinkProvider provider, int rank) {
      return ports.words(provider, rank);
    }

    @Override
    public LinkPort port(LinkProvider provider) {
      return ports.port(provider);
    }
  }

  /**
   * Makes the links of a rank: each rank of the job is reached by the first provider that says so.
   *
   * @param isOfC whether a rank of the job is a C rank, which shared memory alone reaches
   * @return one for each rank, by its number; several ranks may have the same
   * @throws JoinException when a rank is reached by none, or by another link than it reaches this one by, or a provider
   * gave no link; those that were made are closed. Ports stay those of the caller where no link was made of them
   * @throws RuntimeException what a provider throws; likewise
   */
  public Link[] open(Joined self, IntPredicate isOfC) {
    Link[] links = new Link[self.size()];
    BitSet missing = new BitSet();
    missing.set(0, links.length);
    try {
      for (LinkProvider provider : providers) {
        BitSet ranks = reached(provider, self, missing, isOfC);
        if (!ranks.isEmpty()) {
          requireSame(provider, self, ranks, isOfC);
          Link link = open(provider, self, ranks);
          self.ports.handOver(provider);
          ranks.stream().forEach(rank -> links[rank] = link);
          missing.andNot(ranks);
        }
      }
      if (!missing.isEmpty()) {
        requireNoC(self, missing, isOfC);
        throw new JoinException(
            "rank %d is reached from rank %d by no link of: %s; name one in adrastea.links that reaches it, or leave "
                .formatted(missing.nextSetBit(0), self.rank(), names(providers)) + "the setting out");
      }
      return links;
    } catch (RuntimeException | Error e) {
      try {
        close(links);
      } catch (RuntimeException | Error more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }

  /** Closes each of these links once, also when one throws; null: a rank that has none. Throws what the first threw. */
  static void close(Link... links) {
    Throwable first = null;
    for (Link link : Stream.of(links).filter(Objects::nonNull).distinct().toList()) {
      try {
        link.close();
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else if (first != e) {
          first.addSuppressed(e);
        }
      }
    }
    switch (first) {
      case null -> {}
      case Error e -> throw e;
      default -> throw (RuntimeException) first;
    }
  }

  /** A C rank of another node says by its name why no link reaches it. */
  private static void requireNoC(JobRank self, BitSet missing, IntPredicate isOfC) {
    int here = self.node(self.rank());
    missing.stream().filter(rank -> isOfC.test(rank) && self.node(rank) != here).findFirst().ifPresent(rank -> {
      throw new JoinException(
          ("rank %d is a C rank on another node than rank %d, and a C rank reaches the ranks of its node alone; "
              + "start it on the node of all others").formatted(rank, self.rank()));
    });
  }

  private static BitSet reached(LinkProvider provider, JobRank self, BitSet missing, IntPredicate isOfC) {
    return missing.stream().filter(rank -> provider == SHM || !isOfC.test(rank))
        .filter(rank -> provider.reaches(self, rank))
        .collect(BitSet::new, BitSet::set, BitSet::or);
  }

  /** Refuses a link to a rank of the node that reaches this one by another: neither would poll what the other sends. */
  private static void requireSame(LinkProvider provider, JobRank self, BitSet ranks, IntPredicate isOfC) {
    if (!(self.sharedMemory() instanceof NodeLink node)) {
      return;
    }
    ranks.stream()
        .filter(rank -> rank != self.rank() && self.node(rank) == self.node(self.rank()) && !isOfC.test(rank))
        .forEach(rank -> {
          String told = node.tellLink(rank, provider.name());
          if (!letters(told).equals(letters(provider.name()))) {
            throw new JoinException(
                ("rank %d reaches rank %d by the link '%s', and is reached from it by '%s'; give both the same setting "
                    + "adrastea.links, and the same providers on the class path or the module path")
                    .formatted(self.rank(), rank, provider.name(), told));
          }
        });
  }

  private static String letters(String name) {
    return name.substring(0, Math.min(name.length(), NodeLink.LETTERS));
  }

  private static Link open(LinkProvider provider, JobRank self, BitSet ranks) {
    Link link = provider.open(self, (BitSet) ranks.clone());
    if (link == null) {
      throw new JoinException("the provider of links '%s' gave none from rank %d to ranks %s, which it reaches; mend it"
          .formatted(provider.name(), self.rank(), ranks));
    }
    return link;
  }
}
