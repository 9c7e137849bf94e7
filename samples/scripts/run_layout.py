#!/usr/bin/env python3
"""Runs a plan under exactly the layout that a *.layout.json says, shows the loss, and checks every tensor's sharding.

  run_layout.py LAYOUT.layout.json PLAN.plan.json RUNDIR [options of `meshwright-cli run`]
"""

import json
import os
import subprocess
import sys

CLI = os.environ.get("MESHWRIGHT_CLI", "meshwright-cli")


def read_layout(path):
    with open(path, encoding="utf-8") as file:
        layout = json.load(file)
    if layout.get("format") != "meshwright.layout/1":
        sys.exit(f"{path}: the format is {layout.get('format')!r}, this script reads 'meshwright.layout/1'")
    return layout


def mesh_text(layout):
    """data:2,model:2"""
    return ",".join(f"{axis['name']}:{axis['size']}" for axis in layout["mesh"])


def rules_text(layout):
    """batch:data;heads:model, as Mesh-TensorFlow writes it; an entry for each axis, the major one first"""
    return ";".join(f"{rule['dimension']}:{axis}" for rule in layout["rules"] for axis in rule["axes"])


def sharding(tensor):
    dims = [(dim["dimension"], dim["size"], tuple(dim["axes"])) for dim in tensor["dims"]]
    return dims, tuple(tensor.get("partial", [])), tensor.get("reduction", "sum")


def run(plan, layout_path, layout, folder, options):
    command = [CLI, "run", plan, "--layout", layout_path, "--to", folder, "--json"]
    if layout.get("mesh") is not None:
        command += ["--mesh", mesh_text(layout)]
    if layout.get("step") == "inference":
        command += ["--inference"]
    process = subprocess.Popen(command + options, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        event = json.loads(line)
        if event["event"] == "step":
            print(f"step {event['step']}: loss {event.get('loss', '-')}, {event['seconds']:.4f} s")
        elif event["event"] == "finished" and event["state"] == "failed":
            print(f"failed: rank {event.get('rank', '?')}, step {event.get('step', '?')}: {event.get('message', '')}")
    return process.wait()


def differences(wanted, ran):
    """Tensors that both know of and that were sharded otherwise."""
    by_name = {tensor["name"]: sharding(tensor) for tensor in ran.get("tensors", [])}
    found = []
    for tensor in wanted.get("tensors", []):
        if tensor["name"] in by_name and by_name[tensor["name"]] != sharding(tensor):
            found.append(f"{tensor['name']}: {sharding(tensor)} was wanted, {by_name[tensor['name']]} was run")
    return found


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    layout_path, plan, folder, options = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    layout = read_layout(layout_path)
    print(f"mesh {mesh_text(layout) if layout.get('mesh') is not None else 'of the plan'}, rules {rules_text(layout) or 'none'}, {len(layout.get('pins', []))} pins")
    code = run(plan, layout_path, layout, folder, options)
    if code != 0:
        return code
    path = os.path.join(folder, "ran.layout.json")
    subprocess.run([CLI, "export", folder, "--as", "layout-json", "-o", path], check=True)
    ran = read_layout(path)
    wrong = differences(layout, ran)
    for one in wrong:
        print(one)
    same_step = [t for t in layout.get("tensors", []) if t["name"] in {u["name"] for u in ran["tensors"]}]
    print(f"{len(same_step) - len(wrong)} of {len(same_step)} tensors of the layout ran as it says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
