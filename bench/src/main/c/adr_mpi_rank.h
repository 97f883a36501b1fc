/* What the ranks of an MPI beside ours have in common, whatever they measure: how they begin and are told commands.
 * Compiled at run time by the mpicc of the MPI under test. */
#pragma once

#include "adr_rank.h"

#include <mpi.h>

enum { COMMAND_TAG = 9 };

static void begin(int *argc, char ***argv) {
  end_with_launcher();
  MPI_Init(argc, argv);
}

/* The next command, the same on all ranks; false at the end of the input. */
static int next(int rank, int ranks, struct order *order) {
  if (rank == 0) {
    read_order(order);
    for (int other = 1; other < ranks; other++)
      MPI_Send(order, sizeof *order, MPI_BYTE, other, COMMAND_TAG, MPI_COMM_WORLD);
  } else {
    int here = 0;
    for (useconds_t nap = NAP_US; !here; nap = nap < MOST_NAP_US ? 2 * nap : nap) { /* others are being measured */
      MPI_Iprobe(0, COMMAND_TAG, MPI_COMM_WORLD, &here, MPI_STATUS_IGNORE);
      if (!here) usleep(nap);
    }
    MPI_Recv(order, sizeof *order, MPI_BYTE, 0, COMMAND_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return order->verb[0] != 0;
}
