/* Adrastea for C programs: messages between the ranks of a job through shared memory. */
#ifndef ADRASTEA_ADRASTEA_H
#define ADRASTEA_ADRASTEA_H

#include "adrastea/accumulate.h"
#include "adrastea/affinity.h"
#include "adrastea/channel.h"
#include "adrastea/coll.h"
#include "adrastea/comm.h"
#include "adrastea/copy.h"
#include "adrastea/job.h"
#include "adrastea/operator.h"
#include "adrastea/ring.h"
#include "adrastea/shmem.h"
#include "adrastea/space.h"
#include "adrastea/version.h"
#include "adrastea/window.h"

#endif
