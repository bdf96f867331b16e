// SoftHSM alone: signs digests with one key of a token until each signature is canonical (K1), and
// prints how many signatures it made.
// usage: loop MODULE TOKEN LABEL COUNT    TOKEN: the label of the token, LABEL: of the key, which
//                                         starts with k1 or r1
#include "token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what, unsigned long code) {
    fprintf(stderr, "loop: %s: 0x%lx\n", what, code);
    return 1;
}

int main(int count, char **words) {
    if (count != 5) return fail("four arguments are needed", 0);
    unsigned long code = token_load(words[1]);
    if (code) return fail("the module is not loaded", code);
    struct token_facts tokens[TOKEN_MAXIMUM];
    size_t found = 0, slot = 0;
    if ((code = token_list(tokens, &found))) return fail("the tokens are not listed", code);
    const size_t length = strlen(words[2]);
    while (slot < found && (memcmp(tokens[slot].label, words[2], length) || tokens[slot].label[length] != ' '))
        slot++;
    if (slot == found) return fail("no such token", 0);
    if ((code = token_open(tokens[slot].slot, 0))) return fail("no session", code);
    uint8_t pin[] = "654321";
    if ((code = token_login(pin, 6))) return fail("no login", code);
    uint64_t keys[TOKEN_MAXIMUM];
    code = token_find(3, NULL, 0, (const uint8_t *)words[3], strlen(words[3]), keys, &found);
    if (code || found != 1) return fail("no such key", code);
    const int must_be_canonical = words[3][0] == 'k';
    unsigned long made = 0;
    for (uint32_t number = 0; number < strtoul(words[4], NULL, 10); number++) {
        uint8_t digest[32] = {0}, signature[64];
        memcpy(digest, &number, sizeof number);
        do {
            if ((code = token_sign(keys[0], digest, signature))) return fail("no signature", code);
            made++;
        } while (must_be_canonical && signature[0] & 0x80);
    }
    printf("%lu\n", made);
    token_finish();
    return 0;
}
