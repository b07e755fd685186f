#!/bin/sh
# Makes a .dmg with the application and a link to the Applications folder. Arguments: the bundle and the image. Only on macOS.
set -eu
bundle=$1
image=$2
for tool in hdiutil codesign; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "disk_image: $tool is missing; a disk image can only be made on macOS" >&2
        exit 2
    }
done
# SIGN_AS is an Apple identity. Without it, the signature only proves that nothing was changed.
codesign --force --deep --sign "${SIGN_AS:--}" "$bundle"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$bundle" "$folder/"
ln -s /Applications "$folder/Applications"
rm -f "$image"
hdiutil create -quiet -volname Turnwright -srcfolder "$folder" -format UDZO -imagekey zlib-level=9 "$image"
