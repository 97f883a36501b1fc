package io.adrastea.engine.collective;

/** What members agree on, and by which call. */
enum AgreementStep {
  FLAGS("agree()"), PROPOSED("shrink()"), CONFIRMED("shrink()");

  final String call;

  AgreementStep(String call) {
    this.call = call;
  }
}
