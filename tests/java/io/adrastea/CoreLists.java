package io.adrastea;

import static java.lang.annotation.ElementType.ANNOTATION_TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The lists of cores that a test class runs with. All classes run with the first lists. Of the others each class runs
 * with a third, rounded up, which its name draws, so that each list has its classes; {@code adrastea.test.lists=all}
 * has each class run with all, and {@code adrastea.test.lists=java;ffm,java} with these.
 */
@Retention(RUNTIME)
@Target(ANNOTATION_TYPE)
@ArgumentsSource(CoreLists.Drawn.class)
public @interface CoreLists {
  /** Lists that all classes run with. */
  String[] value();

  /** Lists that some classes run with. */
  String[] others();

  /** What a class runs with. */
  final class Drawn implements ArgumentsProvider, AnnotationConsumer<CoreLists> {
    private CoreLists lists;

    @Override
    public void accept(CoreLists lists) {
      this.lists = lists;
    }

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
      List<String> first = List.of(lists.value());
      List<String> others = List.of(lists.others());
      String wanted = System.getProperty("adrastea.test.lists", "");
      Stream<String> chosen = switch (wanted) {
        case "" -> Stream.concat(first.stream(), draw(context.getRequiredTestClass().getSimpleName(), others).stream());
        case "all" -> Stream.concat(first.stream(), others.stream());
        default -> Stream.of(wanted.split(";"));
      };
      return chosen.map(Arguments::of);
    }

    /** A third of the lists, spread over them, and always the same for a name. */
    static List<String> draw(String name, List<String> lists) {
      int count = (lists.size() + 2) / 3;
      int first = Math.floorMod(name.hashCode(), lists.size());
      return IntStream.range(0, count).mapToObj(index -> (first + index * lists.size() / count) % lists.size())
          .map(lists::get).toList();
    }
  }
}
