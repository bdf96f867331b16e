// A FIDO2 authenticator in software, for tests: CTAP 2.1 over CTAPHID with hmac-secret, and the
// faults of bad authenticators. It shares no code with the program.
#ifndef EOSVAULT_AUTHENTICATOR_H
#define EOSVAULT_AUTHENTICATOR_H

struct authenticator_options {
    /// The folder of the state: the master key, the PIN, its tries, the counter.
    const char *folder;
    /// The PIN if the state has none; null for an authenticator whose PIN is not set.
    const char *pin;
    /// 1 and 2 are the protocols; 3 is both.
    int protocols;
    /// 1: a fingerprint is enrolled.
    int has_fingerprint;
    /// The number of fingerprints that fail first.
    int failed_fingerprints;
    /// 1: the extension, PINs, permissions (CTAP 2.1) or CTAP2 are missing.
    int no_secret, no_pin, no_permissions, no_ctap2;
    /// 1: CTAP 2.0, in which a credential has one secret, with and without verification.
    int single_secret;
    /// 1: credProtect is not listed and ignored.
    int no_protection;
    /// 1: the PIN must be changed.
    int must_change;
    /// The fewest characters of a PIN; 0 for none stated.
    int minimum_pin;
    /// Milliseconds until the touch.
    int touch_after;
    int never_touched;
    /// The name of a fault, and after an @ the command that has it, such as `hang@token`; null for
    /// none. authenticator.c lists the names.
    const char *fault;
};

/// Sets an option by its name on the command line.
/// value: the next argument, or null.
/// Returns how many arguments were used; 0 for an unknown option or a wrong value.
int authenticator_option(struct authenticator_options *options, const char *name, const char *value);

/// Serves a descriptor until it is closed. Returns 0, or -1 if the state can't be used.
int authenticator_serve(int descriptor, const struct authenticator_options *options);

/// Serves one end of a socket by a thread. The options are copied, their strings are not.
/// Returns the other end, or -1.
int authenticator_start(const struct authenticator_options *options);

#endif
