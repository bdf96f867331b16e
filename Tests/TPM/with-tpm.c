// Runs a program with a TPM 2.0 in software (swtpm) as its descriptor 3, and can damage answers.
//
// usage: with-tpm FOLDER [OPTION…] PROGRAM [ARGUMENT…]
//        with-tpm FOLDER [OPTION…] --serve
//
// With --serve, the TPM is at standard input, until that is closed.
//
// FOLDER is the state of the TPM; it is made if it does not exist. All descriptors are inherited,
// so `with-tpm FOLDER sh -c '…'` runs several programs with one TPM. The exit status is the
// program's.
//
//   --fault NAME[@COMMAND]   damages answers: to each command, to the n-th one (from 1), or to each
//                            command of a name, such as Unseal
//   --record FILE            appends each command and answer
//   --check                  fails with status 99 if the TPM still has an object or a session
//   --not-started            does not start the TPM
// Before the program runs:
//   --clear                  clears the TPM (TPM2_Clear)
//   --extend N               extends PCR N
//   --owner-password         sets a password of the owner hierarchy
//   --lockout-settings MAXIMUM,INTERVAL,RECOVERY
//   --reset-lockout          sets the count of wrong authorizations to 0
//
// Faults: truncated: half of the answer. oversized: 5000 bytes. hostile-size: the header states
// 4 GiB. trailing: one byte too many. garbage, zero: bytes of the same count. flipped: another byte
// in the middle. wrong-hmac: another last byte. Both leave a refusal unchanged. retry: TPM_RC_RETRY
// three times, then the answer. retry-forever. eof: closes the connection. hang: no answer. pieces:
// each byte alone, nothing is changed. foreign-handles: each list has 64 new handles, and an
// object is removed after 0.2 s. endless-handles: the same with 65 handles, one more than
// requested.
#define _GNU_SOURCE
#include "with-tpm.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SERVED = 3 };

static int swtpm, record = -1;

_Noreturn void fail(const char *message) {
    fprintf(stderr, "with-tpm: %s\n", message);
    _exit(98);
}

static void write_all(int file, const uint8_t *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

/// Reads a command or an answer. Returns its size, or 0 at the end.
static size_t read_message(int file, uint8_t *bytes) {
    size_t got = 0, size = 10;
    while (got < size) {
        ssize_t more = read(file, bytes + got, size - got);
        if (more <= 0) return 0;
        got += (size_t)more;
        if (got == 10) size = number(bytes + 2);
        if (size < 10 || size > MOST) fail("a message has an impossible size");
    }
    return got;
}

size_t ask(const uint8_t *command, size_t count, uint8_t *answer) {
    write_all(swtpm, command, count);
    size_t got = read_message(swtpm, answer);
    if (record >= 0) {
        write_all(record, command, count);
        write_all(record, answer, got);
    }
    return got;
}

static void start_swtpm(const char *folder, int is_started) {
    int ends[2];
    char state[4096], file[16];
    mkdir(folder, 0700);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("no socket");
    pid_t parent = getpid(), child = fork();
    if (child < 0) fail("no process");
    if (child == 0) {
        // Its standard streams are not those of a test, which waits for their end.
        int sink = open("/dev/null", O_RDWR);
        prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
        if (getppid() != parent || dup2(ends[1], 3) < 0 || dup2(sink, 0) < 0) _exit(98);
        if (dup2(sink, 1) < 0 || dup2(sink, 2) < 0) _exit(98);
        if (ends[1] == 3) fcntl(3, F_SETFD, 0);
        snprintf(file, sizeof file, "%d", 3);
        snprintf(state, sizeof state, "dir=%s", folder);
        execlp("swtpm", "swtpm", "chardev", "--tpm2", "--fd", file, "--tpmstate", state, "--flags",
               is_started ? "not-need-init,startup-clear" : "not-need-init", NULL);
        _exit(98);
    }
    close(ends[1]);
    swtpm = ends[0];
}

/// Passes commands on until the client closes its end.
static void serve(int client, const struct fault *fault) {
    uint8_t command[MOST], answer[2 * MOST];
    size_t count, index = 0;
    while ((count = read_message(client, command)) > 0) {
        index++;
        if (!applies(fault, index, command)) {
            write_all(client, answer, ask(command, count, answer));
            continue;
        }
        if (asks_to_repeat(fault, command)) {
            const uint8_t retry[10] = {0x80, 1, 0, 0, 0, 10, 0, 0, 9, 0x22};
            write_all(client, retry, sizeof retry);
            continue;
        }
        size_t size = imitate(fault, command, answer);
        if (size > 0) {
            write_all(client, answer, size);
            continue;
        }
        size = damage(fault, answer, ask(command, count, answer));
        if (size == CLOSED) return;
        const size_t piece = strcmp(fault->name, "pieces") == 0 ? 1 : size;
        for (size_t at = 0; at < size; at += piece) write_all(client, answer + at, piece);
    }
}

static pid_t start_program(char **arguments, int client, int closed) {
    pid_t child = fork();
    if (child < 0) fail("no process");
    if (child > 0) return child;
    close(closed);
    if (dup2(client, SERVED) < 0) _exit(98);
    if (client == SERVED) fcntl(SERVED, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    execvp(arguments[0], arguments);
    fprintf(stderr, "with-tpm: %s can't be started\n", arguments[0]);
    _exit(98);
}

/// Ends the TPM orderly: otherwise it counts a wrong authorization at its next start.
static int end_swtpm(int checks) {
    int left = checks && count_left();
    shut_down();
    close(swtpm);
    int status;
    while (wait(&status) > 0) continue;
    return left;
}

int main(int argc, char **argv) {
    struct fault fault = {0};
    int serves = 0, checks = 0, is_started = 1, at = 2;
    if (argc < 3) fail("usage: with-tpm FOLDER [OPTION…] PROGRAM [ARGUMENT…]");
    for (int index = 2; index < argc; index++) is_started &= strcmp(argv[index], "--not-started") != 0;
    signal(SIGPIPE, SIG_IGN);
    start_swtpm(argv[1], is_started);
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        const char *option = argv[at], *value = at + 1 < argc ? argv[at + 1] : "";
        if (strcmp(option, "--serve") == 0) serves = 1;
        else if (strcmp(option, "--check") == 0) checks = 1;
        else if (strcmp(option, "--not-started") == 0) continue;
        else if (strcmp(option, "--fault") == 0) parse_fault(&fault, value), at++;
        else if (strcmp(option, "--record") == 0) {
            record = open(value, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
            if (record < 0) fail("the record can't be written");
            at++;
        } else at += set_up(option, value);
    }
    if (serves) {
        serve(STDIN_FILENO, &fault);
        close(STDIN_FILENO);
        return end_swtpm(checks) ? 99 : 0;
    }
    if (at >= argc) fail("no program");
    int ends[2], status = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("no socket");
    pid_t child = start_program(argv + at, ends[1], ends[0]);
    close(ends[1]);
    serve(ends[0], &fault);
    close(ends[0]);
    if (waitpid(child, &status, 0) != child) fail("the program is lost");
    if (end_swtpm(checks)) return 99;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
