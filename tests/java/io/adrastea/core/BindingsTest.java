package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The functions of the public headers against all that lists them again: the export map, both halves of the binding
 * through JNI, that through JNA and that through FFM. A list must not lack a function, nor have one too many, nor give
 * one other arguments: a wrong width would pass garbage.
 *
 * <p>
 * A signature is a word of one letter for each argument, with the result behind a colon: {@code i} has 32 bits,
 * {@code l} has 64 bits or is an address, also of a function, {@code v} is nothing.
 */
class BindingsTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final Path HEADERS = ROOT.resolve("include/adrastea");

  private static final Pattern DECLARATION = Pattern.compile("ADR_API ([\\w* ]+?)(\\w+)\\(([^)]*)\\);");
  private static final Pattern NATIVE =
      Pattern.compile("NATIVE\\(\\w+, (\\w+), (\\w+)\\)\\s*\\(JVM([^)]*)\\) \\{\\s*(?:return )?[^;]*?\\b(adr_\\w+)\\(");
  private static final Pattern HANDLE =
      Pattern.compile(
          "static final (?:MethodHandle|LateFunction) (\\w+)\\s*=\\s*"
              + "(?:Native\\.)?(?:bind|critical|late)\\(\\s*\"(adr_\\w+)\"");

  private static final Class<?> LATE_FUNCTION = lateFunction();

  /** Functions that a core calls beside those of its four headers. */
  private static final Set<String> MORE =
      Set.of("adr_layout_checksum", "adr_affinity_bind", "adr_accumulate", "adr_descriptor_read",
          "adr_descriptor_write", "adr_datatype_pack", "adr_datatype_unpack", "adr_datatype_copy");

  /** A core opens a channel on bytes that it has mapped, and on no others. */
  private static final String NOT_BOUND = "adr_channel_open";

  private static Class<?> lateFunction() {
    try {
      return Class.forName("io.adrastea.core.ffm.LateFunction");
    } catch (ClassNotFoundException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static char letter(String type) {
    String plain = type.replace("const", "").strip();
    return switch (plain) {
      case "void" -> 'v';
      case "int32_t", "uint32_t", "unsigned", "jint", "int" -> 'i';
      case "int64_t", "uint64_t", "size_t", "jlong", "long", "adr_shmem_met", "adr_shmem_what" -> 'l';
      default -> {
        assertTrue(plain.endsWith("*"), type);
        yield 'l';
      }
    };
  }

  private static char letter(Class<?> type) {
    return type == MemorySegment.class ? 'l' : letter(type.getName());
  }

  private static String signature(char result, Stream<Character> arguments) {
    return arguments.map(String::valueOf).collect(Collectors.joining()) + ":" + result;
  }

  /** The arguments of a declaration in C, of which each may have a name. */
  private static Stream<Character> arguments(String declared) {
    return Pattern.compile(",")
        .splitAsStream(declared.replaceAll("\\s+", " "))
        .map(String::strip)
        .filter(argument -> !argument.isEmpty() && !argument.equals("void"))
        .map(argument -> letter(argument.contains("*") ? "void *" : argument.replaceAll(" \\w+$", "")));
  }

  /** The functions that the text of a header declares. */
  private static Map<String, String> declared(String header) {
    Map<String, String> functions = new TreeMap<>();
    String text = header.replaceAll("(?s)/\\*.*?\\*/", "");
    for (Matcher found = DECLARATION.matcher(text); found.find();) {
      char result = letter(found.group(1).strip());
      functions.put(found.group(2), signature(result, arguments(found.group(3))));
    }
    return functions;
  }

  private static Map<String, String> declaredIn(String... headers) throws IOException {
    Map<String, String> functions = new TreeMap<>();
    for (String header : headers) {
      functions.putAll(declared(Files.readString(HEADERS.resolve(header))));
    }
    return functions;
  }

  /** What every binding has to bind. */
  private static Map<String, String> wanted() throws IOException {
    Map<String, String> functions = declaredIn("channel.h", "coll.h", "copy.h", "ring.h", "space.h");
    assertTrue(functions.size() > 40, functions::toString);
    assertTrue(functions.keySet().remove(NOT_BOUND));
    Map<String, String> others = declaredIn("accumulate.h", "version.h", "affinity.h", "datatype.h", "descriptor.h");
    MORE.forEach(name -> functions.put(name, Objects.requireNonNull(others.get(name), name)));
    return functions;
  }

  /** What a binding has to bind that passes numbers only: what it takes it copies out of the segment itself. */
  private static Map<String, String> wantedOfNumbers() throws IOException {
    Map<String, String> functions = wanted();
    assertEquals("llll:i", functions.remove("adr_channel_take"));
    return functions;
  }

  /** How two lists differ, in words; empty when they do not. */
  private static Set<String> faults(Map<String, String> wanted, Map<String, String> found) {
    Set<String> faults = new TreeSet<>();
    wanted.forEach((name, signature) -> {
      String other = found.get(name);
      if (other == null) {
        faults.add(name + " is missing");
      } else if (!other.equals(signature)) {
        faults.add("%s is %s, not %s".formatted(name, other, signature));
      }
    });
    found.keySet().stream().filter(name -> !wanted.containsKey(name))
        .forEach(name -> faults.add(name + " is too many"));
    return faults;
  }

  /** {@code adr_channel_try_send} for {@code trySend} of a class of the channel's functions. */
  private static String symbol(String prefix, String method) {
    String name = method.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    return switch (name) {
      case "layout_checksum" -> "adr_layout_checksum";
      case "affinity_bind" -> "adr_affinity_bind";
      case "descriptor_read", "descriptor_write" -> "adr_" + name;
      default -> name.startsWith("adr_") ? name : prefix + name;
    };
  }

  private static Stream<Method> natives(String name) throws ClassNotFoundException {
    Class<?> type = Class.forName("io.adrastea.core." + name, false, BindingsTest.class.getClassLoader());
    return Stream.of(type.getDeclaredMethods()).filter(method -> Modifier.isNative(method.getModifiers()));
  }

  /** The native methods of a binding's classes. */
  private static Map<String, String> methods(String core, String spaces, String member) throws ClassNotFoundException {
    Map<String, String> functions = new TreeMap<>();
    for (String name : new String[] {core, spaces, member}) {
      String prefix = name.equals(core) ? "adr_channel_" : name.equals(member) ? "adr_coll_" : "adr_";
      natives(name).forEach(method -> functions.put(symbol(prefix, method.getName()),
          signature(letter(method.getReturnType()), Stream.of(method.getParameterTypes()).map(BindingsTest::letter))));
    }
    return functions;
  }

  /** The functions that the C half of the binding through JNI defines, by the function that each hands on to. */
  private static Map<String, String> definitions() throws IOException {
    Map<String, String> functions = new TreeMap<>();
    for (Matcher found = NATIVE.matcher(Files.readString(made("adr_jni.c"))); found.find();) {
      String function = found.group(4);
      String prefix = Stream.of("adr_channel_", "adr_coll_").filter(function::startsWith).findFirst().orElse("adr_");
      assertEquals(function, symbol(prefix, found.group(2)), "it hands on to another function");
      functions.put(function, signature(letter(found.group(1)), arguments(found.group(3))));
    }
    return functions;
  }

  /** A file that the build by CMake has made of the headers, for the machine that it runs on. */
  private static Path made(String name) throws IOException {
    Path made = Path.of("made", name);
    try (Stream<Path> files = Files.find(ROOT.resolve("native/target/nar"), 6, (file, is) -> file.endsWith(made))) {
      return files.min(Comparator.comparing(Path::getNameCount)).orElseThrow();
    }
  }

  private static Map<String, String> handles() throws ReflectiveOperationException, IOException {
    Map<String, String> functions = new TreeMap<>();
    for (String name : List.of("Native", "NativeInPlace", "NativeCollectives", "NativeCopies")) {
      handles(name, functions);
    }
    return functions;
  }

  private static void handles(String name, Map<String, String> functions)
      throws ReflectiveOperationException, IOException {
    Class<?> type = Class.forName("io.adrastea.core.ffm." + name);
    Path source = ROOT.resolve("java/transport/src/main/java/io/adrastea/core/ffm/" + name + ".java");
    int bound = 0;
    for (Matcher found = HANDLE.matcher(Files.readString(source)); found.find(); bound++) {
      Field field = type.getDeclaredField(found.group(1));
      field.setAccessible(true);
      MethodType call = handle(field.get(null)).type();
      String signature =
          signature(letter(call.returnType()), call.parameterList().stream().map(BindingsTest::letter));
      String before = functions.put(found.group(2), signature);
      assertTrue(before == null || before.equals(signature), found.group(1)); // an ordinary and a critical call
    }
    assertEquals(
        Stream.of(type.getDeclaredFields())
            .filter(f -> f.getType() == MethodHandle.class || f.getType() == LATE_FUNCTION)
            .count(),
        bound);
  }

  /** The handle of a field, which a function that is linked late makes now. */
  private static MethodHandle handle(Object field) throws ReflectiveOperationException {
    if (field instanceof MethodHandle handle) {
      return handle;
    }
    Method linked = LATE_FUNCTION.getDeclaredMethod("handle");
    linked.setAccessible(true);
    return (MethodHandle) linked.invoke(field);
  }

  private static Set<String> exported() throws IOException {
    Matcher found = Pattern.compile("(?m)^ *(\\w+);$").matcher(Files.readString(made("adrastea.map")));
    return found.results().map(result -> result.group(1)).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theLibraryExportsWhatTheHeadersDeclareAndTheMethodsOfJni() throws Exception {
    Set<String> wanted = new TreeSet<>();
    try (Stream<Path> headers = Files.list(HEADERS)) {
      for (Path header : headers.toList()) {
        wanted.addAll(declared(Files.readString(header)).keySet());
      }
    }
    for (String name : new String[] {"JniCore", "JniSpaces", "JniSlotMember"}) {
      natives("jni." + name)
          .forEach(method -> wanted.add("Java_io_adrastea_core_jni_%s_%s".formatted(name, method.getName())));
    }
    assertEquals(wanted, exported());
  }

  @Test
  void jniBindsAllFunctions() throws Exception {
    assertEquals(Set.of(), faults(wantedOfNumbers(), methods("jni.JniCore", "jni.JniSpaces", "jni.JniSlotMember")));
    assertEquals(Set.of(), faults(wantedOfNumbers(), definitions()));
  }

  @Test
  void jnaBindsAllFunctions() throws Exception {
    assertEquals(Set.of(), faults(wantedOfNumbers(), methods("jna.JnaCore", "jna.JnaSpaces", "jna.JnaSlotMember")));
  }

  @Test
  void ffmBindsAllFunctions() throws Exception {
    assertEquals(Set.of(), faults(wanted(), handles()));
  }

  @Test
  void aDeclarationIsReadWithItsWidths() {
    String header = "/* ADR_API int32_t adr_gone(void); */\nADR_API int64_t adr_a(adr_channel *channel, int32_t b,\n"
        + "    const void *c, int64_t d);\nADR_API void adr_none(void);\nADR_API const char *adr_text(unsigned "
        + "number);\n";
    assertEquals(Map.of("adr_a", "lill:l", "adr_none", ":v", "adr_text", "i:l"), declared(header));
  }

  @Test
  void aFunctionThatIsMissingOrTooManyOrOfAnotherWidthIsFound() throws Exception {
    Map<String, String> found = methods("jni.JniCore", "jni.JniSpaces", "jni.JniSlotMember");
    found.put("adr_channel_poll", "lll:i");
    found.remove("adr_channel_claim");
    found.put("adr_channel_more", ":v");
    assertEquals(
        Set.of("adr_channel_poll is lll:i, not lil:i", "adr_channel_claim is missing", "adr_channel_more is too many"),
        faults(wantedOfNumbers(), found));
    assertFalse(exported().contains("adr_channel_more"));
  }
}
