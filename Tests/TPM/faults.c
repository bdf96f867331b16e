#include "with-tpm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    uint32_t code;
} commands[] = {
    {"CreatePrimary", 0x131}, {"Create", 0x153}, {"Load", 0x157}, {"Unseal", 0x15e},
    {"FlushContext", 0x165}, {"PolicyAuthValue", 0x16b}, {"StartAuthSession", 0x176},
    {"GetCapability", 0x17a}, {"PCR_Read", 0x17e}, {"PolicyPCR", 0x17f},
};

static const char *const names[] = {
    "truncated", "oversized", "hostile-size", "trailing", "garbage", "zero", "flipped", "wrong-hmac",
    "retry", "retry-forever", "eof", "hang", "pieces", "foreign-handles", "endless-handles",
};

void parse_fault(struct fault *fault, const char *text) {
    static char name[64];
    snprintf(name, sizeof name, "%s", text);
    char *at = strchr(name, '@');
    if (at) *at = 0;
    int is_known = 0;
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) is_known |= !strcmp(names[index], name);
    if (!is_known) fail("there is no such fault");
    fault->name = name;
    if (!at) return;
    char *end;
    fault->index = strtoul(at + 1, &end, 10);
    if (*end == 0 && fault->index > 0) return;
    fault->index = 0;
    for (size_t index = 0; index < sizeof commands / sizeof *commands; index++)
        if (strcmp(commands[index].name, at + 1) == 0) fault->code = commands[index].code;
    if (fault->code == 0) fail("the fault is at no command");
}

int applies(const struct fault *fault, size_t index, const uint8_t *command) {
    if (!fault->name) return 0;
    // A command that is sent again has another index.
    if (strcmp(fault->name, "retry") == 0 && fault->index > 0)
        return index >= fault->index && index < fault->index + 3;
    if (fault->index > 0) return index == fault->index;
    return fault->code == 0 || number(command + 6) == fault->code;
}

int asks_to_repeat(const struct fault *fault, const uint8_t *command) {
    static uint8_t last[MOST];
    static size_t times;
    if (strcmp(fault->name, "retry-forever") == 0) return 1;
    if (strcmp(fault->name, "retry") != 0) return 0;
    const size_t count = number(command + 2);
    if (memcmp(last, command, count) != 0) times = 0;
    memcpy(last, command, count);
    if (times++ < 3) return 1;
    times = 0;
    return 0;
}

size_t imitate(const struct fault *fault, const uint8_t *command, uint8_t *answer) {
    static uint32_t next = 0x00f00000;
    const int is_endless = strcmp(fault->name, "endless-handles") == 0;
    const uint32_t code = number(command + 6);
    if (!is_endless && strcmp(fault->name, "foreign-handles") != 0) return 0;
    const int is_list = code == 0x17a && number(command + 10) == 1, is_removal = code == 0x165;
    if (!is_list && !is_removal) return 0;
    if (is_removal) usleep(200000);
    // The head, and of a list also TPMI_YES_NO, TPM_CAP and the count.
    const uint32_t handles = is_removal ? 0 : is_endless ? 65 : 64, size = is_removal ? 10 : 19 + 4 * handles;
    memset(answer, 0, size);
    answer[0] = 0x80;
    answer[1] = 1;
    answer[4] = (uint8_t)(size >> 8);
    answer[5] = (uint8_t)size;
    if (is_list) answer[14] = 1;
    if (is_list) answer[18] = (uint8_t)handles;
    for (uint32_t at = 0; at < handles; at++, next++)
        for (int byte = 0; byte < 4; byte++)
            answer[19 + 4 * at + (uint32_t)byte] = (uint8_t)((number(command + 14) | next) >> (24 - 8 * byte));
    return size;
}

size_t damage(const struct fault *fault, uint8_t *answer, size_t count) {
    const char *name = fault->name;
    // A refusal has no HMAC and nothing in the middle.
    if (count == 10 && (strcmp(name, "flipped") == 0 || strcmp(name, "wrong-hmac") == 0)) return count;
    if (strcmp(name, "truncated") == 0) return count / 2;
    if (strcmp(name, "hang") == 0) return 0;
    if (strcmp(name, "eof") == 0) return CLOSED;
    if (strcmp(name, "hostile-size") == 0) memset(answer + 2, 0xff, 4);
    if (strcmp(name, "zero") == 0) memset(answer, 0, count);
    if (strcmp(name, "flipped") == 0) answer[count / 2] ^= 1;
    if (strcmp(name, "wrong-hmac") == 0) answer[count - 1] ^= 1;
    if (strcmp(name, "garbage") == 0)
        for (size_t index = 0; index < count; index++) answer[index] = (uint8_t)(index * 167 + 13);
    if (strcmp(name, "trailing") == 0) answer[count++] = 0;
    if (strcmp(name, "oversized") == 0) {
        memset(answer + count, 0, 5000 - count);
        count = 5000;
        answer[4] = 5000 >> 8;
        answer[5] = 5000 & 0xff;
    }
    return count;
}
