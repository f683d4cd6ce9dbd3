#!/usr/bin/env bash
# Makes every generated file anew, or with --check says which are stale. Each script that settles a generated file takes
# part by itself. They run compiled, so build first.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

status=0
generators=0
for script in $(grep -l 'settleGenerated(' scripts/*.ts); do
  [ "$script" = scripts/generated.ts ] && continue
  generators=$((generators + 1))
  node "dist/${script%.ts}.js" "$@" || status=1
done
if [ "$generators" -eq 0 ]; then
  echo 'no script settles a generated file' >&2
  exit 1
fi
exit "$status"
