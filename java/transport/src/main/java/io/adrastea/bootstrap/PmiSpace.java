package io.adrastea.bootstrap;

import java.util.Optional;

/**
 * The space of keys of a conversation by PMI-1.
 *
 * @param client the conversation
 * @param name the name of the space
 */
record PmiSpace(PmiClient client, String name) implements KeySpace {
  /** Begins the conversation, and asks for the space of this job. */
  static PmiSpace open(PmiClient client) {
    client.ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
    if (!client.value("rc").equals(Optional.of("0"))) {
      throw client.refused("it does not speak version 1 of PMI");
    }
    client.ask("cmd=get_my_kvsname", "my_kvsname");
    return new PmiSpace(client, client.value("kvsname").orElseThrow(() -> client.refused("there is no kvsname")));
  }

  @Override
  public void put(String key, String value) {
    client.ask("cmd=put kvsname=%s key=%s value=%s".formatted(name, key, value), "put_result");
  }

  @Override
  public void fence() {
    client.ask("cmd=barrier_in", "barrier_out");
  }

  @Override
  public Optional<String> get(int rank, String key) {
    return get(key);
  }

  /** What was put under a key, by whatever rank; empty: nothing. */
  Optional<String> get(String key) {
    client.ask("cmd=get kvsname=%s key=%s".formatted(name, key), "get_result");
    return client.value("rc").filter("0"::equals).flatMap(code -> client.value("value"));
  }

  @Override
  public void finish() {
    client.ask("cmd=finalize", "finalize_ack");
  }

  @Override
  public void close() {
    client.close();
  }
}
