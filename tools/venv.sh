#!/bin/sh
# Creates the virtual environment $1 with the newest Python of at least 3.11, or says what is missing.
set -eu

for name in ${PYTHON:-python3.13 python3.12 python3.11 python3 python}; do
    found=$(command -v "$name" || true)
    if [ -n "$found" ] && "$found" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        break
    fi
    found=
done
if [ -z "$found" ]; then
    echo "symcute needs Python 3.11 or later, and none of ${PYTHON:-python3.13, python3.12, python3.11, python3, python} is one." >&2
    echo "Install one (Debian, Ubuntu: apt install python3 python3-venv), or name it: make PYTHON=/path/to/python3.12" >&2
    exit 1
fi

version=$("$found" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
if ! "$found" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "Python $version at $found cannot make virtual environments: ensurepip is missing." >&2
    echo "Install it (Debian, Ubuntu: apt install python$version-venv) and run make again." >&2
    exit 1
fi

echo "creating $1 with Python $version ($found)"
rm -rf "$1"
if ! "$found" -m venv "$1"; then
    rm -rf "$1"
    echo "the virtual environment could not be made; the message above says why" >&2
    exit 1
fi
