"""Checks the files of Apps/service/Deployment without a container engine, and fails if a check fails.

Reads compose.yaml, the Containerfile and the systemd unit, and compares their names, ports, times and settings with
each other and with the configuration of the service. Runs migrate.sh with a substitute for the service, and
`systemd-analyze` and `nginx -t` if they are installed.

Usage: service-deployment-check.py
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

service = Path(__file__).parents[2] / "Apps" / "service"
folder = service / "Deployment"
# The exposure level of `systemd-analyze security`: 0 is the most restricted, 100 the least.
MAXIMUM_EXPOSURE = 20
# The time in which the service finishes requests.
STOP_SECONDS = 20

findings = []


def check(condition, finding):
    if not condition:
        findings.append(finding)


def read(name):
    return (folder / name).read_text(encoding="utf-8")


def seconds(text):
    return int(re.fullmatch(r"(\d+)s?", str(text))[1])


def known_settings():
    """Returns the environment variables that the help of the service lists."""
    names = set()
    for path in (service / "Sources" / "Service" / "Configuration").glob("*.swift"):
        names |= set(re.findall(r"STRATA_[A-Z_]+", path.read_text(encoding="utf-8")))
    return names


def check_settings():
    known = known_settings() | {"STRATA_"}
    check(len(known) > 4, "the settings of the service were not found")
    for path in [*folder.iterdir(), service / "README.md"]:
        for name in set(re.findall(r"STRATA_[A-Z_]*", path.read_text(encoding="utf-8"))) - known:
            findings.append(f"{path.name}: the service has no setting {name}")


def instructions(text):
    """Yields the instructions of a Containerfile as their name and words."""
    for line in re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", text)).splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            yield name, rest.strip()


def check_containerfile():
    stages = []
    for name, rest in instructions(read("Containerfile")):
        if name == "FROM":
            stages.append((rest.split(), []))
        elif stages:
            stages[-1][1].append((name, rest))
    check(len(stages) == 2, f"Containerfile: {len(stages)} stages instead of 2")
    names = {words[2] for words, _ in stages if len(words) == 3 and words[1].upper() == "AS"}
    allowed = {"RUN", "WORKDIR", "COPY", "ENV", "USER", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT"}
    for words, content in stages:
        check(":" in words[0].rsplit("/", 1)[-1], f"Containerfile: the image {words[0]} has no version")
        for name, rest in content:
            check(name in allowed, f"Containerfile: the instruction {name} is unknown to this check")
            if name == "RUN":
                result = subprocess.run(["sh", "-n", "-c", rest], capture_output=True, text=True)
                check(result.returncode == 0, f"Containerfile: {result.stderr.strip()}")
            if name == "COPY":
                words = rest.split()
                stage = next((word[7:] for word in words if word.startswith("--from=")), None)
                check(stage is None or stage in names, f"Containerfile: there is no stage {stage}")
                for source in [word for word in words if not word.startswith("--")][:-1] if stage is None else []:
                    path = service.parents[1] / source
                    check(path.exists(), f"Containerfile: there is no {source}")
    last = dict(stages[-1][1])
    check(last.get("USER", "").isdigit() and last["USER"] != "0", "Containerfile: USER is not an unprivileged number")
    check(last.get("STOPSIGNAL") == "SIGTERM", "Containerfile: STOPSIGNAL is not SIGTERM")
    check(last.get("ENTRYPOINT", "").startswith("["), "Containerfile: ENTRYPOINT runs a shell, which ignores SIGTERM")


def check_references(compose, name, part):
    services = compose["services"]
    for other, condition in part.get("depends_on", {}).items():
        check(other in services, f"{name}: depends on {other}, which does not exist")
        if condition["condition"] == "service_healthy":
            has_check = "healthcheck" in services.get(other, {})
            check(has_check, f"{name}: depends on the health of {other}, which has no check")
    for kind in ("networks", "secrets"):
        for reference in part.get(kind, []):
            check(reference in compose[kind], f"{name}: {reference} is not one of the {kind}")
    for volume in part.get("volumes", []):
        source = volume.split(":")[0]
        exists = (folder / source).exists() if source.startswith(".") else source in compose["volumes"]
        check(exists, f"{name}: the volume {source} does not exist")
    for port in part.get("ports", []):
        check(port.startswith("127.0.0.1:"), f"{name}: the port {port} is open to other machines, without TLS")


def check_compose():
    compose = yaml.safe_load(read("compose.yaml"))
    services = compose["services"]
    for name, part in services.items():
        check_references(compose, name, part)
        check("build" in part or ":" in part["image"].rsplit("/", 1)[-1], f"{name}: the image has no version")
        if "build" in part:
            context = (folder / part["build"]["context"]).resolve()
            check((context / part["build"]["dockerfile"]).is_file(), f"{name}: the Containerfile does not exist")
    instances = {name: part for name, part in services.items() if name.startswith("service-")}
    check(len(instances) == 3, f"compose.yaml: {len(instances)} instances instead of 3")
    check(len({repr(part) for part in instances.values()}) == 1, "compose.yaml: the instances differ")
    for name, part in instances.items():
        check("migrate" in part["depends_on"], f"{name}: starts before the migration")
        drain = int(part["environment"].get("STRATA_DRAIN_SECONDS", 0))
        check(seconds(part["stop_grace_period"]) > drain + STOP_SECONDS, f"{name}: is killed before it has stopped")
        tokens = f"/run/secrets/{part['secrets'][0]}"
        check(tokens == part["environment"]["STRATA_TOKEN_FILE"], f"{name}: the token file is not {tokens}")
    check(services["migrate"]["restart"] == "no", "migrate: is not a job that runs once")
    port = next(iter(instances.values()))["environment"]["STRATA_PORT"]
    upstreams = set(re.findall(r"server ([\w.-]+:\d+)", read("nginx.conf")))
    check(upstreams == {f"{name}:{port}" for name in instances}, f"nginx.conf: the servers are {sorted(upstreams)}")
    return list(instances)


def check_migration(work):
    """The job ends with the status of the service: after its start, and after an error."""
    shutil.copy(folder / "migrate.sh", work)
    program = work / "strata-service"
    starts = 'trap "exit 0" TERM\n[ "$STRATA_MIGRATE" = true ]\necho http://127.0.0.1:1/\nwhile :; do sleep 0.1; done\n'
    for content, status in [(starts, 0), ("echo failed >&2\nexit 78\n", 78), ("exit 0\n", 1)]:
        program.write_text("#!/bin/sh\nset -e\n" + content, encoding="utf-8")
        program.chmod(0o755)
        result = subprocess.run([work / "migrate.sh"], capture_output=True, timeout=30)
        check(result.returncode == status, f"migrate.sh: exits with {result.returncode} instead of {status}")


def check_unit(work):
    text = read("strata-service.service")
    program = re.search(r"(?m)^ExecStart=(\S+)$", text)[1]
    entry = dict(instructions(read("Containerfile")))["ENTRYPOINT"]
    check(f'["{program}"]' == entry, f"strata-service.service: starts {program}, and the image {entry}")
    timeout = seconds(re.search(r"TimeoutStopSec=(\w+)", text)[1])
    check(timeout > STOP_SECONDS, f"strata-service.service: is killed after {timeout} s, before it has stopped")
    if not shutil.which("systemd-analyze"):
        print("service-deployment: systemd-analyze is not installed; the unit was not verified", file=sys.stderr)
        return
    # The program is not installed on this machine.
    copy = work / "strata-service.service"
    copy.write_text(text.replace(program, shutil.which("true")), encoding="utf-8")
    result = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True)
    output = [line for line in result.stderr.splitlines() if copy.name in line]
    check(result.returncode == 0 and not output, "strata-service.service: " + (result.stderr.strip() or "is invalid"))
    limits = ["--offline=true", f"--threshold={MAXIMUM_EXPOSURE}"]
    result = subprocess.run(["systemd-analyze", "security", *limits, copy], capture_output=True, text=True)
    check(result.returncode == 0, "strata-service.service: " + (result.stdout + result.stderr).strip()[-2000:])


def check_balancer(work, instances):
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not nginx:
        print("service-deployment: nginx is not installed; nginx.conf was not verified", file=sys.stderr)
        return
    # The names of the instances exist in the network of compose.yaml only.
    text = read("nginx.conf").replace("/tmp/", f"{work}/")
    for name in instances:
        text = text.replace(f"{name}:", "127.0.0.1:")
    copy = work / "nginx.conf"
    copy.write_text(text, encoding="utf-8")
    command = [nginx, "-t", "-q", "-p", str(work), "-e", "stderr", "-c", str(copy)]
    result = subprocess.run(command, capture_output=True, text=True)
    check(result.returncode == 0, f"nginx.conf: {shlex.join(command)}: {result.stderr.strip()}")


def main():
    check_settings()
    check_containerfile()
    instances = check_compose()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        check_migration(work)
        check_unit(work)
        check_balancer(work, instances)
    for finding in findings:
        print(f"service-deployment: {finding}", file=sys.stderr)
    if findings:
        sys.exit(1)
    print("service-deployment: no findings")


main()
