#!/bin/sh
# Prints the software bill of materials as CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/).
# It has no time and no serial number, so that two builds give the same text.
# usage: sbom.sh VERSION PROGRAM <COMPONENTS
#   COMPONENTS   the output of components.sh
set -eu
version=$1 program=$2

sha256() { sha256sum "$1" | cut -d' ' -f1; }
hashes() { printf '"hashes": [{ "alg": "SHA-256", "content": "%s" }]' "$(sha256 "$1")"; }

cat <<END
{
  "\$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {
      "type": "application", "bom-ref": "eosvault", "name": "eosvault", "version": "$version",
      "licenses": [{ "license": { "id": "MIT" } }],
      $(hashes "$program")
    }
  },
  "components": [
END
separator=""
references=""
while IFS='|' read -r name number licence url text archive; do
    case $name in unicode* | bip39* | *-abi) type=data ;; *) type=library ;; esac
    case $licence in
    *" WITH "*) licences="{ \"expression\": \"$licence\" }" ;;
    *) licences="{ \"license\": { \"id\": \"$licence\" } }" ;;
    esac
    printf '%s    {\n      "type": "%s", "bom-ref": "%s", "name": "%s", "version": "%s",\n' \
        "$separator" "$type" "$name" "$name" "$number"
    printf '      "purl": "%s",\n      "licenses": [%s]' "$url" "$licences"
    [ "$archive" = - ] || printf ',\n      %s' "$(hashes "$archive")"
    printf '\n    }'
    separator=",
"
    references="$references${references:+, }\"$name\""
    [ -r "$text" ] || {
        echo "sbom: $text, the licence of $name, is missing" >&2
        exit 1
    }
done
cat <<END

  ],
  "dependencies": [{ "ref": "eosvault", "dependsOn": [$references] }]
}
END
