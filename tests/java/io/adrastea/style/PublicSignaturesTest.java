package io.adrastea.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users see names nothing that they cannot see: no page of Javadoc shows a class of the inside. */
class PublicSignaturesTest {
  private static final Set<String> EXPORTED =
      Set.of("io.adrastea", "io.adrastea.agrona", "io.adrastea.error", "io.adrastea.launch", "io.adrastea.link",
          "io.adrastea.topology");

  private final Set<String> leaks = new TreeSet<>();

  @Test
  void nameOnlyWhatIsPublicAndExported() throws Exception {
    List<Class<?>> shown = shown();
    assertTrue(shown.contains(Job.class) && shown.contains(Job.Builder.class), "the classes were found: " + shown);
    shown.forEach(this::look);
    assertEquals(Set.of(), leaks);
  }

  @Test
  void aClassOfTheInsideIsFound() {
    look(Leaking.class);
    assertEquals(4, leaks.size(), leaks::toString);
  }

  static class Hidden {}

  /** Leaks as superclass, field, parameter and result. */
  public static class Leaking extends Hidden {
    public Hidden field;

    public void parameter(Hidden[] hidden) {}

    protected Hidden result() {
      return null;
    }
  }

  private void look(Class<?> type) {
    check(type, "its superclass", type.getSuperclass());
    Arrays.stream(type.getInterfaces()).forEach(one -> check(type, "an interface", one));
    for (Field field : type.getDeclaredFields()) {
      if (isShown(field)) {
        check(type, field.getName(), field.getType());
      }
    }
    Stream.<Executable>concat(
        Arrays.<Constructor<?>>stream(type.getDeclaredConstructors()), Arrays.<Method>stream(type.getDeclaredMethods()))
        .filter(PublicSignaturesTest::isShown)
        .forEach(executable -> look(type, executable));
  }

  private void look(Class<?> type, Executable executable) {
    List<Class<?>> named = new ArrayList<>(List.of(executable.getParameterTypes()));
    named.addAll(List.of(executable.getExceptionTypes()));
    if (executable instanceof Method method) {
      named.add(method.getReturnType());
    }
    named.forEach(one -> check(type, executable.getName(), one));
  }

  private static boolean isShown(Member member) {
    return !member.isSynthetic() && (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  private void check(Class<?> where, String what, Class<?> named) {
    Class<?> type = named;
    while (type != null && type.isArray()) {
      type = type.getComponentType();
    }
    if (type != null && type.getPackageName().startsWith("io.adrastea") && !isVisible(type)) {
      leaks.add("%s: %s names %s".formatted(where.getName(), what, type.getName()));
    }
  }

  private static boolean isVisible(Class<?> type) {
    boolean outer = type.getEnclosingClass() == null || isVisible(type.getEnclosingClass());
    return outer && Modifier.isPublic(type.getModifiers()) && EXPORTED.contains(type.getPackageName());
  }

  private static List<Class<?>> shown() throws Exception {
    URI place = Job.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    if (Files.isDirectory(Path.of(place))) {
      return classes(Path.of(place));
    }
    try (FileSystem jar = FileSystems.newFileSystem(Path.of(place), Map.of())) {
      return classes(jar.getPath("/"));
    }
  }

  private static List<Class<?>> classes(Path root) throws IOException, ClassNotFoundException {
    List<Class<?>> found = new ArrayList<>();
    for (String exported : EXPORTED) {
      try (Stream<Path> files = Files.list(root.resolve(exported.replace('.', '/')))) {
        for (String name : files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".class"))
            .toList()) {
          if (!name.equals("package-info.class")) {
            Class<?> type =
                Class.forName(exported + "." + name.replace(".class", ""), false, Job.class.getClassLoader());
            if (!type.isAnonymousClass() && !type.isLocalClass() && isVisible(type)) {
              found.add(type);
            }
          }
        }
      }
    }
    return found;
  }
}
