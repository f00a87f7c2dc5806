# Checks the toolchain and installs missing packages.
# Sourced by bash scripts that have set PROGRAM to their name, and that read the lists of packages.
# shellcheck disable=SC2034

# Prints why the script cannot continue, and ends it.
fail() {
  printf '%s: %s\n' "$PROGRAM" "$1" >&2
  exit 1
}

# Prints the comment at the head of the script, and ends it: with status 0 for -h or --help, else 64.
usage() {
  local help
  help=$(sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${PROGRAM/check /checks/}")
  case ${1-} in
  -h | --help) printf '%s\n' "$help" && exit 0 ;;
  *) printf '%s\n' "$help" >&2 && exit 64 ;;
  esac
}

# Ends the script unless Swift 6.2 or later is installed.
require_swift() {
  local version cure='install Swift 6.2 or later from https://www.swift.org/install'
  command -v swift >/dev/null 2>&1 || fail "swift is not in PATH; $cure"
  version=$(swift --version 2>/dev/null </dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p')
  [ -n "$version" ] || fail 'swift is in PATH but prints no version'
  printf '%s\n' 6.2 "$version" | sort -CV || fail "Swift $version is too old; $cure"
}

# Installs those of the named Debian packages that are missing, after one line that says so.
install_packages() {
  local package log missing=() as_root=()
  for package in "$@"; do
    [ "$(dpkg-query -Wf '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  command -v apt-get >/dev/null 2>&1 ||
    fail "there is no apt-get to install ${missing[*]}; install them by other means and try again"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail "installing ${missing[*]} needs root or sudo; there is neither"
    as_root=(sudo)
    [ -t 0 ] || as_root=(sudo -n)
  fi

  printf '%s: installing the Debian packages %s\n' "$PROGRAM" "${missing[*]}"
  log=$(mktemp)
  # The package lists may be outdated or missing. If they cannot be renewed, the old ones may do.
  "${as_root[@]}" apt-get -q update >"$log" 2>&1 </dev/null || true
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y --no-install-recommends install "${missing[@]}" >>"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    fail "apt-get could not install ${missing[*]}; its last lines are above, the rest is in $log"
  fi
  rm -f "$log"
}

# What the build needs; SpatiaLite's brings those of libxml2 and zlib.
BUILD_PACKAGES=(libsqlite3-dev libspatialite-dev libyaml-dev pkg-config)
# What the engine for browsers needs, besides.
MODULE_PACKAGES=(wasi-libc libclang-rt-dev-wasm32 binaryen zopfli python3)
# Libraries that the program opens when it first needs them, by what brings them on every release of Debian.
OPENED_PACKAGES=(libspatialite-dev libmosquitto-dev tzdata)
# What the examples of README and guides need: these libraries, the map of the pages, and the programs that
# webhooks and desktop notifications go through.
EXAMPLE_PACKAGES=("${OPENED_PACKAGES[@]}" libjs-leaflet curl libnotify-bin)
# What the tests and the fuzzer need, besides: PROJ is their reference for geodesics.
REFERENCE_PACKAGES=(libproj-dev "${OPENED_PACKAGES[@]}")
# What makes packages, besides.
PACKAGING_PACKAGES=(
  git binutils dpkg-dev debhelper xz-utils python3 python3-venv python3-markdown-it python3-mdit-py-plugins
  libjs-leaflet "${OPENED_PACKAGES[@]}"
)
