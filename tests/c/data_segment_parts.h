/* Variables of another file of the program, and of a library, for data_segment_test.c. */
#pragma once

extern long far_variable;
int *hidden_variable(void);

int *library_variable_address(void);
int *library_static_address(void);
