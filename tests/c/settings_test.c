/* settings_test LIST: the settings that C ranks read are those which docs/settings.md says they do, with the same
 * defaults, units and limits. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "bootstrap/adr_setting.h"

static char list[1 << 16];

/* ADRASTEA_X_Y as adrastea.x.y. */
static void property_of(const struct adr_setting *setting, char *property) {
  for (const char *from = setting->name; *from != '\0'; from++) {
    *property++ = *from == '_' ? '.' : (char)tolower(*from);
  }
  *property = '\0';
}

static void each_setting_is_in_the_list_as_one_of_c_ranks(void) {
  for (int i = 0; i < ADR_SETTING_COUNT; i++) {
    const struct adr_setting *setting = &adr_setting_table[i];
    char property[64], allowed[ADR_SETTING_TEXT], entry[512];
    property_of(setting, property);
    adr_setting_tell_allowed(setting, allowed);
    snprintf(entry, sizeof entry, "\n%s = %s%s[%s], C and Java\n%s%s%s", property, setting->initial,
             *setting->initial == '\0' ? "" : " ", setting->unit, *allowed == '\0' ? "" : "  ", allowed,
             *allowed == '\0' ? "" : "\n");
    if (strstr(list, entry) == NULL) { fprintf(stderr, "not in the list:%s", entry); }
    CHECK(strstr(list, entry) != NULL);
  }
}

static void the_list_has_no_other_setting_of_c_ranks(void) {
  int count = 0;
  for (const char *at = list; (at = strstr(at, "], C and Java\n")) != NULL; at++) { count++; }
  CHECK_EQUAL(ADR_SETTING_COUNT, count);
}

int main(int argc, char **argv) {
  CHECK_EQUAL(2, argc);
  FILE *file = fopen(argv[1], "rb");
  CHECK(file != NULL);
  CHECK(fread(list, 1, sizeof list - 1, file) > 0);
  fclose(file);
  RUN(each_setting_is_in_the_list_as_one_of_c_ranks);
  RUN(the_list_has_no_other_setting_of_c_ranks);
  return 0;
}
