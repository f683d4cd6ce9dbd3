#!/usr/bin/env bash
# Everything CI runs, in CI's order; stops at the first group that fails.
#   check.sh            all groups
#   check.sh NAME...    these groups
#   check.sh --list     their names
# Ends with 1 when a group failed; a single group that cannot run on this machine ends with 77.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export PATH="$PWD/node_modules/.bin:$PATH"

groups=(types format lint floors dead-code migrations generated api-changes package deploy audit mutants reliability bench tests long)
SKIPPED=77

types() {
  tsc -p tsconfig.json && tsc -p pay/tsconfig.json --noEmit && tsc -p docs/tsconfig.json && tsc -p console/tsconfig.json
}

format() {
  biome ci --colors=off --max-diagnostics=20 . || { echo 'Mend: npm run fix'; return 1; }
}

# Type-aware (.oxlintrc.json): a lost await loses money. That each suppression has a reason is in test/house.test.ts.
lint() {
  oxlint --deny-warnings || return 1
  echo "suppressions: $(grep -rEh 'oxlint-disable|@ts-expect-error' src bench sandbox scripts | wc -l)"
}

floors() {
  local roots=() root
  for root in src bench sandbox scripts test sdk console pay vitest.config.ts vitest.long.config.ts vitest.citus.config.ts vitest.servers.config.ts; do
    [ -e "$root" ] && roots+=("$root")
  done
  depcruise --config .dependency-cruiser.cjs "${roots[@]}"
}

dead_code() {
  knip --no-progress
}

migrations() {
  if ! squawk --version >/dev/null 2>&1; then
    echo "SKIPPED: squawk's binary cannot run on this machine"
    return "$SKIPPED"
  fi
  squawk --reporter gcc db/migrations/*.sql
}

generated() {
  npm run --silent compile && bash scripts/generate.sh --check
}

# docs/openapi.json beside the last release: what breaks callers is named in the changelog. And what else of a release holds always.
api_changes() {
  npm run --silent compile && node dist/scripts/api-changes/check.js && node dist/scripts/release/check.js --dry-run
}

# What npm would publish: its files, its size, and that it imports nothing that is not installed with it.
package() {
  npm run --silent build && node dist/scripts/package/tarball.js
}

# The files of deploy/, each before its own linter; tools that are not here are named.
deploy() {
  npm run --silent compile && node dist/scripts/deploy/check.js
}

# What is known against packages that are installed with the gateway or bundled into it, where the registry tells.
audit() {
  local said
  said=$(npm audit --json 2>/dev/null)
  if ! node -e 'process.exit(JSON.parse(process.argv[1]).metadata?.vulnerabilities ? 0 : 1)' "$said" 2>/dev/null; then
    echo 'SKIPPED: the registry tells nothing about vulnerabilities'
    return "$SKIPPED"
  fi
  npm audit --audit-level=high
}

# The test of the tests, for some of the faults that there are to plant; all of them: npm run mutants.
mutants() {
  npm run --silent compile && node dist/scripts/reliability/mutants.js maker-approves old-database-goes-on amounts-in-floating-point any-signature
}

# Each experiment of RELIABILITY.md in so few steps that it only shows that the command still runs.
reliability() {
  npm run --silent compile || return 1
  local none=(--payouts 0 --outage-seconds 0 --lies 0 --command-kills 0)
  node dist/scripts/reliability/simulate.js --seeds 300 &&
    node dist/scripts/reliability/wallet-stories.js --stories 20 &&
    node dist/scripts/reliability/rehearsals.js --histories 40 &&
    node dist/scripts/reliability/crash.js --kills 1 --freezes 1 &&
    node dist/scripts/reliability/soak.js --minutes 0.3 &&
    node dist/scripts/reliability/torture.js "${none[@]}" --races 20 --permutations 20 --payment-races 10 --event-kills 2 --command-rows 200
}

# Every scenario from end to end, and some by two processes, in some minutes. How fast they are is measured by hand: npm run bench.
bench() {
  npm run --silent compile && node bin/gateway.js bench --short --seconds 1 &&
    node bin/gateway.js bench --short --seconds 1 --processes 2 --scenario pay-one costs
}

tests() {
  vitest run
}

# Whole journeys, and processes that are killed at many points (test/long.ts).
long() {
  vitest run --config vitest.long.config.ts
}

[ "${1:-}" = --list ] && { printf '%s\n' "${groups[@]}"; exit 0; }
wanted=("${@:-${groups[@]}}")
summary=()
status=0
for group in "${wanted[@]}"; do
  # No pipe: one that ends early would be taken for a group that is not there.
  if [[ " ${groups[*]} " != *" $group "* ]]; then
    echo "check.sh: no group named $group. There are: ${groups[*]}" >&2
    exit 1
  fi
  if [ "$status" -eq 1 ]; then
    summary+=("$group: not run")
    continue
  fi
  printf '\n== %s\n' "$group"
  started=$SECONDS
  "${group//-/_}"
  case $? in
    0) summary+=("$group: ok ($((SECONDS - started)) s)") ;;
    "$SKIPPED")
      summary+=("$group: SKIPPED")
      [ "${#wanted[@]}" -eq 1 ] && status=$SKIPPED
      ;;
    *)
      summary+=("$group: FAILED ($((SECONDS - started)) s)")
      status=1
      ;;
  esac
done
printf '\n'
printf '%s\n' "${summary[@]}"
exit "$status"
