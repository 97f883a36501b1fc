package io.adrastea.link.tcp;

import io.adrastea.link.JobRank;
import io.adrastea.link.Link;
import io.adrastea.link.LinkPort;
import io.adrastea.link.LinkProvider;
import java.util.BitSet;

/** Brings links over TCP to ranks of other nodes, of which each tells in its card where it listens. */
public final class TcpLinkProvider implements LinkProvider {
  /** Makes one, for the service loader. */
  public TcpLinkProvider() {}

  @Override
  public String name() {
    return "tcp";
  }

  @Override
  public int preference() {
    return SHARED_MEMORY_PREFERENCE + 100;
  }

  @Override
  public LinkPort listen(long job, int rank) {
    return TcpPort.open();
  }

  @Override
  public boolean reaches(JobRank self, int rank) {
    return !self.words(this, self.rank()).isEmpty() && !self.words(this, rank).isEmpty();
  }

  @Override
  public Link open(JobRank self, BitSet ranks) {
    TcpCard[] cards = new TcpCard[self.size()];
    ranks.stream().forEach(rank -> cards[rank] = TcpCard.read(rank, self.words(this, rank)));
    return new TcpLink(self.job(), self.rank(), cards, (TcpPort) self.port(this), TcpSettings.inForce(self.size()));
  }
}
