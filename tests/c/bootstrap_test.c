/* Which launcher started a process, from the variables of Slurm and of Open MPI, and which one counts; the words are
 * those of Java ranks (BootstrapsTest). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bootstrap/adr_bootstrap.h"
#include "bootstrap/adr_variables.h"
#include "check.h"

enum { FUZZ_INPUTS = 20000 };

static const char *const names[] = {"ADRASTEA_JOB",
                                    "ADRASTEA_RANK",
                                    "ADRASTEA_SIZE",
                                    "ADRASTEA_LAUNCHER",
                                    "ADRASTEA_BOOTSTRAP",
                                    "ADRASTEA_RENDEZVOUS",
                                    "JOB_COMPLETION_INDEX",
                                    "SLURM_JOB_ID",
                                    "SLURM_STEP_ID",
                                    "SLURM_PROCID",
                                    "SLURM_NTASKS",
                                    "SLURM_STEP_NUM_TASKS",
                                    "SLURM_STEP_NUM_NODES",
                                    "SLURM_NODEID",
                                    "SLURMD_NODENAME",
                                    "SLURM_RESTART_COUNT",
                                    "SLURM_SRUN_COMM_HOST",
                                    "SLURM_SRUN_COMM_PORT",
                                    "PMIX_NAMESPACE",
                                    "PMIX_RANK",
                                    "PMIX_SERVER_URI41",
                                    "PMIX_SERVER_URI4",
                                    "PMIX_SERVER_URI3",
                                    "PMIX_SERVER_URI21",
                                    "PMIX_SERVER_URI2",
                                    "OMPI_COMM_WORLD_SIZE",
                                    "OMPI_COMM_WORLD_LOCAL_SIZE"};

enum { NAMES = sizeof names / sizeof *names };

static void clear(void) {
  for (int i = 0; i < NAMES; i++) { unsetenv(names[i]); }
}

static void set(const char *name, const char *value) { CHECK_EQUAL(0, setenv(name, value, 1)); }

static void be_task(void) {
  clear();
  set("SLURM_JOB_ID", "17");
  set("SLURM_STEP_ID", "0");
  set("SLURM_PROCID", "2");
  set("SLURM_NTASKS", "4");
  set("SLURM_SRUN_COMM_HOST", "127.0.0.1");
  set("SLURM_SRUN_COMM_PORT", "39000");
}

static void be_of_mpirun(void) {
  set("PMIX_NAMESPACE", "817102849");
  set("PMIX_RANK", "2");
  set("OMPI_COMM_WORLD_SIZE", "4");
  set("PMIX_SERVER_URI4", "817102848.0;tcp4://127.0.0.1:39701");
}

static struct adr_membership found(void) {
  struct adr_membership membership;
  adr_error error = {0};
  int status = adr_bootstrap_find(&membership, &error);
  if (status != 0) { fprintf(stderr, "%s\n", error.text); }
  CHECK_EQUAL(0, status);
  return membership;
}

static void check_refused(const char *words) {
  struct adr_membership membership;
  adr_error error = {0};
  CHECK_EQUAL(-EINVAL, adr_bootstrap_find(&membership, &error));
  if (strcmp(words, error.text) != 0) { fprintf(stderr, "said:   %s\nwanted: %s\n", error.text, words); }
  CHECK(strcmp(words, error.text) == 0);
}

static void a_task_of_srun_is_a_rank(void) {
  be_task();
  struct adr_membership membership = found();
  CHECK_EQUAL(2, membership.rank);
  CHECK_EQUAL(4, membership.size);
  CHECK(*membership.node_words == '\0');
  set("SLURM_STEP_NUM_TASKS", "3");
  CHECK_EQUAL(3, found().size);
}

static void a_process_of_mpirun_is_a_rank(void) {
  clear();
  be_of_mpirun();
  CHECK_EQUAL(2, found().rank);
  CHECK_EQUAL(4, found().size);
}

/* What a launcher has set may be anything; a message is one line. */
static void words_of_others_are_one_line(void) {
  be_task();
  set("SLURM_STEP_ID", "0\n\x1b[31m");
  unsetenv("SLURM_PROCID");
  check_refused(
      "SLURM_STEP_ID=0??[31m needs SLURM_PROCID and SLURM_NTASKS too; missing: SLURM_PROCID (start the program "
      "by its launcher, or set ADRASTEA_BOOTSTRAP)");
  clear();
}

static void each_start_has_a_number_of_its_own(void) {
  static const char *const changes[][2] = {{"SLURM_JOB_ID", "18"},
                                           {"SLURM_STEP_ID", "1"},
                                           {"SLURM_RESTART_COUNT", "1"},
                                           {"SLURM_SRUN_COMM_PORT", "39001"},
                                           {"SLURM_SRUN_COMM_HOST", "127.0.0.2"}};
  be_task();
  uint64_t number = found().job;
  set("SLURM_PROCID", "0");
  CHECK(found().job == number);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    be_task();
    set(changes[i][0], changes[i][1]);
    CHECK(found().job != number);
  }
  clear();
  be_of_mpirun();
  number = found().job;
  set("PMIX_SERVER_URI4", "817102848.0;tcp4://127.0.0.1:39702");
  CHECK(found().job != number);
}

/* The published values of FNV-1a for 64 bits. */
static void a_job_number_is_a_hash_of_its_name(void) {
  CHECK(adr_job_number("") == UINT64_C(0xcbf29ce484222325));
  CHECK(adr_job_number("a") == UINT64_C(0xaf63dc4c8601ec8c));
  CHECK(adr_job_number("foobar") == UINT64_C(0x85944171f73967e8));
}

static void several_that_disagree_are_refused_by_name(void) {
  be_task();
  be_of_mpirun();
  CHECK_EQUAL(2, found().rank);
  set("PMIX_RANK", "1");
  check_refused("two launchers disagree about this process: rank 2 of 4 by slurm (SLURM_STEP_ID=0, SLURM_PROCID=2, "
                "SLURM_NTASKS=4), rank 1 of 4 by pmix (PMIX_NAMESPACE=817102849, PMIX_RANK=1, "
                "OMPI_COMM_WORLD_SIZE=4); choose one by ADRASTEA_BOOTSTRAP=slurm or pmix");
  set("ADRASTEA_BOOTSTRAP", "pmix");
  CHECK_EQUAL(1, found().rank);
  set("ADRASTEA_BOOTSTRAP", "Slurm");
  CHECK_EQUAL(2, found().rank);
  set("ADRASTEA_BOOTSTRAP", "none");
  CHECK_EQUAL(1, found().size);
}

static void a_way_that_is_not_there_is_refused_where_it_is_asked_for(void) {
  be_task();
  set("ADRASTEA_BOOTSTRAP", "pmix");
  check_refused("ADRASTEA_BOOTSTRAP is 'pmix', but this process was not started so: its variables are missing; leave "
                "ADRASTEA_BOOTSTRAP out, or start it in that way");
  set("ADRASTEA_BOOTSTRAP", "mpirun");
  check_refused("ADRASTEA_BOOTSTRAP is 'mpirun'; allowed are auto, adrastea, slurm, pmix, pmi, rendezvous and none");
}

static void a_batch_script_is_no_task(void) {
  be_task();
  unsetenv("SLURM_STEP_ID");
  CHECK_EQUAL(1, found().size);
}

static void a_namespace_without_a_server_is_refused(void) {
  clear();
  be_of_mpirun();
  unsetenv("PMIX_SERVER_URI4");
  check_refused("PMIX_NAMESPACE=817102849, but no PMIX_SERVER_URI tells where its server is: the variables of mpirun "
                "are here in part; start the program by mpirun, or set ADRASTEA_BOOTSTRAP=none for a job of one");
}

static void bad_numbers_are_refused_by_name(void) {
  be_task();
  unsetenv("SLURM_PROCID");
  check_refused("SLURM_STEP_ID=0 needs SLURM_PROCID and SLURM_NTASKS too; missing: SLURM_PROCID (start the program by "
                "its launcher, or set ADRASTEA_BOOTSTRAP)");
  be_task();
  set("SLURM_PROCID", " 2");
  check_refused("SLURM_PROCID is ' 2' and SLURM_NTASKS is '4'; allowed are whole numbers, a size from 1 to 1024 and a "
                "rank below it");
}

static void several_nodes_are_told_by_the_launcher(void) {
  be_task();
  set("SLURM_STEP_NUM_NODES", "2");
  set("SLURM_NODEID", "1");
  set("SLURMD_NODENAME", "n2");
  CHECK(strcmp("Slurm has this rank on node 1 of 2 (n2); use srun -N 1, or adrastea run --hosts", found().node_words)
        == 0);
  clear();
  be_of_mpirun();
  set("OMPI_COMM_WORLD_LOCAL_SIZE", "1");
  CHECK(strcmp("mpirun has 1 of 4 ranks on the node of this one; use one host, or adrastea run --hosts",
               found().node_words)
        == 0);
}

static void be_indexed(const char *index) {
  clear();
  set("ADRASTEA_RENDEZVOUS", "job-0.service:29950");
  set("ADRASTEA_SIZE", "3");
  set("JOB_COMPLETION_INDEX", index);
}

/* Joining it would ask for the job; a job of one meets nobody. */
static void a_rendezvous_needs_a_rank_and_a_size(void) {
  be_indexed("0");
  set("ADRASTEA_SIZE", "1");
  CHECK_EQUAL(1, found().size);
  CHECK(found().job != found().job && !found().ours && found().launcher.pid == 0);
  be_indexed("1");
  unsetenv("JOB_COMPLETION_INDEX");
  check_refused("ADRASTEA_RENDEZVOUS=job-0.service:29950 needs ADRASTEA_RANK (or JOB_COMPLETION_INDEX) and "
                "ADRASTEA_SIZE too; missing: ADRASTEA_RANK");
  unsetenv("ADRASTEA_SIZE");
  check_refused("ADRASTEA_RENDEZVOUS=job-0.service:29950 needs ADRASTEA_RANK (or JOB_COMPLETION_INDEX) and "
                "ADRASTEA_SIZE too; missing: ADRASTEA_RANK, ADRASTEA_SIZE");
  set("ADRASTEA_RANK", "1");
  check_refused("ADRASTEA_RENDEZVOUS=job-0.service:29950 needs ADRASTEA_RANK (or JOB_COMPLETION_INDEX) and "
                "ADRASTEA_SIZE too; missing: ADRASTEA_SIZE");
}

static void what_a_rendezvous_says_is_refused_by_name(void) {
  be_indexed("3");
  check_refused("JOB_COMPLETION_INDEX=3, but ADRASTEA_SIZE=3: ranks are 0 to 2");
  set("JOB_COMPLETION_INDEX", "x");
  check_refused("JOB_COMPLETION_INDEX is 'x'; allowed is a whole number from 0 to 2147483647 (rank)");
  set("ADRASTEA_RANK", "4"); /* which counts before the index */
  check_refused("ADRASTEA_RANK=4, but ADRASTEA_SIZE=3: ranks are 0 to 2");
  set("ADRASTEA_RENDEZVOUS", "::1:29950");
  check_refused("ADRASTEA_RENDEZVOUS is '::1:29950'; allowed is <host>:<port>, with IPv6 as [<address>]:<port>");
}

static void a_rendezvous_and_a_launcher_agree_or_are_refused(void) {
  be_task();
  set("ADRASTEA_RENDEZVOUS", "localhost:29950");
  set("ADRASTEA_RANK", "2");
  set("ADRASTEA_SIZE", "4");
  CHECK_EQUAL(2, found().rank); /* by srun, which needs no meeting */
  set("ADRASTEA_SIZE", "3");
  check_refused("two launchers disagree about this process: rank 2 of 4 by slurm (SLURM_STEP_ID=0, SLURM_PROCID=2, "
                "SLURM_NTASKS=4), rank 2 of 3 by rendezvous (ADRASTEA_RENDEZVOUS=localhost:29950, ADRASTEA_RANK=2, "
                "ADRASTEA_SIZE=3); choose one by ADRASTEA_BOOTSTRAP=slurm or rendezvous");
}

/* Whoever has a job's number needs no meeting. */
static void our_own_variables_count_before_a_rendezvous(void) {
  be_indexed("1");
  set("ADRASTEA_JOB", "00112233aabbccdd");
  set("ADRASTEA_RANK", "1");
  CHECK(found().job == UINT64_C(0x00112233aabbccdd) && found().ours);
  unsetenv("ADRASTEA_RANK");
  check_refused("a job needs ADRASTEA_JOB, ADRASTEA_RANK and ADRASTEA_SIZE; missing: ADRASTEA_RANK (without any of "
                "them a program is a job of one; 'adrastea run' sets all)");
}

/* Whatever is in the variables, a process is a rank or is refused. */
static void any_values_give_a_rank_or_a_refusal(void) {
  static const char *const values[] = {"",  "0",    "1",           "2",    "4",    "-1",
                                       "x", "%s%n", "99999999999", "1024", "1025", "\xd9\xa3"};
  char longest[2000];
  int ranks = 0;
  memset(longest, 'y', sizeof longest);
  longest[sizeof longest - 1] = '\0';
  srand(7);
  for (int input = 0; input < FUZZ_INPUTS; input++) {
    clear();
    for (int i = 8; i < NAMES; i++) { /* those of other launchers; without a job of Slurm there is no warning */
      int value = rand() % 17;
      if (value < 12) { set(names[i], values[value]); }
      if (value == 12) { set(names[i], longest); }
    }
    struct adr_membership membership;
    adr_error error = {0};
    int status = adr_bootstrap_find(&membership, &error);
    CHECK(status == 0 ? membership.rank < membership.size : status == -EINVAL && *error.text != '\0');
    ranks += status == 0 && membership.size > 1;
  }
  CHECK(ranks > 0);
}

static void a_parent_is_found_by_its_name(void) {
  static const char *const strangers[] = {"no such", NULL};
  char name[ADR_PROCESS_NAME];
  uint32_t parent;
  CHECK_EQUAL(0, adr_parent_named(strangers).pid);
  CHECK_EQUAL(getppid(), adr_process_look_up((uint32_t)getppid(), name, &parent).pid);
  const char *const own[] = {name, NULL};
  CHECK_EQUAL(getppid(), adr_parent_named(own).pid);
}

int main(void) {
  RUN(a_task_of_srun_is_a_rank);
  RUN(a_process_of_mpirun_is_a_rank);
  RUN(words_of_others_are_one_line);
  RUN(each_start_has_a_number_of_its_own);
  RUN(a_job_number_is_a_hash_of_its_name);
  RUN(several_that_disagree_are_refused_by_name);
  RUN(a_way_that_is_not_there_is_refused_where_it_is_asked_for);
  RUN(a_batch_script_is_no_task);
  RUN(a_namespace_without_a_server_is_refused);
  RUN(bad_numbers_are_refused_by_name);
  RUN(several_nodes_are_told_by_the_launcher);
  RUN(a_rendezvous_needs_a_rank_and_a_size);
  RUN(what_a_rendezvous_says_is_refused_by_name);
  RUN(a_rendezvous_and_a_launcher_agree_or_are_refused);
  RUN(our_own_variables_count_before_a_rendezvous);
  RUN(a_parent_is_found_by_its_name);
  RUN(any_values_give_a_rank_or_a_refusal);
  return 0;
}
