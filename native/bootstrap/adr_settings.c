#include "bootstrap/adr_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <strings.h>

#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_setting.h"

static int read_cpu(int32_t *cpu, adr_error *error) {
  uint32_t number = 0;
  *cpu = -1;
  if (!adr_setting_is_set(ADR_SETTING_BIND)) { return 0; }
  int status = adr_setting_number(&number, ADR_SETTING_BIND, error);
  if (status == 0) { *cpu = (int32_t)number; }
  return status;
}

static int read_oversubscribed(enum adr_oversubscription *oversubscribed, adr_error *error) {
  static const char *const names[] = {"auto", "off", "on"};
  adr_setting_value given;
  const char *text = adr_setting_in_force(ADR_SETTING_OVERSUBSCRIBED, given);
  for (int value = ADR_OVERSUBSCRIBED_AUTO; value <= ADR_OVERSUBSCRIBED_ON; value++) {
    if (strcasecmp(text, names[value]) == 0) {
      *oversubscribed = (enum adr_oversubscription)value;
      return 0;
    }
  }
  return adr_setting_refuse(ADR_SETTING_OVERSUBSCRIBED, text, error);
}

static int read_checks(struct adr_settings *settings, adr_error *error) {
  adr_setting_value given;
  const char *text = adr_setting_in_force(ADR_SETTING_CHECK, given);
  bool all = strcasecmp(text, "all") == 0;
  bool types = all || strcasecmp(text, "types") == 0;
  bool collectives = all || strcasecmp(text, "collectives") == 0;
  if (!types && !collectives && strcasecmp(text, "off") != 0) {
    return adr_setting_refuse(ADR_SETTING_CHECK, text, error);
  }
  settings->checks = types ? ADR_CHECK_TYPES : 0;
  settings->choices |= collectives ? ADR_SLOT_CHECKED : 0;
  return 0;
}

static int read_barrier(struct adr_settings *settings, adr_error *error) {
  adr_setting_value given;
  const char *text = adr_setting_in_force(ADR_SETTING_BARRIER, given);
  bool counter = strcasecmp(text, "counter") == 0;
  if (!counter && strcasecmp(text, "slot") != 0) { return adr_setting_refuse(ADR_SETTING_BARRIER, text, error); }
  settings->choices |= counter ? ADR_SLOT_COUNTER_BARRIER : 0;
  return 0;
}

static int read_way_of_collectives(struct adr_settings *settings, adr_error *error) {
  adr_setting_value given;
  const char *text = adr_setting_in_force(ADR_SETTING_COLLECTIVE_WAY, given);
  const bool stages = strcasecmp(text, "stages") == 0;
  const bool direct = strcasecmp(text, "direct") == 0;
  if (!stages && !direct && strcasecmp(text, "auto") != 0) {
    return adr_setting_refuse(ADR_SETTING_COLLECTIVE_WAY, text, error);
  }
  settings->choices |= stages ? ADR_SLOT_STAGES_ALONE : direct ? ADR_SLOT_DIRECT_EARLY : 0;
  return 0;
}

static int read_slots(uint32_t *slots, adr_error *error) {
  adr_setting_value given;
  const char *text = adr_setting_in_force(ADR_SETTING_BOX_LINES, given);
  long value;
  bool sound =
      adr_is_whole_number(text, &value) && value >= 0 && value <= ADR_MAX_BOX_SLOTS && (value & (value - 1)) == 0;
  if (!sound || (value != 0 && value < ADR_MIN_BOX_SLOTS)) {
    return adr_setting_refuse(ADR_SETTING_BOX_LINES, text, error);
  }
  *slots = (uint32_t)value;
  return 0;
}

/* What is given holds; else senders find out which messages up to the default go by fastbox. */
static int read_box_limit(struct adr_box_settings *boxes, adr_error *error) {
  const struct adr_setting *setting = &adr_setting_table[ADR_SETTING_BOX_MESSAGE_BYTES];
  uint32_t most = boxes->slots == 0 ? (uint32_t)setting->most : adr_box_most(boxes->slots);
  adr_setting_value given;
  const char *text = adr_setting_in_force(ADR_SETTING_BOX_MESSAGE_BYTES, given);
  boxes->learns = strcasecmp(text, "auto") == 0;
  long value = ADR_BOX_BYTES < most ? ADR_BOX_BYTES : most;
  if (!boxes->learns && (!adr_is_whole_number(text, &value) || value < setting->least || value > most)) {
    return adr_fail(error, -EINVAL,
                    "%s is '%s'; allowed is auto or a whole number from %" PRId64 " to %" PRIu32 " (bytes)",
                    setting->name, text, setting->least, most);
  }
  boxes->limit = (uint32_t)value;
  return 0;
}

static int read_boxes(struct adr_box_settings *boxes, adr_error *error) {
  int status = read_slots(&boxes->slots, error);
  if (status < 0) { return status; }
  status = read_box_limit(boxes, error);
  if (status == 0) { status = adr_setting_number(&boxes->threshold, ADR_SETTING_BOX_THRESHOLD, error); }
  return status < 0 ? status : adr_setting_number(&boxes->preallocate_ranks, ADR_SETTING_BOX_PREALLOCATE_RANKS, error);
}

int adr_settings_read(struct adr_settings *settings, adr_error *error) {
  *settings = (struct adr_settings){.cpu = -1};
  int status = adr_setting_directory(settings->directory, error);
  if (status == 0) { status = read_cpu(&settings->cpu, error); }
  if (status == 0) { status = adr_setting_number(&settings->join_timeout, ADR_SETTING_JOIN_TIMEOUT, error); }
  if (status == 0) { status = adr_setting_number(&settings->spins, ADR_SETTING_SPINS, error); }
  if (status == 0) { status = adr_setting_number(&settings->hang_report, ADR_SETTING_HANG_REPORT, error); }
  if (status == 0) { status = read_oversubscribed(&settings->oversubscribed, error); }
  /* behind these, so that one that is not valid is refused before anybody counts on this rank */
  if (status == 0) { status = adr_bootstrap_find(&settings->membership, error); }
  if (status < 0 || settings->membership.rank != 0) { return status; }
  status = adr_setting_number(&settings->cells, ADR_SETTING_CELLS, error);
  if (status == 0) { status = adr_setting_number(&settings->cell_bytes, ADR_SETTING_CELL_BYTES, error); }
  if (status == 0) { status = read_boxes(&settings->boxes, error); }
  if (status == 0) { status = read_checks(settings, error); }
  if (status == 0) { status = read_barrier(settings, error); }
  return status < 0 ? status : read_way_of_collectives(settings, error);
}
