"""Unseals secrets with tpm2-tools, an independent program, from the TPM that is descriptor 3.

usage: with-tpm STATE python3 tools.py FOLDER REGISTERS
FOLDER has `public`, `private` (TPM2B) and `authorization`; REGISTERS are numbers with commas,
or "".
Writes the Name of the storage key and the secret, in hex.
       tools.py relay    passes commands of standard input to descriptor 3, and answers back
"""

import os
import select
import subprocess
import sys


def relay():
    while True:
        for file in select.select([0, 3], [], [])[0]:
            data = os.read(file, 4096)
            if not data:
                return
            os.write(3 if file == 0 else 1, data)


def run(*arguments):
    done = subprocess.run(arguments, capture_output=True, pass_fds=[3])
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def unseal(folder, registers):
    os.environ["TPM2TOOLS_TCTI"] = f"cmd:{sys.executable} {os.path.abspath(__file__)} relay"
    os.chdir(folder)
    # The tools read two TPM2B_ECC_PARAMETER of the machine's memory: a count and 128 bytes.
    with open("unique", "wb") as file:
        file.write(2 * (bytes([32, 0]) + bytes(128)))
    attributes = "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt"
    run("tpm2_createprimary", "-C", "o", "-g", "sha256", "-G", "ecc256:aes128cfb", "-u", "unique",
        "-a", attributes, "-c", "primary")
    run("tpm2_readpublic", "-c", "primary", "-n", "name")
    run("tpm2_flushcontext", "-t")
    run("tpm2_load", "-C", "primary", "-u", "public", "-r", "private", "-c", "object")
    run("tpm2_flushcontext", "-t")
    with open("authorization", "rb") as file:
        authorization = "hex:" + file.read().hex()
    if registers:
        run("tpm2_startauthsession", "-S", "session", "--policy-session")
        run("tpm2_policypcr", "-S", "session", "-l", "sha256:" + registers)
        run("tpm2_policyauthvalue", "-S", "session")
        authorization = "session:session+" + authorization
    secret = run("tpm2_unseal", "-c", "object", "-p", authorization)
    with open("name", "rb") as file:
        print(file.read().hex(), secret.hex())


if sys.argv[1] == "relay":
    relay()
else:
    unseal(*sys.argv[1:])
