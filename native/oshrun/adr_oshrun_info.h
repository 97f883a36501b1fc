/* oshrun --info. */
#pragma once

/* Prints what there is here. Returns the exit code. */
int adr_oshrun_info(void);
