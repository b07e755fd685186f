#!/bin/sh
# Makes a .dmg with the application and a link to drag it to. Arguments: the bundle, the image. On macOS only.
set -eu
bundle=$1
image=$2
for tool in hdiutil codesign; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "turnwright: $tool is missing; a disk image is made on macOS" >&2
        exit 2
    }
done
# Without an identity of Apple's the signature says only that nothing was changed; SIGN_AS names one.
codesign --force --deep --sign "${SIGN_AS:--}" "$bundle"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$bundle" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -quiet -volname Turnwright -srcfolder "$folder" -format UDZO -imagekey zlib-level=9 "$image"
