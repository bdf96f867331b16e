#include "internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void path_of(const struct authenticator *self, const char *name, char path[512]) {
    snprintf(path, 512, "%s/%s", self->options.folder, name);
}

/// Writes the state to a new file that replaces the old one, so that no crash restores tries.
void state_save(struct authenticator *self) {
    char path[512], fresh[512];
    path_of(self, "authenticator", path);
    path_of(self, "authenticator.new", fresh);
    int file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return;
    int done = write(file, &self->durable, sizeof self->durable) == (ssize_t)sizeof self->durable;
    done = fsync(file) == 0 && done;
    close(file);
    if (done) rename(fresh, path);
}

int state_open(struct authenticator *self) {
    char path[512];
    path_of(self, "authenticator", path);
    mkdir(self->options.folder, 0700);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        ssize_t count = read(file, &self->durable, sizeof self->durable);
        close(file);
        if (count != (ssize_t)sizeof self->durable || memcmp(self->durable.magic, "fido2.01", 8) != 0) return -1;
    } else {
        memset(&self->durable, 0, sizeof self->durable);
        memcpy(self->durable.magic, "fido2.01", 8);
        random_bytes(self->durable.master, 32);
        self->durable.tries = TRIES;
        self->durable.fingerprint_tries = FINGERPRINT_TRIES;
    }
    if (self->options.pin && !self->durable.has_pin) {
        uint8_t digest[32];
        sha256_of(self->options.pin, strlen(self->options.pin), digest);
        memcpy(self->durable.pin_hash, digest, 16);
        self->durable.has_pin = 1;
    }
    state_save(self);
    random_bytes(self->agreement, 32);
    make_scalar(self->agreement);
    random_bytes(self->token, 32);
    return 0;
}
