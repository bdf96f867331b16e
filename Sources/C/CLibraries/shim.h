#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <sodium.h>

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

// OpenSSL 3 deprecates these functions. Hash functions whose state the caller allocates, so that it
// can be in guarded memory; their successors keep it on the heap. Signatures of P-256 as two
// numbers; their successors encode them in DER, with branches on bits of the signature and one more
// copy of the private key.
#undef OSSL_DEPRECATEDIN_3_0
#define OSSL_DEPRECATEDIN_3_0
#include <openssl/ec.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <zlib.h>
