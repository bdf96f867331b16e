#include "no_foundation.h"

#ifdef EOSVAULT_NO_FOUNDATION
#include <stdlib.h>

// The descriptor of a protocol to which no type conforms: its kind, then references to its name and
// to no requirements (swift/ABI/Metadata.h, TargetProtocolDescriptor).
__asm__(".pushsection .rodata.no_foundation, \"a\", %progbits\n"
        ".Lname: .asciz \"LocalizedError\"\n"
        ".p2align 2\n"
        ".globl \"$s20FoundationEssentials14LocalizedErrorMp\"\n"
        "\"$s20FoundationEssentials14LocalizedErrorMp\":\n"
        ".long 0x00010003, 0\n"
        ".long .Lname - .\n"
        ".long 0, 0, 0\n"
        ".popsection\n");

// The functions of JSONEncoder, Data and String.Encoding. Nothing calls them.
#define ABSENT(function, symbol)    \
    void function(void) __asm__(symbol); \
    void function(void) { abort(); }

ABSENT(no_encoder_type, "$s20FoundationEssentials11JSONEncoderCMa")
ABSENT(no_encoder, "$s20FoundationEssentials11JSONEncoderCACycfc")
ABSENT(no_pretty_format, "$s20FoundationEssentials11JSONEncoderC16OutputFormattingV13prettyPrintedAEvau")
ABSENT(no_sorted_format, "$s20FoundationEssentials11JSONEncoderC16OutputFormattingV10sortedKeysAEvau")
ABSENT(no_encoding, "$sSS20FoundationEssentialsE8EncodingV4utf8ACvau")
ABSENT(no_text, "$sSS20FoundationEssentialsE4data8encodingSSSgAA4DataVh_SSAAE8EncodingVtcfC")
#endif
