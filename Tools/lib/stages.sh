# Runs checks, prints a line for each, and keeps what they print in logs.
# Sourced by bash scripts that have set PROGRAM to their name and LOGS to a folder, and that run with
# `--check NAME` the one check of that name, which they set ONLY to.

passed=() failed=() skipped=()
# The checks that begin has started, and their processes.
begun=() running=()

# Seconds as people read them: 7 s, 3 min 5 s.
duration() {
  if [ "$1" -lt 60 ]; then printf '%d s' "$1"; else printf '%d min %d s' $(($1 / 60)) $(($1 % 60)); fi
}

# Prints the lines of a log that say what failed, then its last lines.
complaints() {
  local found
  # Lines that announce a test (◇) may contain these words among its arguments.
  found=$(grep -nE '(^|[^a-z])error: |✘|Fatal error|FAILED|FAULT|Segmentation fault' "$1" |
    grep -v '◇' | cut -c 1-500 | awk '!seen[$0]++' | head -n 40) || true
  if [ -n "$found" ]; then printf '%s\n' "$found" | sed 's/^/    /'; fi
  printf '  the last lines of %s:\n' "$1"
  tail -n 20 "$1" | sed 's/^/    /'
}

log_of() { printf '%s' "$LOGS/${1// /-}.log"; }

# Whether a check is one of those to run.
wanted() { [ -z "${ONLY-}" ] || [ "$ONLY" = "$1" ]; }

# Runs a check by name, and keeps its status and its seconds beside its log.
run_check() {
  local name=$1 log start=$SECONDS status=0
  log=$(log_of "$name")
  shift
  mkdir -p "$LOGS"
  rm -f "$log.end"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  printf '%d %d\n' "$status" $((SECONDS - start)) >"$log.end"
}

# Prints the line of a check that has ended. A shell that was killed leaves no status. At status 77 it could
# not run; its log's last line says why.
end_check() {
  local name=$1 log status=1 seconds=0
  log=$(log_of "$name")
  [ ! -f "$log.end" ] || read -r status seconds <"$log.end"
  rm -f "$log.end"
  if [ "$status" -eq 77 ]; then
    skip "$name" "$(tail -n 1 "$log")"
  elif [ "$status" -eq 0 ]; then
    passed+=("$name")
    printf '%-14s passed in %s\n' "$name" "$(duration "$seconds")"
  else
    failed+=("$name")
    printf '%-14s FAILED after %s, with status %d\n' "$name" "$(duration "$seconds")" "$status"
    complaints "$log"
    printf '  its log: %s/%s; again: %s --check %q\n' "$PWD" "$log" "$PROGRAM" "$name"
  fi
}

check() {
  wanted "$1" || return 0
  run_check "$@" && end_check "$1"
}

# Starts a check by name beside those that follow, to which it leaves the processor; await waits for it.
begin() {
  wanted "$1" || return 0
  (
    renice -n 19 "$BASHPID" >/dev/null 2>&1 || true
    run_check "$@"
  ) &
  begun+=("$1")
  running+=("$!")
}

# Waits for the checks that begin has started, and prints their lines in that order.
await() {
  local index
  for index in "${!begun[@]}"; do
    wait "${running[index]}" || true
    end_check "${begun[index]}"
  done
  begun=() running=()
}

# Leaves a check out, and says why.
skip() {
  wanted "$1" || return 0
  skipped+=("$1 ($2)")
  printf '%-14s skipped: %s\n' "$1" "$2"
}

# A process in the background does not hear Ctrl-C.
stop_all() {
  [ ${#running[@]} -eq 0 ] || kill "${running[@]}" 2>/dev/null || true
}

trap stop_all EXIT
