/** Transport for Java programs that run as several processes. */
module io.adrastea {
  exports io.adrastea;
  exports io.adrastea.error;
  exports io.adrastea.launch;

  uses io.adrastea.core.CoreProvider;

  provides io.adrastea.core.CoreProvider with
      io.adrastea.core.ffm.FfmCoreProvider,
      io.adrastea.core.pure.PureCoreProvider;
}
