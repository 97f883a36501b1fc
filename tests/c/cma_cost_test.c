/* From how many bytes on a collective takes one copy by the system; io.adrastea.space.CmaCostTest has the same cases.
 */
#include <stdint.h>

#include "check.h"
#include "space/adr_cma_cost.h"

static int64_t least(int64_t short_by_cma, int64_t long_by_cma, int64_t short_here, int64_t long_here) {
  const struct adr_cma_cost cost = {short_by_cma, long_by_cma, short_here, long_here};
  return adr_cma_cost_least_bytes(&cost);
}

static void one_copy_by_the_system_pays_from_where_it_takes_less_than_three_within_a_process(void) {
  CHECK_EQUAL(8194, least(1600, 9000, 600, 5600)); /* asking takes as long as so many bytes more */
  CHECK_EQUAL(ADR_CMA_COST_MOST_BY_STAGES,
              least(2716, 12600, 280, 3000)); /* each byte takes longer than three copies */
  CHECK_EQUAL(155688, least(1600, 9000, 600, 3200));
  CHECK_EQUAL(479042, least(1600, 9000, 600, 3110));
  CHECK_EQUAL(0, least(1000, 9000, 600, 5600)); /* asking costs nothing */
  CHECK_EQUAL(0, least(0, 0, 0, 0));
}

int main(void) {
  RUN(one_copy_by_the_system_pays_from_where_it_takes_less_than_three_within_a_process);
  return 0;
}
