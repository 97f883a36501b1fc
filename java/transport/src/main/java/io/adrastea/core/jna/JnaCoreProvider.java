package io.adrastea.core.jna;

import io.adrastea.core.Core;
import io.adrastea.core.LoadedCoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The C core through JNA. Names nothing of JNA itself, so that it loads without the jar. */
public final class JnaCoreProvider extends LoadedCoreProvider {
  private static final String NEEDED = "com.sun.jna.Native";

  @Override
  public String name() {
    return "jna";
  }

  @Override
  public int number() {
    return 4;
  }

  /** Behind {@code java}, so that only a program that asks for it gets it: it is there to be compared. */
  @Override
  public int preference() {
    return 110;
  }

  @Override
  protected void load() throws ClassNotFoundException {
    try {
      Class.forName(NEEDED, false, JnaCoreProvider.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new ClassNotFoundException(
          "JNA is not there; add jna-5.19.1.jar (net.java.dev.jna:jna) to the class path, or to the module path with"
              + " --add-modules com.sun.jna",
          e);
    }
    Class.forName("io.adrastea.core.jna.JnaCore");
  }

  @Override
  public List<String> lacks() {
    return List.of("handing over arrays without a copy (ffm does)", "cheap calls (each passes libffi twice)");
  }

  @Override
  public Core open(Segment segment, int rank) {
    return new JnaCore(segment, rank);
  }

  @Override
  public Spaces spaces() {
    return JnaSpaces.INSTANCE;
  }

  @Override
  public boolean prepareToWake() {
    return JnaCore.prepareToWake() == 0;
  }

  @Override
  public int readDescriptor(int descriptor, MemorySegment bytes, int millis) {
    return JnaCore.descriptorRead(descriptor, bytes.address(), (int) bytes.byteSize(), millis);
  }

  @Override
  public int writeDescriptor(int descriptor, MemorySegment bytes, int millis) {
    return JnaCore.descriptorWrite(descriptor, bytes.address(), (int) bytes.byteSize(), millis);
  }

  @Override
  public int bindThread(int cpu) {
    return JnaCore.affinityBind(cpu);
  }
}
