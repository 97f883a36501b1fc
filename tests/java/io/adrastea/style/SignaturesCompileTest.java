package io.adrastea.style;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.Job;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program may write: calls that are meant compile without a cast, those that are mistakes do not. */
class SignaturesCompileTest {
  private static final List<String> MEANT =
      List.of(
          "world.send(doubles, 1, 7)",
          "world.send(memory, 1, 7)",
          "world.send(memory, 0, 8, 1, 7)",
          "world.send(Data.of(new int[] {1}), 1, 7)",
          "world.send(doubles, 0, 8, 1, 7)",
          "world.recv(doubles, 0, 8, 1, 7)",
          "world.isend(doubles, 0, 8, 1, 7, mine)",
          "world.irecv(doubles, 0, 8, 1, 7, mine)",
          "world.recv(Data.of(bytes, 0, 8), 1, 7)",
          "world.recv(memory, 8, 8, 1, 7)",
          "world.recv(Data.of(memory, 0, 8), 1, 7, java.time.Duration.ZERO)",
          "world.isend(memory, 0, 8, 1, 7, mine)",
          "world.isend(doubles.part(0, 1), 1, 7, mine)",
          "world.irecv(memory, 0, 8, 1, 7)",
          "world.irecv(memory, 1, 7, mine)",
          "world.irecv(Data.of(java.nio.ByteBuffer.allocate(8)), 1, 7)",
          "world.irecv(Data.of(java.nio.IntBuffer.allocate(8)), 1, 7)",
          "world.recv(Data.of(new boolean[8], 0, 8), 1, 7)",
          "world.sendrecv(doubles, 1, 7, Data.of(memory), 1, 7)",
          "world.sendInit(doubles, 1, 7)",
          "world.recvInit(Data.of(new IoVector().add(memory).add(doubles)), 1, 7)",
          "world.burst(1).send(doubles, 7)",
          "world.claim(1, 7, 8).copyFrom(0, doubles)",
          "world.claim(1, 7, 8).copyFrom(0, memory, 0, 8)",
          "world.recvMessage(1, 7).copyTo(0, doubles)",
          "any.send(doubles, 1, 7)",
          "any.send(doubles, 0, 8, 1, 7)",
          "any.irecv(doubles, 0, 8, 1, 7)",
          "any.started(mine).allreduce(doubles, doubles, Op.SUM)",
          "any.persistent().barrier()",
          "any.ibcast(doubles, 0)",
          "world.started(mine).scan(doubles, doubles, Op.SUM)",
          "world.iscan(doubles, doubles, Op.SUM)",
          "topology.started(mine).neighborAlltoall(doubles, doubles)",
          "topology.started().bcast(doubles, 0)",
          "topology.neighborAlltoallInit(doubles, doubles)");

  private static final List<String> MISTAKES =
      List.of(
          "world.send(new double[8], 1, 7)",
          "world.send(new double[8], 0, 8, 1, 7)", // a slice is of data
          "world.recv(bytes, 0, 8, 1, 7)",
          "world.send(doubles, 8, 1, 7)", // an offset was forgotten
          "world.send(new double[8][8], 0, 8, 1, 7)",
          "world.send(bytes, 8, 1, 7)",
          "world.recv(bytes, 8, 1, 7)",
          "world.send(new boolean[8], 0, 8, 1, 7)",
          "world.send(new Object(), 0, 8, 1, 7)",
          "world.send(memory, 8, 1, 7)", // an offset was forgotten
          "world.recv(memory, 8, 1, 7)",
          "world.isend(memory, 8, 1, 7)",
          "world.irecv(memory, 8, 1, 7)",
          "world.send(\"text\", 1, 7)",
          "world.send(java.nio.ByteBuffer.allocate(8), 1, 7)",
          "world.send(new IoVector(), 1, 7)",
          "world.send(null, 1, 7)",
          "Data.of(new double[8][8])",
          "Data.of(new double[8][8], 0, 8)",
          "Data.of(new Boolean[8])",
          "Data.of(new Integer[8])",
          "Data.of((Object) bytes)",
          "Data.of(\"text\")",
          "Data.of(7)",
          "Data.of(bytes, 8)",
          "Data.of(bytes, 0, 8L)",
          "world.send(java.nio.IntBuffer.allocate(8), 1, 7)",
          "new Data()",
          "new IoVector().add(bytes)",
          "world.claim(1, 7, 8).copyFrom(0, bytes)",
          "world.recvMessage(1, 7).copyTo(0, bytes)",
          "any.scan(doubles, doubles, Op.SUM)", // intercommunicators have none
          "any.started().scan(doubles, doubles, Op.SUM)",
          "world.started().neighborAlltoall(doubles, doubles)",
          "world.persistent(mine)");

  @TempDir
  Path directory;

  /** A class with one call in it. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(int number, String call) {
      super(URI.create("string:///Program%d.java".formatted(number)), Kind.SOURCE);
      this.text =
          """
              import io.adrastea.*;
              class Program%d {
                Object run(
                    Communicator world,
                    AnyCommunicator any,
                    RankTopology topology,
                    java.lang.foreign.MemorySegment memory,
                    byte[] bytes,
                    Data doubles,
                    Request mine)
                    throws Exception {
                  %s;
                  return null;
                }
              }
              """
              .formatted(number, call);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Which of the calls the compiler refuses. */
  private List<String> refused(List<String> calls) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
    List<Source> sources =
        IntStream.range(0, calls.size()).mapToObj(number -> new Source(number, calls.get(number))).toList();
    String transport = Path.of(Job.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    List<String> options = List.of("-cp", transport, "-d", directory.toString(), "-proc:none", "-Xmaxerrs", "1000");
    compiler.getTask(null, null, said, options, null, sources).call();
    List<String> found = new ArrayList<>();
    for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
      if (one.getKind() == Diagnostic.Kind.ERROR) {
        found.add(calls.get(sources.indexOf(one.getSource())));
      }
    }
    return found.stream().distinct().toList();
  }

  @Test
  void whatIsMeantCompiles() throws Exception {
    assertEquals(List.of(), refused(MEANT));
  }

  @Test
  void mistakesDoNot() throws Exception {
    List<String> refused = refused(MISTAKES);
    assertEquals(List.of(), MISTAKES.stream().filter(call -> !refused.contains(call)).toList());
  }
}
