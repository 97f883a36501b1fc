/** Transport for Java programs that run as several processes. */
@SuppressWarnings({"requires-automatic"}) // Agrona and JNA have names for their modules, and no more
module io.adrastea {
  requires static org.agrona;
  requires static com.sun.jna;

  exports io.adrastea;
  exports io.adrastea.agrona;
  exports io.adrastea.error;
  exports io.adrastea.launch;
  exports io.adrastea.link;
  exports io.adrastea.rma;
  exports io.adrastea.shmem;
  exports io.adrastea.topology;

  uses io.adrastea.core.CoreProvider;
  uses io.adrastea.link.LinkProvider;

  provides io.adrastea.core.CoreProvider with
      io.adrastea.core.ffm.FfmCoreProvider,
      io.adrastea.core.jni.JniCoreProvider,
      io.adrastea.core.jna.JnaCoreProvider,
      io.adrastea.core.pure.PureCoreProvider;
  provides io.adrastea.link.LinkProvider with
      io.adrastea.link.tcp.TcpLinkProvider;
}
