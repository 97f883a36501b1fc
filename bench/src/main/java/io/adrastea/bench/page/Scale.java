package io.adrastea.bench.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** From values to places on an axis, and the ticks that label it. */
final class Scale {
  private static final int MAX_TICKS = 12;
  private static final int MIN_GAP = 26;
  private static final int FEW_DECADES = 3;
  private static final String[] BINARY = {"", "K", "M", "G", "T"};
  private static final String[] DECIMAL = {"", "k", "M", "G", "T"};

  private final int base;
  private final List<Double> values;
  private final double from;
  private final double to;
  private final double begin;
  private final double end;

  /** A labelled place. */
  record Tick(double value, String label) {}

  /**
   * @param values what must have room, none where an axis has no place for it
   * @param begin the place of the least value
   * @param end the place of the largest
   */
  Scale(int base, List<Double> values, double begin, double end) {
    this.base = base;
    this.values = values.stream().distinct().sorted().toList();
    this.begin = begin;
    this.end = end;
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    switch (base) {
      case 0 -> {
        from = 0;
        to = most > 0 ? ceiling(most) : 1;
      }
      case 2 -> {
        from = least == most ? least / 2 : least;
        to = least == most ? most * 2 : most;
      }
      default -> {
        from = floor(least);
        to = Math.max(ceiling(most), ceiling(from * 1.01));
      }
    }
  }

  /** Whether a value can be placed: a log axis has no 0. */
  static boolean fits(int base, double value) {
    return Double.isFinite(value) && (base == 0 ? value >= 0 : value > 0);
  }

  /** The next of 1, 2, 5, 10, ... not above a value. */
  private static double floor(double value) {
    double decade = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
    double digit = value / decade;
    return decade * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
  }

  private static double ceiling(double value) {
    double below = floor(value);
    return below >= value * (1 - 1e-9) ? below : next(below);
  }

  private static double next(double step) {
    double decade = Math.pow(10, Math.floor(Math.log10(step) + 1e-9));
    return Math.round(step / decade) == 2 ? decade * 5 : step * 2;
  }

  double at(double value) {
    double part =
        base == 0 ? (value - from) / (to - from) : Math.log(value / from) / Math.log(to / from);
    return begin + part * (end - begin);
  }

  List<Tick> ticks() {
    return switch (base) {
      case 0 -> linearTicks();
      case 2 -> binaryTicks();
      default -> decimalTicks();
    };
  }

  private List<Tick> linearTicks() {
    List<Tick> ticks = new ArrayList<>();
    double step = ceiling(to / 6);
    for (int i = 0; i * step <= to * (1 + 1e-9); i++) {
      ticks.add(new Tick(i * step, label(i * step, 1000, DECIMAL)));
    }
    return ticks;
  }

  /** The values themselves when they are few, else powers of 2. */
  private List<Tick> binaryTicks() {
    List<Tick> ticks = new ArrayList<>();
    if (values.size() <= MAX_TICKS) {
      for (double value : values) {
        if (ticks.isEmpty() || at(value) - at(ticks.getLast().value()) >= MIN_GAP) {
          ticks.add(new Tick(value, label(value, 1024, BINARY)));
        }
      }
      return ticks;
    }
    int first = (int) Math.ceil(Math.log(from) / Math.log(2) - 1e-9);
    int last = (int) Math.floor(Math.log(to) / Math.log(2) + 1e-9);
    int step = 1 + (last - first) / MAX_TICKS;
    for (int power = first; power <= last; power += step) {
      ticks.add(new Tick(Math.pow(2, power), label(Math.pow(2, power), 1024, BINARY)));
    }
    return ticks;
  }

  private List<Tick> decimalTicks() {
    boolean fine = Math.log10(to / from) <= FEW_DECADES;
    List<Tick> ticks = new ArrayList<>();
    for (double tick = from; tick <= to * (1 + 1e-9); tick = next(tick)) {
      boolean decade = Math.abs(Math.log10(tick) - Math.rint(Math.log10(tick))) < 1e-9;
      if (fine || decade) {
        ticks.add(new Tick(tick, label(tick, 1000, DECIMAL)));
      }
    }
    return ticks;
  }

  /** Sizes that are no multiples of 1024 keep all their digits. */
  private static boolean isShort(double value, int thousand) {
    return thousand == 1000 || value % thousand == 0;
  }

  /** Writes a value as in 0.5, 64, 4K. */
  static String label(double value, int thousand, String[] units) {
    int unit = 0;
    while (value >= thousand && unit < units.length - 1 && isShort(value, thousand)) {
      value /= thousand;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.3f", value);
    return number.replaceAll("\\.?0+$", "") + units[unit];
  }
}
