#!/bin/sh
# Runs a plan under exactly the layout that a *.layout.json says, and checks that it did.
#
#   run_layout.sh LAYOUT.layout.json PLAN.plan.json RUNDIR [options of `meshwright-cli run`]
#
#   meshwright-cli export samples/plans/transformer.plan.json --as layout-json -o mine.layout.json
#   samples/scripts/run_layout.sh mine.layout.json samples/plans/transformer.plan.json /tmp/run --steps 10
set -eu

if [ $# -lt 3 ]; then
  echo "usage: run_layout.sh LAYOUT.layout.json PLAN.plan.json RUNDIR [options of run]" >&2
  exit 2
fi
layout=$1 plan=$2 run=$3
shift 3
cli=${MESHWRIGHT_CLI:-meshwright-cli}
command -v "$cli" >/dev/null || { echo "cannot find $cli: put it on PATH or set MESHWRIGHT_CLI" >&2; exit 2; }

# The file says of which kind of step its shardings are; a plain list of rules says nothing, and the run trains.
step=$(sed -n 's/^  "step": "\([a-z]*\)".*/\1/p' "$layout")
if [ "$step" = inference ]; then set -- "$@" --inference; fi

# Mesh, rules and pins are read from the file.
"$cli" run "$plan" --layout "$layout" --to "$run" "$@"

ran=$run/ran.layout.json
"$cli" export "$run" --as layout-json -o "$ran"
if [ -z "$step" ]; then
  echo "the run's layout, with the sharding of every tensor, is $ran"
elif cmp -s "$layout" "$ran"; then
  echo "the run had the layout of $layout, tensor by tensor"
else
  echo "the run's layout differs from $layout:" >&2
  diff "$layout" "$ran" >&2 || true
  exit 1
fi
