# Runs checks one after the other, with a line each and their words in logs.
# To be sourced by bash from a script that has set PROGRAM to its name and LOGS to a folder.

passed=() failed=() skipped=()
ticker=

# Seconds as people read them: 7 s, 3 min 5 s.
duration() {
  if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); fi
}

# Shows on a terminal, until stop_ticker, that a stage is running, and for how long.
start_ticker() {
  [ -t 1 ] || return 0
  local name=$1 start=$SECONDS
  while :; do
    printf '\r%-14s running, %s ' "$name" "$(duration $((SECONDS - start)))"
    sleep 1
  done &
  ticker=$!
}

stop_ticker() {
  [ -n "$ticker" ] || return 0
  kill "$ticker" 2>/dev/null || true
  # Its status is that of a program that was killed.
  wait "$ticker" 2>/dev/null || true
  ticker=
  # Back to the first column, then erase the line.
  printf '\r\033[K'
}

# The lines of a log that say what failed, else its last ones.
complaints() {
  local found
  # A line that says that a test begins may hold such words among its arguments.
  found=$(grep -nE '(^|[^a-z])error: |✘|Fatal error|FAILED|FAULT|Segmentation fault' "$1" |
    grep -v '◇' | cut -c 1-500 | awk '!seen[$0]++' | head -n 40) || true
  if [ -n "$found" ]; then printf '%s\n' "$found" | sed 's/^/    /'; fi
  printf '  the last lines of %s:\n' "$1"
  tail -n 20 "$1" | sed 's/^/    /'
}

# Runs a check by name and remembers how it went: a line on standard output, its words in a log.
check() {
  local name=$1 log=$LOGS/${1// /-}.log start=$SECONDS status=0
  shift
  mkdir -p "$LOGS"
  start_ticker "$name"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  stop_ticker
  if [ "$status" -eq 0 ]; then
    passed+=("$name")
    printf '%-14s passed in %s\n' "$name" "$(duration $((SECONDS - start)))"
  else
    failed+=("$name")
    printf '%-14s FAILED after %s, with status %d\n' \
      "$name" "$(duration $((SECONDS - start)))" "$status"
    complaints "$log"
  fi
}

# Leaves a check out, and says why.
skip() {
  skipped+=("$1 ($2)")
  printf '%-14s skipped: %s\n' "$1" "$2"
}

trap stop_ticker EXIT
