# SPDX-License-Identifier: GPL-3.0-or-later
# Every package lists what it is made of: each library that its program loads or that its headers come from, with the
# version that was found, as SPDX wants it.
. "$(dirname "$0")/common.sh"

for component in $components; do
    put "$component"
    case $component in
    window) package=cardfit ;;
    cli) package=cardfit-cli ;;
    dev) package=libcardfit-dev ;;
    python) package=python3-cardfit ;;
    esac
    list=$work/$component/usr/share/doc/$package/$package.spdx
    [ -s "$list" ] || fail "$package: no list"
    for line in "SPDXVersion: SPDX-2.3" "DataLicense: CC0-1.0" "SPDXID: SPDXRef-DOCUMENT" "PackageName: $package" \
        "PackageVersion: $PROGRAM_VERSION" "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-$package"; do
        grep -qx "$line" "$list" || fail "$package: no line $line"
    done
    grep -Eqx 'Created: [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z' "$list" || fail "$package: when? $(grep Created "$list")"
    [ "$(grep -c '^PackageName: ' "$list")" = "$(grep -c '^Relationship: ' "$list")" ] || fail "$package: relationships"
    if command -v dpkg-query > /dev/null; then
        while read -r debian version; do
            [ "$(dpkg-query -W -f '${Version}' "$debian")" = "$version" ] || fail "$package: $debian is not $version"
        done < <(sed -n 's/^ExternalRef: PACKAGE-MANAGER purl pkg:deb\/debian\/\(.*\)@\(.*\)$/\1 \2/p' "$list" \
            | sed 's/%3A/:/g; s/%2B/+/g; s/%7E/~/g')
    fi
    if grep -q NOASSERTION$ <(grep '^PackageVersion' "$list"); then fail "$package: a version is not known"; fi
done
# What the loader is told to load is in the list.
if has cli; then
    for library in fmt:libfmt oneTBB:libtbb yaml-cpp:libyaml-cpp zlib:libz; do
        readelf -d "$work/cli/usr/bin/cardfit-cli" | grep -q "NEEDED.*\[${library#*:}\.so\|NEEDED.*\[${library#*:}[.-]" || continue
        grep -qx "Relationship: SPDXRef-cardfit-cli DYNAMIC_LINK SPDXRef-${library%:*}" \
            "$work/cli/usr/share/doc/cardfit-cli/cardfit-cli.spdx" || fail "$library is not in the list"
    done
    others=$(readelf -d "$work/cli/usr/bin/cardfit-cli" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' \
        | grep -vE '^(libfmt|libtbb|libyaml-cpp|libz|libstdc\+\+|libm|libgcc_s|libc|ld-linux.*)\.' || true)
    [ -z "$others" ] || fail "libraries that no list names: $others"
fi
