#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <sodium.h>

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

// Hash functions whose state the caller allocates, so that it can be in guarded memory. OpenSSL 3
// deprecates them in favour of functions that keep the state on the heap.
#undef OSSL_DEPRECATEDIN_3_0
#define OSSL_DEPRECATEDIN_3_0
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <zlib.h>
