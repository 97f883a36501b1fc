package io.adrastea.core.jni;

import io.adrastea.core.Core;
import io.adrastea.core.LoadedCoreProvider;
import io.adrastea.core.Spaces;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The C core through JNI. */
public final class JniCoreProvider extends LoadedCoreProvider {
  @Override
  public String name() {
    return "jni";
  }

  @Override
  public int number() {
    return 3;
  }

  @Override
  public int preference() {
    return 20;
  }

  @Override
  protected void load() throws ClassNotFoundException {
    Class.forName(JniCore.class.getName());
  }

  @Override
  public List<String> lacks() {
    return List.of(
        "handing over arrays without a copy (ffm does)",
        "calls without a memory fence (the JVM's -XX:+UseSystemMemoryBarrier takes it away)");
  }

  @Override
  public Core open(Segment segment, int rank) {
    return new JniCore(segment, rank);
  }

  @Override
  public Spaces spaces() {
    return JniSpaces.INSTANCE;
  }

  @Override
  public boolean prepareToWake() {
    return JniCore.prepareToWake() == 0;
  }

  @Override
  public int readDescriptor(int descriptor, MemorySegment bytes, int millis) {
    return JniCore.descriptorRead(descriptor, bytes.address(), (int) bytes.byteSize(), millis);
  }

  @Override
  public int writeDescriptor(int descriptor, MemorySegment bytes, int millis) {
    return JniCore.descriptorWrite(descriptor, bytes.address(), (int) bytes.byteSize(), millis);
  }

  @Override
  public int bindThread(int cpu) {
    return JniCore.affinityBind(cpu);
  }
}
