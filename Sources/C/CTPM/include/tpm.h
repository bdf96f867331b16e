// The connection to a TPM 2.0, and the secrets of one session. "Part 1" and "Part 3" are parts of
// the TPM 2.0 Library Specification of the Trusted Computing Group, version 1.59.
#ifndef EOSVAULT_TPM_H
#define EOSVAULT_TPM_H

#include <stddef.h>
#include <stdint.h>

enum {
    /// The most bytes of a command and of an answer, as in Linux (TPM_BUFSIZE).
    TPM_MOST = 4096,
    /// Bytes of a digest, a nonce, an authorization and a sealed secret.
    TPM_DIGEST = 32,
    /// Bytes of a sensitive area for TPM2_Create without its size: two such values with their
    /// sizes.
    TPM_SENSITIVE = 2 * (2 + TPM_DIGEST),
};

enum {
    TPM_TIMED_OUT = -1,
    /// The answer has another length than its header states, or is longer than TPM_MOST.
    TPM_INVALID_ANSWER = -2,
    /// The device does not exist any more, or reports an error.
    TPM_GONE = -3,
    /// A signal to end this process is held back.
    TPM_CANCELLED = -4,
};

/// Writes a command and reads its answer. A character device takes and gives each of them in one
/// call; a socket or a terminal may give an answer in pieces. Bytes that are left of an earlier
/// answer are dropped first.
/// A signal to end this process that is held back ends a wait for an answer after some 100 ms.
/// milliseconds: the most time to wait. A device that was opened without O_NONBLOCK may block for
/// as long as its driver allows.
/// owed: the most milliseconds to wait first for the answer to the command before, which timed out.
/// Returns the count of bytes of the answer, at least 10, or one of the values above.
long tpm_exchange(
    int file, const uint8_t *command, size_t count, uint8_t answer[TPM_MOST], int milliseconds, int owed);

/// Milliseconds on a clock that nobody sets.
int64_t tpm_now(void);

/// Pauses.
void tpm_pause(int milliseconds);

/// The secrets of a session: they are never outside of this memory, which the caller allocates in
/// guarded memory, zeroed and aligned to 8 bytes. Only the outputs that are not marked as secret
/// may leave guarded memory.
struct tpm_session;

size_t tpm_session_size(void);

/// Makes the salt of the session (Part 1, 19.6.13 and C.6.1): agrees with the TPM's key on a
/// number.
/// point: x and y of the key in the TPM. public_key: x and y of the ephemeral key.
/// Returns 1, or 0 if the point is not on the curve or libcrypto has no memory.
int tpm_session_make_salt(struct tpm_session *session, const uint8_t point[64], uint8_t public_key[64]);

/// Bytes that a key derivation mixes in.
struct tpm_context {
    const uint8_t *bytes;
    size_t count;
};

/// KDFe with SHA-256 (Part 1, 11.4.10.3).
/// z: secret. u, v: for a salt, the x coordinates of both public keys. output: secret; may be `z`.
void tpm_kdfe(
    struct tpm_session *session, struct tpm_context z, const char *label, struct tpm_context u,
    struct tpm_context v, uint8_t output[TPM_DIGEST]);

/// KDFa with SHA-256 (Part 1, 11.4.10.2).
/// key, output: secret. u, v: nonces. bits: at most 256. All bits of the first byte are set by the
/// derivation, also if `bits` is not a multiple of 8.
void tpm_kdfa(
    struct tpm_session *session, struct tpm_context key, const char *label, struct tpm_context u,
    struct tpm_context v, size_t bits, uint8_t *output);

/// Makes a new nonce for the next command; it is public.
void tpm_session_make_nonce(struct tpm_session *session, uint8_t nonce[TPM_DIGEST]);

/// Makes the key of the session (Part 1, 19.6.8) of the salt, which is wiped, and the nonces.
void tpm_session_make_key(struct tpm_session *session, const uint8_t tpm_nonce[TPM_DIGEST]);

/// Sets the authorization of the object that the session uses from now on.
///
/// A TPM removes zeros at the end of an authorization. Both forms make the same HMAC, because the
/// key of an HMAC is filled with zeros up to 64 bytes.
void tpm_session_authorize(struct tpm_session *session, const uint8_t authorization[TPM_DIGEST]);

/// Encrypts the authorization and the secret of a new object (TPMS_SENSITIVE_CREATE).
/// encrypted: public.
void tpm_session_encrypt(
    struct tpm_session *session, const uint8_t authorization[TPM_DIGEST], const uint8_t secret[TPM_DIGEST],
    uint8_t encrypted[TPM_SENSITIVE]);

/// The HMAC of a command (Part 1, 19.6.5); it is public.
void tpm_session_prove(
    struct tpm_session *session, const uint8_t command_digest[TPM_DIGEST], uint8_t attributes,
    uint8_t hmac[TPM_DIGEST]);

/// Compares the HMAC of an answer, and keeps the nonce of the TPM.
/// Returns 0 if they are equal. The result counts as secret until it is disclosed.
int tpm_session_compare(
    struct tpm_session *session, const uint8_t answer_digest[TPM_DIGEST], const uint8_t tpm_nonce[TPM_DIGEST],
    uint8_t attributes, const uint8_t hmac[TPM_DIGEST]);

/// Decrypts the secret in the answer that was compared last.
void tpm_session_decrypt(
    struct tpm_session *session, const uint8_t encrypted[TPM_DIGEST], uint8_t secret[TPM_DIGEST]);

#endif
