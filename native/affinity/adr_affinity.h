/* Binding threads to CPUs. The functions are public: adrastea/affinity.h. */
#ifndef ADR_AFFINITY_H
#define ADR_AFFINITY_H

#include "adrastea/affinity.h"

#endif
