package io.adrastea.bench.datatypes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.datatypes.Case.Group;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("loops")
class CasesTest {
  private static final int SEED = 7;

  /** The messages' bytes, worked out from the sizes in the shapes' names. */
  @Test
  void everyShapeHasTheSizesThatItIsKnownBy() {
    Map<String, Integer> counts = Cases.shapes().stream()
        .collect(Collectors.groupingBy(Case::shape, Collectors.summingInt(one -> 1)));
    assertEquals(
        Map.ofEntries(
            Map.entry("WRF_y_vec", 5), Map.entry("WRF_y_sa", 5), Map.entry("WRF_x_vec", 3), Map.entry("WRF_x_sa", 3),
            Map.entry("MILC_su3_zdown", 4), Map.entry("NAS_LU_x", 7), Map.entry("NAS_LU_y", 7),
            Map.entry("NAS_MG_x", 4), Map.entry("NAS_MG_y", 4), Map.entry("NAS_MG_z", 4), Map.entry("LAMMPS_full", 3),
            Map.entry("LAMMPS_atomic", 3), Map.entry("SPECFEM3D_oc", 4), Map.entry("SPECFEM3D_cm", 4),
            Map.entry("SPECFEM3D_mt", 4), Map.entry("FFT2D", 5)),
        counts);
    assertEquals(4 * (4 * 23 * 3 + 5 * 23 * 3 * 65), bytes("WRF_y_vec/2x2"));
    assertEquals(4 * (4 * 3 * 16 + 5 * 3 * 16 * 65), bytes("WRF_x_sa/8x8"));
    assertEquals(2 * 16 * 128 * 24, bytes("MILC_su3_zdown/16x16x16x16"));
    assertEquals(1020 * 5 * 8, bytes("NAS_LU_y/1020"));
    assertEquals(12 * 5 * 8, bytes("NAS_LU_x/12"));
    assertEquals(256 * 256 * 8, bytes("NAS_MG_x/514x258x258"));
    assertEquals(512 * 256 * 8, bytes("NAS_MG_y/514x258x258"));
    assertEquals(512 * 256 * 8, bytes("NAS_MG_z/514x258x258"));
    assertEquals(3062 * 8 * 8, bytes("LAMMPS_full/3062"));
    assertEquals(114 * 6 * 8, bytes("LAMMPS_atomic/114"));
    assertEquals(3225 * 4, bytes("SPECFEM3D_oc/3225"));
    assertEquals((11797 + 3009) * 12, bytes("SPECFEM3D_cm/11797+3009"));
    assertEquals(7600 * 12, bytes("SPECFEM3D_mt/7600"));
    assertEquals(768 * 768 * 16, bytes("FFT2D/1536"));
  }

  private static int bytes(String name) {
    return Cases.shapes().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow().bytes();
  }

  @Test
  void bothEndsHaveTheSameBytesAndTheNumberOfACaseIsItsPlace() {
    List<Case> shapes = Cases.shapes();
    for (int number = 0; number < shapes.size(); number++) {
      Case one = shapes.get(number);
      assertEquals(one.send().bytes(), one.receive().bytes(), one.name());
      assertEquals(one, Cases.of(Group.SHAPES, number));
    }
    assertEquals(shapes.size(), shapes.stream().map(Case::name).distinct().count());
  }

  /** A loop and a datatype are two accounts of one shape. */
  @Test
  void theLoopsMoveWhatTheDatatypesMove() {
    Stream<Case> strided = IntStream.of(8, 16, 32, 64, 128, 4096).mapToObj(Cases::noncontig);
    Stream.concat(strided, Cases.shapes().stream()).forEach(one -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment from = arena.allocate(one.memoryBytes(), 64);
        MemorySegment to = arena.allocate(one.memoryBytes(), 64);
        MemorySegment packed = arena.allocate(one.bytes(), 64);
        Words words = Words.of(one, from, packed);
        words.fill(from, SEED);
        one.send().hand().pack(from, packed);
        one.receive().hand().unpack(packed, to);
        assertTrue(words.holds(to, SEED), one.name());
      }
    });
  }

  @Test
  void wordsThatAreTouchedAreTheFirstInTheirLineAtEitherEnd() {
    Words words = Words.of(new int[] {0, 1, 16, 17, 40}, new int[] {5, 32, 6, 7, 8});
    assertEquals(List.of(0, 1, 16, 40), Arrays.stream(words.touchedSent()).boxed().toList());
    assertEquals(List.of(5, 32, 6, 8), Arrays.stream(words.touchedReceived()).boxed().toList());
  }

  @Test
  void aMessageThatWasNotReadAsItWasWrittenIsFound() {
    Words words = Words.contiguous(256);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(256, 64);
      words.write(memory, 3);
      assertTrue(words.read(memory, 3));
      assertFalse(words.read(memory, 4));
      words.fill(memory, SEED);
      assertTrue(words.holds(memory, SEED));
      assertFalse(words.holds(memory, SEED + 1));
    }
  }

  @Test
  void blocksThatDoNotMakeUpTheMessageAreRefused() {
    for (int block : new int[] {0, 4, 12, 24, 512 << 10}) {
      String said = assertThrows(IllegalArgumentException.class, () -> Cases.noncontig(block)).getMessage();
      assertTrue(said.contains("blocks of " + block + " bytes") && said.contains("powers of two"), said);
    }
  }

  @Test
  void shapesAreChosenByWhatTheyBeginWith() {
    assertEquals(14, Cases.shapes(List.of("nas_lu")).size());
    assertEquals(4, Cases.shapes(List.of("NAS_MG_x")).size());
    assertEquals(1, Cases.shapes(List.of("NAS_LU_y/64")).size());
    assertEquals(0, Cases.shapes(List.of()).size());
    String said = assertThrows(IllegalArgumentException.class, () -> Cases.shapes(List.of("WRF", "cube"))).getMessage();
    assertTrue(said.contains("no shape 'cube'") && said.contains("FFT2D"), said);
  }
}
