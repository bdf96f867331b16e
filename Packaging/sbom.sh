#!/bin/sh
# Prints the software bill of materials as CycloneDX 1.5 (https://cyclonedx.org/docs/1.5/json/).
# It has no time and no serial number, so that two builds give the same text.
# usage: sbom.sh VERSION PROGRAM... <COMPONENTS
#   PROGRAM      the first one is described, the others are its components
#   COMPONENTS   the output of components.sh
set -eu
version=$1 program=$2
shift 2

sha256() { sha256sum "$1" | cut -d' ' -f1; }
hashes() { printf '"hashes": [{ "alg": "SHA-256", "content": "%s" }]' "$(sha256 "$1")"; }

application() {
    name=$(basename "$1")
    printf '"type": "application", "bom-ref": "%s", "name": "%s", "version": "%s",\n' "$name" "$name" "$version"
    printf '      "licenses": [{ "license": { "id": "MIT" } }],\n      %s' "$(hashes "$1")"
}

cat <<END
{
  "\$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {
      $(application "$program")
    }
  },
  "components": [
END
separator=""
references=""
for other; do
    printf '%s    {\n      %s\n    }' "$separator" "$(application "$other")"
    separator=",
"
    references="$references${references:+, }\"$(basename "$other")\""
done
while IFS='|' read -r name number licence url text archive; do
    case $name in unicode* | bip39* | slip39* | *-abi) type=data ;; *) type=library ;; esac
    case $licence in
    *" WITH "* | *" AND "*) licences="{ \"expression\": \"$licence\" }" ;;
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
  "dependencies": [{ "ref": "$(basename "$program")", "dependsOn": [$references] }]
}
END
