// The commit that the program was built from.
#ifndef EOSVAULT_COMMIT_H
#define EOSVAULT_COMMIT_H

/// 40 hexadecimal digits, followed by `-changed` if the checkout had changes; "unknown" for
/// sources without git's history.
const char *commit_of_build(void);

#endif
