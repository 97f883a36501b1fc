package io.adrastea.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a tree like {@code /proc} tells of a process that may be dead, a zombie, or another of the same number. */
class ProcessIdentityTest {
  private static final long PID = 4711;
  private static final long START = 123456;

  @TempDir
  Path proc;

  @BeforeEach
  void makeDirectory() throws IOException {
    Files.createDirectory(proc.resolve("4711"));
    Files.createDirectory(proc.resolve("self"));
  }

  private void write(String name, char state, int threads, long start) throws IOException {
    String between = "1 4711 4711 0 -1 4194560 1 2 3 4 5 6 7 8 20 0";
    String text = "%d (%s) %c %s %d 0 %d 9 10%n".formatted(PID, name, state, between, threads, start);
    Files.writeString(proc.resolve("4711/stat"), text);
  }

  private boolean isAlive(long start) {
    return new ProcessIdentity(PID, start).isAlive(proc);
  }

  @ParameterizedTest
  @ValueSource(chars = {'R', 'S', 'D', 'T', 't', 'I'})
  void isAliveInEveryStateButTheLast(char state) throws IOException {
    write("java", state, 20, START);
    assertTrue(isAlive(START));
  }

  @ParameterizedTest
  @CsvSource({"Z,1", "X,1", "X,0", "Z,0"})
  void isNotAliveWhenOnlyItsRemainsAreThere(char state, int threads) throws IOException {
    write("java", state, threads, START);
    assertFalse(isAlive(START));
  }

  @Test
  void isAliveWhenItsFirstThreadHasEndedAndOthersGoOn() throws IOException {
    write("java", 'Z', 2, START);
    assertTrue(isAlive(START));
  }

  @Test
  void isNotAliveWhenItsNumberWasGivenOutAgain() throws IOException {
    write("java", 'S', 1, START + 1);
    assertFalse(isAlive(START));
    assertTrue(isAlive(0), "of an unknown start the number alone counts");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", ") Z 1", "((", ")"})
  void isAliveWhateverItsNameIs(String name) throws IOException {
    write(name, 'S', 3, START);
    assertTrue(isAlive(START));
  }

  @Test
  void isNotAliveWhenThereIsNone() throws IOException {
    Files.delete(proc.resolve("4711"));
    assertFalse(isAlive(START));
  }

  @Test
  void isAliveWhenNothingCanBeLearned() throws IOException {
    assertTrue(isAlive(START), "no file to read");
    Files.writeString(proc.resolve("4711/stat"), "nonsense");
    assertTrue(isAlive(START));
  }

  @Test
  void isAliveWhenItIsNotFoundWhereNoneIs() throws IOException {
    Files.delete(proc.resolve("4711"));
    Files.delete(proc.resolve("self"));
    assertTrue(isAlive(START), "another namespace's, or not mounted");
  }

  @Test
  void theProcThatShowsAnotherNamespaceTellsNothing() throws IOException {
    Files.delete(proc.resolve("self"));
    Files.createSymbolicLink(proc.resolve("self"), Path.of("4711"));
    assertEquals(0, ProcessIdentity.visibleNamespace(proc, 1));
    assertEquals(ProcessIdentity.namespace(), ProcessIdentity.visibleNamespace(proc, PID));
    assertNotEquals(0, ProcessIdentity.visibleNamespace());
  }

  @Test
  void withoutProcNumbersTellNothing() {
    assertEquals(0, ProcessIdentity.visibleNamespace(proc, PID));
  }

  private boolean isEnding(String... lines) throws IOException {
    Files.writeString(proc.resolve("4711/status"), String.join("\n", lines));
    return ProcessIdentity.isEnding(proc, (int) PID);
  }

  @Test
  void isEndingOnceItHasGivenItsMemoryBackOrIsKilled() throws IOException {
    String none = "0000000000000000";
    assertFalse(isEnding("State:\tS (sleeping)", "VmSize:\t  1234 kB", "SigPnd:\t" + none, "ShdPnd:\t" + none));
    assertTrue(isEnding("State:\tZ (zombie)", "SigPnd:\t" + none, "ShdPnd:\t" + none));
    assertTrue(isEnding("VmSize:\t  1234 kB", "SigPnd:\t0000000000000100", "ShdPnd:\t" + none));
    assertTrue(isEnding("VmSize:\t  1234 kB", "SigPnd:\t" + none, "ShdPnd:\t8000000000000100"));
    assertFalse(isEnding("VmSize:\t  1234 kB", "SigPnd:\t8000000000004000", "ShdPnd:\t" + none), "another signal");
  }

  @Test
  void isNotEndingWhenNothingCanBeLearned() throws IOException {
    assertFalse(ProcessIdentity.isEnding(proc, (int) PID), "no file to read");
    assertFalse(isEnding("VmSize:", "SigPnd:\tnonsense"));
    Files.delete(proc.resolve("4711/status"));
    Files.delete(proc.resolve("4711"));
    assertTrue(ProcessIdentity.isEnding(proc, (int) PID), "it has ended in this moment");
    Files.delete(proc.resolve("self"));
    assertFalse(ProcessIdentity.isEnding(proc, (int) PID), "another namespace's, or not mounted");
  }

  @Test
  void thisProcessIsNotEnding() {
    assertFalse(ProcessIdentity.isEnding((int) ProcessIdentity.self().pid()));
  }
}
