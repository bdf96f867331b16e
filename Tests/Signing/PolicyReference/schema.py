"""Judges examples of policies by their JSON Schema.

usage: schema.py FOLDER

The folder has schema.json and the examples good-N.json and bad-N.json. Without the package
jsonschema, nothing is checked.
"""
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: jsonschema is not installed")
    sys.exit(0)


def main():
    folder = sys.argv[1]

    def read(name):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            return json.load(file)

    schema = read("schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    names = [name for name in sorted(os.listdir(folder)) if name != "schema.json"]
    for name in names:
        errors = list(validator.iter_errors(read(name)))
        if bool(errors) == name.startswith("good"):
            print(name, [error.message for error in errors])
    print("checked", len(names))


main()
