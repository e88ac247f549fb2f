#!/usr/bin/env bash
# A compiler for Windows and a Wine that runs what it makes, of Debian: install.sh FOLDER. They are FOLDER/bin/wine, and in FOLDER/bin
# x86_64-w64-mingw32-gcc, -ar and -dlltool, of which Rust looks for the last in the PATH. Nothing of this machine is changed; the
# folder is there as a whole or not at all.
set -euo pipefail

folder=$1
[ ! -e "$folder/complete" ] || exit 0
die() { echo "tests/windows: $*" >&2; exit 1; }

# The oldest suite: its programs are started by this machine's own loader, and so may not need a newer library of C.
bash "$(dirname "$0")/../clients/debian.sh" bookworm "$folder" gcc-mingw-w64-x86-64-win32 wine64 || die "no compiler and no Wine"
libraries=$folder/usr/lib/x86_64-linux-gnu
dlls=$libraries/wine/x86_64-windows
mkdir -p "$folder/bin" "$folder/own" "$folder/beside"

# All libraries but those of C, which go with the loader.
for library in "$libraries"/lib*.so*; do
    case $(basename "$library") in
    libc.so* | libm.so* | libmvec.so* | libpthread.so* | libdl.so* | librt.so* | libresolv.so* | libutil.so* | libanl.so* | libnss_* | libthread_db.so*) ;;
    *) ln -sf "$library" "$folder/own/" ;;
    esac
done
for tool in gcc:gcc-win32 ar:ar dlltool:dlltool; do
    name=x86_64-w64-mingw32-${tool%:*}
    program=$folder/usr/bin/x86_64-w64-mingw32-${tool#*:}
    [ -x "$program" ] || die "there is no $program"
    printf '#!/bin/sh\nexport PATH="%s:$PATH" LD_LIBRARY_PATH="%s"\nexec "%s" "$@"\n' "$folder/usr/bin" "$folder/own" "$program" >"$folder/bin/$name"
done
# Debian's looks for itself below /usr.
printf '#!/bin/sh\nexec "%s/usr/lib/wine/wineserver64" "$@"\n' "$folder" >"$folder/usr/lib/wine/wineserver"
cat >"$folder/bin/wine" <<END
#!/bin/sh
# Without windows to be seen, and without the questions of a first start.
export LD_LIBRARY_PATH="$folder/own" WINEDEBUG=-all DISPLAY= WINEDLLOVERRIDES="mscoree,mshtml="
exec "$folder/usr/lib/wine/wine64" "\$@"
END
chmod +x "$folder"/bin/*

# Wine's user32.dll needs a library of another package, and this Wine is older than the source of random numbers that Rust uses.
cp "$folder/usr/x86_64-w64-mingw32/lib/zlib1.dll" "$dlls/"
cp "$dlls/zlib1.dll" "$folder/beside/"
cat >"$folder/beside/random.c" <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
END
"$folder/bin/x86_64-w64-mingw32-gcc" -shared -o "$folder/beside/bcryptprimitives.dll" "$folder/beside/random.c" -ladvapi32 || die "the compiler does not compile"
touch "$folder/complete"
