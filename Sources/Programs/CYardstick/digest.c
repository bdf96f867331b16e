#include "yardstick.h"

#include <openssl/sha.h>
#include <string.h>

int yardstick_digest(const uint8_t chain[32], const uint8_t *packed, size_t count, uint8_t *buffer,
                     uint8_t digest[32]) {
    memcpy(buffer, chain, 32);
    memcpy(buffer + 32, packed, count);
    memset(buffer + 32 + count, 0, 32);
    return SHA256(buffer, count + 64, digest) ? 0 : -1;
}
