#define _GNU_SOURCE
#include "helper.h"

#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/stat.h>

extern char **environ;

/// Removes the variables with which the dynamic linker would load other code.
static void drop_linker_variables(void) {
    char **kept = environ;
    for (char **each = environ; *each; each++) {
        if (strncmp(*each, "LD_", 3) != 0) *kept++ = *each;
    }
    *kept = NULL;
}

static ssize_t read_some(int file, char *buffer, size_t room) {
    ssize_t count;
    while ((count = read(file, buffer, room)) < 0 && errno == EINTR) continue;
    return count;
}

static _Noreturn void wait_and_become(const char *path, char *const *arguments, int input, int output) {
    const int sink = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (sink < 0 || dup2(sink, STDERR_FILENO) < 0) _exit(126);
    // Both are above the numbers that are set here: the standard streams are open.
    if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0) _exit(126);
    files_close_descriptors(NULL, 0);
    char byte;
    if (read_some(STDIN_FILENO, &byte, 1) != 1) _exit(0);
    for (int number = 1; number <= SIGRTMAX; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    drop_linker_variables();
    execv(path, arguments);
    _exit(127);
}

pid_t helper_fork(int *request, int *answer) {
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) != 0) return -1;
    if (pipe2(output, O_CLOEXEC) != 0) {
        close(input[0]);
        close(input[1]);
        return -1;
    }
    const pid_t parent = getpid(), child = fork();
    const int error = errno;
    if (child == 0) {
        if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent || setsid() < 0) _exit(126);
        *request = input[0];
        *answer = output[1];
        return 0;
    }
    close(input[0]);
    close(output[1]);
    if (child < 0) {
        close(input[1]);
        close(output[0]);
    } else {
        *request = input[1];
        *answer = output[0];
    }
    errno = error;
    return child;
}

int helper_offer(const char *path, char *const *arguments, int *request, int *answer) {
    const pid_t child = helper_fork(request, answer);
    if (child == 0) wait_and_become(path, arguments, *request, *answer);
    return child < 0 ? -1 : 0;
}

int helper_file_contains(const char *path, const char *text) {
    static char buffer[1 << 20];
    const size_t length = strlen(text);
    // Opening a pipe would wait.
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return 0;
    struct stat status;
    int found = 0;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
        size_t kept = 0;
        ssize_t count;
        while (!found && (count = read_some(file, buffer + kept, sizeof buffer - kept)) > 0) {
            const size_t end = kept + (size_t)count;
            found = memmem(buffer, end, text, length) != NULL;
            // The text can continue in the next part.
            kept = end < length ? end : length - 1;
            memmove(buffer, buffer + end - kept, kept);
        }
    }
    close(file);
    return found;
}
