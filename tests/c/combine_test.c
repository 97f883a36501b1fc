/* combine_test GOLDEN: operators on elements, as tests/coll/combine.golden has them: one element and many, at any
 * alignment, with the target apart and in place; what has no meaning is refused. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "coll/adr_combine.h"

enum { LINE = 1 << 14, MOST = 1 << 13, TIMES = 7, BACKGROUND = 0xa5 };

struct sample {
  int32_t op;
  int32_t element;
  int64_t bytes;
  uint8_t left[MOST];
  uint8_t right[MOST];
  uint8_t result[MOST];
};

static const char *golden;

/* Names in the file have no blanks. */
static bool is_named(const char *name, const char *word) {
  while (*name != '\0' && (*name == *word || (*name == ' ' && *word == '_'))) {
    name++;
    word++;
  }
  return *name == '\0' && *word == '\0';
}

static int32_t element_named(const char *word) {
  for (int32_t element = 0; element < ADR_ELEMENTS; element++) {
    if (is_named(adr_element_name(element), word)) { return element; }
  }
  return -1;
}

static int32_t operator_named(const char *word) {
  for (int32_t op = 1; op < ADR_OPERATORS; op++) {
    if (is_named(adr_operator_name(op), word)) { return op; }
  }
  return -1;
}

static int64_t read_bytes(const char *word, uint8_t *bytes) {
  int64_t count = 0;
  unsigned byte;
  for (; sscanf(word + 2 * count, "%2x", &byte) == 1; count++) { bytes[count] = (uint8_t)byte; }
  return count;
}

static void with_each(void (*test)(const struct sample *sample)) {
  static struct sample sample;
  static char line[4 * LINE], words[5][LINE];
  int samples = 0;
  FILE *file = fopen(golden, "r");
  CHECK(file != NULL);
  while (fgets(line, sizeof line, file) != NULL) {
    const int found =
        sscanf(line, "%16383s %16383s %16383s %16383s %16383s", words[0], words[1], words[2], words[3], words[4]);
    if (line[0] == '#' || found != 5) { continue; }
    sample.op = operator_named(words[0]);
    sample.element = element_named(words[1]);
    CHECK(sample.op > 0 && sample.element >= 0);
    sample.bytes = read_bytes(words[2], sample.left);
    CHECK_EQUAL(sample.bytes, read_bytes(words[3], sample.right));
    CHECK_EQUAL(sample.bytes, read_bytes(words[4], sample.result));
    test(&sample);
    samples++;
  }
  fclose(file);
  CHECK(samples > 140);
}

static void should_have_the_numbers_of_the_list(void) {
  char line[4 * LINE], name[64];
  int32_t number, kinds = 0, operators = 0;
  int64_t bytes;
  FILE *file = fopen(golden, "r");
  CHECK(file != NULL);
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "kind %" SCNd32 " %63s %" SCNd64, &number, name, &bytes) == 3) {
      CHECK_EQUAL(number, element_named(name));
      CHECK(bytes == adr_element_bytes(number) || number == ADR_LONG_DOUBLE);
      kinds++;
    } else if (sscanf(line, "operator %" SCNd32 " %63s", &number, name) == 2) {
      CHECK_EQUAL(number, operator_named(name));
      operators++;
    }
  }
  fclose(file);
  CHECK_EQUAL(ADR_ELEMENTS, kinds);
  CHECK_EQUAL(ADR_OPERATORS - 1, operators);
  CHECK_EQUAL(0, adr_element_bytes(-1));
  CHECK_EQUAL(0, adr_element_bytes(ADR_ELEMENTS));
  CHECK(adr_element_name(ADR_ELEMENTS) == NULL && adr_operator_name(0) == NULL);
  CHECK(adr_operator_name(ADR_USER_OPERATOR) == NULL);
}

static void check_single(const struct sample *sample) {
  const int64_t size = adr_element_bytes(sample->element);
  uint8_t target[16];
  CHECK_EQUAL(0, adr_operator_check(sample->op, sample->element));
  for (int64_t at = 0; at < sample->bytes; at += size) {
    memset(target, BACKGROUND, sizeof target);
    adr_combine(sample->op, sample->element, target, sample->left + at, sample->right + at, size);
    CHECK(memcmp(target, sample->result + at, (size_t)size) == 0);
    for (int64_t i = size; i < 16; i++) { CHECK_EQUAL(BACKGROUND, target[i]); }
  }
}

static uint8_t *repeated(const uint8_t *bytes, int64_t count, int64_t shift) {
  uint8_t *memory = malloc((size_t)(TIMES * count + shift)); /* to the byte: a sanitizer watches the end */
  CHECK(memory != NULL);
  for (int64_t i = 0; i < TIMES; i++) { memcpy(memory + shift + i * count, bytes, (size_t)count); }
  return memory;
}

/* Target, left and right begin at any byte; which of them are one: none, target and left, target and right. */
static void check_many(const struct sample *sample) {
  for (int64_t shift = 0; shift < 9; shift++) {
    for (int in_place = 0; in_place < 3; in_place++) {
      uint8_t *left = repeated(sample->left, sample->bytes, shift);
      uint8_t *right = repeated(sample->right, sample->bytes, 2 * shift);
      uint8_t *result = repeated(sample->result, sample->bytes, 0);
      uint8_t *apart = repeated(sample->result, sample->bytes, shift + 1);
      uint8_t *target = in_place == 0 ? apart + shift + 1 : in_place == 1 ? left + shift : right + 2 * shift;
      adr_combine(sample->op, sample->element, target, left + shift, right + 2 * shift, TIMES * sample->bytes);
      CHECK(memcmp(target, result, (size_t)(TIMES * sample->bytes)) == 0);
      CHECK(in_place == 1 || memcmp(left + shift, sample->left, (size_t)sample->bytes) == 0);
      CHECK(in_place == 2 || memcmp(right + 2 * shift, sample->right, (size_t)sample->bytes) == 0);
      free(left);
      free(right);
      free(result);
      free(apart);
    }
  }
}

static void should_combine_single_elements(void) { with_each(check_single); }

static void should_combine_many_elements_wherever_they_lie(void) { with_each(check_many); }

/* Combines to memory: a value that is returned loses its bytes that are of no number. */
static void combine_to(long double *result, int32_t op, long double a, long double b) {
  memset(result, BACKGROUND, sizeof *result);
  adr_combine(op, ADR_LONG_DOUBLE, result, &a, &b, sizeof *result);
}

static long double combined(int32_t op, long double a, long double b) {
  long double result;
  combine_to(&result, op, a, b);
  return result;
}

static void should_combine_long_doubles(void) {
  const long double nan_ = -(long double)NAN;
  CHECK(combined(ADR_SUM, 0x1p60L, 1) - 0x1p60L == 1); /* more bits than a double has */
  CHECK(combined(ADR_PROD, 3, -0.5L) == -1.5L);
  CHECK(combined(ADR_MIN, 2, -3) == -3 && combined(ADR_MAX, 2, -3) == 2);
  CHECK(signbit(combined(ADR_MIN, 0.0L, -0.0L)) && signbit(combined(ADR_MIN, -0.0L, 0.0L)));
  CHECK(!signbit(combined(ADR_MAX, 0.0L, -0.0L)) && !signbit(combined(ADR_MAX, -0.0L, 0.0L)));
  for (int32_t op = ADR_SUM; op <= ADR_MAX; op++) {
    long double one, other;
    combine_to(&one, op, nan_, 1);
    combine_to(&other, op, 1, nan_);
    CHECK(isnan(one) && !signbit(one));
    CHECK(memcmp(&one, &other, sizeof one) == 0); /* with the bytes that are of no number */
  }
}

static void should_refuse_what_has_no_meaning(void) {
  static const char *const allowed[ADR_ELEMENTS] = {
      [ADR_BYTES] = "BAND BOR BXOR",          [ADR_FLOAT] = "SUM PROD MIN MAX",  [ADR_DOUBLE] = "SUM PROD MIN MAX",
      [ADR_LONG_DOUBLE] = "SUM PROD MIN MAX", [ADR_FLOAT_COMPLEX] = "SUM PROD",  [ADR_DOUBLE_COMPLEX] = "SUM PROD",
      [ADR_BOOL] = "LAND LOR LXOR",           [ADR_SHORT_INT] = "MINLOC MAXLOC", [ADR_INT_INT] = "MINLOC MAXLOC",
      [ADR_LONG_INT] = "MINLOC MAXLOC",       [ADR_FLOAT_INT] = "MINLOC MAXLOC", [ADR_DOUBLE_INT] = "MINLOC MAXLOC",
  };
  static const char *const of_integers = "SUM PROD MIN MAX LAND LOR LXOR BAND BOR BXOR";
  char word[16];
  for (int32_t element = 0; element < ADR_ELEMENTS; element++) {
    for (int32_t op = 1; op < ADR_OPERATORS; op++) {
      snprintf(word, sizeof word, " %s ", adr_operator_name(op));
      char list[80];
      snprintf(list, sizeof list, " %s REPLACE NO_OP ", allowed[element] == NULL ? of_integers : allowed[element]);
      CHECK_EQUAL(strstr(list, word) != NULL ? 0 : -22, adr_operator_check(op, element));
    }
    CHECK_EQUAL(-22, adr_operator_check(ADR_NO_OPERATOR, element));
    CHECK_EQUAL(-22, adr_operator_check(ADR_OPERATORS, element));
    CHECK_EQUAL(-22, adr_operator_check(ADR_USER_OPERATOR, element));
  }
  CHECK_EQUAL(-22, adr_operator_check(ADR_SUM, -1));
  CHECK_EQUAL(-22, adr_operator_check(ADR_SUM, ADR_ELEMENTS));
}

int main(int count, char **arguments) {
  CHECK(count == 2);
  golden = arguments[1];
  RUN(should_have_the_numbers_of_the_list);
  RUN(should_combine_single_elements);
  RUN(should_combine_many_elements_wherever_they_lie);
  RUN(should_combine_long_doubles);
  RUN(should_refuse_what_has_no_meaning);
  return 0;
}
