# Type-checks the core for Apple's oldest systems, with their availability, by the toolchain of Linux.
# Sourced by Tools/check products.
#
# The interfaces of Swift's own library are the same for all systems and say since when Apple's have each declaration.
# They are compiled for an Apple target here, beside stand-ins of the few functions that the core takes from the C library.
# Not seen are FencepostStateFile and FencepostApple, which need more of Apple's SDK, and whether a stand-in is true to it.

PLATFORM_CORE=(Geodesy Time Formats Fixes Monitoring PlaceList Notifications Phones Session)

# The interface of a module of Swift's for a target. A declaration without a body cannot be back-deployed.
apple_interface() {
  python3 - "$1" "$2" <<'PYTHON'
import pathlib, re, sys

path, target = sys.argv[1:]
lines = pathlib.Path(path).read_text().replace("x86_64-unknown-linux-gnu", target).split("\n")
for number, line in enumerate(lines):
    declared = next(filter(re.compile(r"\b(func|var|init|subscript)\b").search, lines[number + 1:]), "")
    if not line.lstrip().startswith("@backDeployed") or declared.rstrip().endswith("{"):
        print(line)
PYTHON
}

# Compiles Swift's modules and the stand-ins for a target into a folder.
make_platform() {
  local target=$1 out=$2 library module flags arch
  arch=$(uname -m)
  library=$(dirname "$(dirname "$(readlink -f "$(command -v swift-frontend)")")")/lib/swift
  mkdir -p "$out/resources" "$out/Darwin"
  ln -s "$library/shims" "$library/clang" "$out/resources"
  # Their own use of each other is Swift's business.
  for module in Swift SwiftOnoneSupport _Concurrency _StringProcessing; do
    apple_interface "$library/linux/$module.swiftmodule/$arch-unknown-linux-gnu.swiftinterface" "$target" \
      >"$out/$module.swiftinterface"
    flags=$(sed -n 's,^// swift-module-flags: ,,p' "$out/$module.swiftinterface")
    # shellcheck disable=SC2086 # a list of flags
    swift-frontend -compile-module-from-interface -disable-availability-checking $flags -resource-dir "$out/resources" -I "$out" \
      -module-cache-path "$out/cache" -o "$out/$module.swiftmodule" "$out/$module.swiftinterface" || return 1
  done
  printf 'module Darwin [system] { header "darwin.h" export * }\n' >"$out/Darwin/module.modulemap"
  cat >"$out/Darwin/darwin.h" <<'C'
typedef unsigned long size_t;
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double), sinh(double),
  cosh(double), tanh(double), asinh(double), acosh(double), atanh(double), exp(double), expm1(double),
  log(double), log1p(double), log10(double), cbrt(double), ldexp(double, int), atan2(double, double),
  pow(double, double), hypot(double, double), fmod(double, double), remainder(double, double);
typedef struct __sFILE { int _; } FILE;
FILE *fopen(const char *, const char *);
int fclose(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
C
}

# Type-checks a module for a target, and keeps its interface for those that import it.
apple_module() {
  local target=$1 out=$2 module=$3 flags
  shift 3
  flags=(
    -target "$target" -resource-dir "$out/resources" -I "$out" -I "$out/Darwin" -module-cache-path "$out/cache"
    -disable-objc-interop -module-name "$module" -package-name fencepost -parse-as-library -swift-version 6
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault
  )
  # No code is generated: that needs more of the library than its interface.
  swift-frontend -typecheck "${flags[@]}" "$@" &&
    swift-frontend -emit-module -experimental-skip-all-function-bodies "${flags[@]}" \
      -o "$out/$module.swiftmodule" "$@"
}

# The files of a module, with what SwiftPM makes of its resources.
apple_sources() {
  local module=$1 out=$2 file
  find Sources/*/"$module" -name '*.docc' -prune -o -name '*.swift' -print | sort
  [ -d Sources/Core/"$module"/Profiles ] || return 0
  {
    printf 'struct PackageResources {\n'
    for file in "Sources/Core/$module"/Profiles/*; do
      file=${file##*/}
      printf '  static let %s: [UInt8] = []\n' "$(tr -c 'A-Za-z0-9\n' _ <<<"$file")"
    done
    printf '}\n'
  } >"$out/$module-resources.swift"
  printf '%s\n' "$out/$module-resources.swift"
}

check_platforms() {
  local target module name out faults=0
  for target in x86_64-apple-macosx15.0 x86_64-apple-ios16.0-simulator; do
    out=$work/$target
    make_platform "$target" "$out" >"$work/platform.log" 2>&1 || {
      grep -E 'error:' "$work/platform.log" | sort -u | head -n 20
      fail "the toolchain's interfaces do not compile for $target"
    }
    for module in "${PLATFORM_CORE[@]}"; do
      name=Fencepost$module
      # shellcheck disable=SC2046 # no path of a source has a blank
      apple_module "$target" "$out" "$name" $(apple_sources "$module" "$out") >"$work/platform.log" 2>&1 || {
        printf 'platforms: %s does not compile for %s\n' "$name" "$target"
        grep -E 'error:' "$work/platform.log" | sort -u | head -n 20
        faults=$((faults + 1))
        break
      }
    done
  done
  [ "$faults" -eq 0 ] || return 1
  printf 'platforms: %d modules compile for macOS 15 and iOS 16\n' ${#PLATFORM_CORE[@]}
}
