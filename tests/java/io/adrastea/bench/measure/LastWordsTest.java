package io.adrastea.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What is left of a failure's message on one line. */
class LastWordsTest {
  @Test
  void aMessageWithoutLastWordsStaysWhatItIs() {
    assertEquals("mpich is left out: no answer", LastWords.inLine("mpich is left out: no answer"));
    assertEquals("one two", LastWords.inLine("one\n    two"));
  }

  @Test
  void theTraceOfAStackAndTheLaunchersWordsAreLeftOut() {
    String trace = """
        openmpi is left out: mpirun.openmpi was killed by signal 11 (SIGSEGV); its last words:
            [vm:1] [ 8] /tmp/adr_mpi_rma(+0x2c49)[0x55da]
            [vm:1] *** End of error message ***
            --------------------------------------------------------------------------
            Primary job  terminated normally, but 1 process returned
            a non-zero exit code. Per user-direction, the job has been aborted.
            mpirun.openmpi noticed that process rank 1 exited on signal 11 (Segmentation fault).""";
    assertEquals("openmpi is left out: mpirun.openmpi was killed by signal 11 (SIGSEGV)", LastWords.inLine(trace));
  }

  @Test
  void theFramesOfAJvmAreLeftOut() {
    assertEquals("java/cma is left out: rank 1 exited with code 1", LastWords.inLine(
        "java/cma is left out: rank 1 exited with code 1; its last words:\n    at io.adrastea.A.b(A.java:53)"));
  }

  @Test
  void whatTheProgramItselfSaidStays() {
    String said = """
        mpich is left out: mpirun.mpich exited with 1; its last words:
            put of 8 bytes: the window does not hold what was put last
            application called MPI_Abort(MPI_COMM_WORLD, 1) - process 1""";
    assertEquals("mpich is left out: mpirun.mpich exited with 1: put of 8 bytes: the window does not hold what was put"
        + " last", LastWords.inLine(said));
  }
}
