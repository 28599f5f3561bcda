"""Tests the built service as processes: stops, kills and restarts under load, and several instances on one server.

Usage: service_processes.py PROGRAM soak [SECONDS]
       service_processes.py PROGRAM instances     with STRATA_POSTGRESQL, a connection string with keywords
"""

import collections
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

CONNECTIONS = 16
# A client gives an instance this time to answer, also while the machine is busy.
TIMEOUT = 60


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Instance:
    """A process of the service on a port that remains the same after restarts."""

    def __init__(self, program, store, log):
        self.program, self.store, self.log = program, store, log
        self.port = free_port()
        self.process = None

    def start(self, wait=True):
        environment = dict(os.environ, STRATA_STORE=self.store, STRATA_PORT=str(self.port), STRATA_LOG_LEVEL="error")
        self.process = subprocess.Popen([self.program], env=environment, stdout=subprocess.PIPE, stderr=self.log)
        if wait:
            self.wait()

    def wait(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"the service did not start (status {self.process.wait()}); see {self.log.name}")

    def stop(self, number):
        self.process.send_signal(number)
        status = self.process.wait(TIMEOUT)
        self.process.stdout.close()
        if number == signal.SIGTERM and status != 0:
            raise SystemExit(f"SIGTERM ended the service with status {status}")

    def restart(self, number):
        self.stop(number)
        self.start()


class Client:
    """An HTTP client that opens its connection again after an error."""

    def __init__(self, instance):
        self.instance, self.connection = instance, None

    def send(self, method, path, body=None, **headers):
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.instance.port, timeout=TIMEOUT)
            content = None if body is None else json.dumps(body)
            self.connection.request(method, path, content, fields)
            response = self.connection.getresponse()
            text = response.read()
            return response.status, response.headers, json.loads(text) if text else None
        except BaseException:
            if self.connection is not None:
                self.connection.close()
            self.connection = None
            raise

    def until_answered(self, *arguments, **headers):
        """Repeats a request until a process answers it; stops and kills end connections, and full services are 503."""
        while True:
            try:
                answer = self.send(*arguments, **headers)
                if answer[0] != 503:
                    return answer
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)


class Events(threading.Thread):
    """A client of the event stream, which resumes after its last event when its connection ends."""

    def __init__(self, instance):
        super().__init__(daemon=True)
        self.instance, self.last, self.found, self.times = instance, None, [], {}
        self.pending, self.is_over, self.resyncs = [], False, 0
        self.began = threading.Event()

    def run(self):
        while not self.is_over:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.instance.port, timeout=TIMEOUT)
                fields = {"Last-Event-ID": self.last} if self.last else {}
                connection.request("GET", "/events?entity=Color", headers=fields)
                response = connection.getresponse()
                if response.status == 200:
                    self.read(response)
                connection.close()
            except (OSError, http.client.HTTPException):
                pass
            # Events without an identifier belong to a transaction that is read again.
            self.pending = []
            time.sleep(0.02)

    def read(self, response):
        block = {}
        while not self.is_over:
            line = response.readline()
            if not line:
                return
            line = line.decode().rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                block[name] = value
                continue
            self.take(block)
            block = {}

    def take(self, block):
        if block.get("event") == "change":
            self.pending.append(json.loads(block["data"]))
        if block.get("event") == "resync":
            self.resyncs += 1
        if "id" in block:
            now = time.monotonic()
            for event in self.pending:
                self.times.setdefault((event["id"], event["version"]), now)
            self.found += self.pending
            self.pending, self.last = [], block["id"]
            self.began.set()


def expect(condition, message):
    if not condition:
        raise SystemExit(f"service_processes: {message}")


# 16 connections, stops and kills


class Worker(threading.Thread):
    """Writes and reads until the end, and remembers what the service acknowledged."""

    def __init__(self, number, instance, end):
        super().__init__(daemon=True)
        self.number, self.client, self.end = number, Client(instance), end
        self.random = random.Random(number)
        self.created, self.patched, self.durations, self.count = {}, {}, [], 0
        self.failure = None

    def run(self):
        try:
            while time.monotonic() < self.end:
                began = time.monotonic()
                self.step()
                self.durations.append(time.monotonic() - began)
        except BaseException as failure:  # the main thread reports it
            self.failure = failure

    def step(self):
        choice = self.random.random()
        if choice < 0.3 or not self.created:
            self.create()
        elif choice < 0.5:
            self.patch()
        elif choice < 0.8:
            status, _, _ = self.client.until_answered("GET", f"/colors/{self.random.choice(list(self.created.values()))}")
            expect(status == 200, f"a created record is {status}")
        else:
            status, _, _ = self.client.until_answered("GET", "/colors?limit=20&sort=-dateCreated")
            expect(status == 200, f"a list is {status}")

    def create(self):
        self.count += 1
        name = f"{self.number}-{self.count}"
        status, _, body = self.client.until_answered(
            "POST", "/colors", {"hex": "123456", "name": name}, Idempotency_Key=name)
        expect(status == 201, f"a creation is {status}: {body}")
        self.created[name] = body["id"]

    def patch(self):
        name = self.random.choice(list(self.created))
        value = self.patched.get(name, 0) + 1
        path = f"/colors/{self.created[name]}"
        while True:
            _, headers, _ = self.client.until_answered("GET", path)
            # A repetition of a stored change has another version, and is repeated with the new one.
            status, _, _ = self.client.until_answered(
                "PATCH", path, {"hex": f"{value:06x}"}, If_Match=headers["ETag"])
            if status == 200:
                break
            expect(status == 412, f"a change is {status}")
        self.patched[name] = value


def soak(program, seconds):
    folder = tempfile.mkdtemp()
    log = open(os.path.join(folder, "log"), "ab")
    instance = Instance(program, os.path.join(folder, "store.sqlite"), log)
    instance.start()
    events = Events(instance)
    events.start()
    expect(events.began.wait(TIMEOUT), "the event stream did not begin")
    end = time.monotonic() + seconds
    workers = [Worker(number, instance, end) for number in range(CONNECTIONS)]
    for worker in workers:
        worker.start()
    restarts = collections.Counter()
    signals = [signal.SIGKILL, signal.SIGTERM]
    while time.monotonic() + seconds / 8 < end:
        time.sleep(seconds / 8)
        number = signals[sum(restarts.values()) % 2]
        instance.restart(number)
        restarts[number.name] += 1
    for worker in workers:
        worker.join()
        if worker.failure:
            raise worker.failure
    client = Client(instance)
    stored, last = {}, ""
    path = "/colors?limit=200"
    while path:
        _, headers, records = client.until_answered("GET", path)
        for record in records:
            expect(record["name"] not in stored, f"{record['name']} is stored twice")
            stored[record["name"]] = record
        links = [part for part in (headers["Link"] or "").split(", ") if 'rel="next"' in part]
        path = links[0][1:links[0].index(">")] if links else None
    acknowledged = 0
    for worker in workers:
        for name, identifier in worker.created.items():
            acknowledged += 1
            expect(name in stored, f"the acknowledged record {name} is lost")
            expect(stored[name]["id"] == identifier, f"{name} has another identifier")
            value = int(stored[name]["hex"][1:], 16)
            if name in worker.patched:
                expect(value >= worker.patched[name], f"the acknowledged change of {name} is lost")
    deadline = time.monotonic() + TIMEOUT
    inserted = collections.Counter()
    while time.monotonic() < deadline and len(inserted) < len(stored):
        inserted = collections.Counter(event["id"] for event in list(events.found) if event["kind"] == "inserted")
        time.sleep(0.05)
    expect(not events.resyncs, "the event stream was not complete")
    expect(set(inserted) == {record["id"] for record in stored.values()}, "events of created records are missing")
    expect(set(inserted.values()) <= {1}, "events of created records are repeated")
    instance.stop(signal.SIGTERM)
    durations = sorted(duration for worker in workers for duration in worker.durations)
    print(
        f"{acknowledged} creations and {sum(len(worker.patched) for worker in workers)} changed records of "
        f"{len(stored)}, {len(events.found)} events, {dict(restarts)}: nothing lost, nothing twice; "
        f"{len(durations) / seconds:.0f} operations per second, median {durations[len(durations) // 2] * 1e3:.1f} ms")


# A stop during an export


def stop_during_export(program):
    """Stops the service while a client reads an export, and another one events: both responses are complete."""
    folder = tempfile.mkdtemp()
    log = open(os.path.join(folder, "log"), "ab")
    instance = Instance(program, os.path.join(folder, "store.sqlite"), log)
    instance.start()
    count = 20_000
    row = json.dumps({"hex": "123456", "name": "x" * 900}) + "\n"
    connection = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=TIMEOUT)
    connection.request("POST", "/colors/import", row * count)
    expect(connection.getresponse().status == 200, "the import failed")
    events = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=TIMEOUT)
    events.request("GET", "/events")
    stream = events.getresponse()
    expect(stream.readline() == b"retry: 2000\n", "the event stream did not begin")
    export = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=TIMEOUT)
    export.request("GET", "/colors/export")
    response = export.getresponse()
    lines = response.read(1_000).count(b"\n")
    instance.process.send_signal(signal.SIGTERM)
    stream.read()
    lines += response.read().count(b"\n")
    expect(lines == count, f"the export has {lines} of {count} records")
    expect(instance.process.wait(TIMEOUT) == 0, "the service did not end with status 0")
    print(f"a stop during an export: {lines} records, and the event stream ended")


# Three instances on one server


def server_address(keywords):
    parts = dict(part.split("=", 1) for part in keywords.split())
    query = urllib.parse.urlencode({"host": parts["host"]})
    return f"postgres://{parts['user']}@/{parts['dbname']}?{query}"


def await_events(clients, count, timeout=TIMEOUT):
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        if all(len(client.found) >= count for client in clients):
            return
        time.sleep(0.005)
    expect(False, f"clients have {[len(client.found) for client in clients]} events of {count}")


def same_keys(three, rounds=20):
    """Sends the same request to all instances at once; each round must create one record."""
    for number in range(rounds):
        answers = []

        def send(instance):
            answer = Client(instance).until_answered(
                "POST", "/colors", {"hex": "654321"}, Idempotency_Key=f"same {number}")
            # The request of another instance may be running.
            while answer[0] == 409:
                answer = Client(instance).until_answered(
                    "POST", "/colors", {"hex": "654321"}, Idempotency_Key=f"same {number}")
            answers.append((answer[0], answer[2]["id"]))

        threads = [threading.Thread(target=send, args=[instance]) for instance in three]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expect(len(answers) == 3 and len(set(answers)) == 1, f"the same key has the answers {answers}")
        expect(answers[0][0] == 201, f"a creation is {answers[0]}")
    return rounds


def instances(program):
    folder = tempfile.mkdtemp()
    log = open(os.path.join(folder, "log"), "ab")
    store = server_address(os.environ["STRATA_POSTGRESQL"])
    three = [Instance(program, store, log) for _ in range(3)]
    # All at once on an empty database.
    for instance in three:
        instance.start(wait=False)
    for instance in three:
        instance.wait()
    clients = [Events(instance) for instance in three]
    for client in clients:
        client.start()
        expect(client.began.wait(TIMEOUT), "an event stream did not begin")
    writers = [Client(instance) for instance in three]
    sent, delays = 0, []
    for _ in range(30):
        for writer in writers:
            status, _, body = writer.send("POST", "/colors", {"hex": "123456"})
            now = time.monotonic()
            expect(status == 201, f"a creation is {status}")
            sent += 1
            await_events(clients, sent)
            delays += [client.times[(body["id"], body["version"])] - now for client in clients]
    sent += same_keys(three)
    await_events(clients, sent)
    # Concurrent writers, while each instance is stopped or killed, and its client resumes.
    is_over, counts = threading.Event(), [0, 0, 0]

    def write(index):
        client = Client(three[index])
        while not is_over.is_set():
            key = f"{index}-{counts[index]}"
            status, _, body = client.until_answered("POST", "/colors", {"hex": "123456"}, Idempotency_Key=key)
            expect(status == 201, f"a creation is {status}: {body}")
            counts[index] += 1
            time.sleep(0.005)

    threads = [threading.Thread(target=write, args=[index]) for index in range(3)]
    for thread in threads:
        thread.start()
    for number in (signal.SIGTERM, signal.SIGKILL):
        for instance in three:
            time.sleep(0.5)
            instance.restart(number)
    is_over.set()
    for thread in threads:
        thread.join()
    total = sent + sum(counts)
    await_events(clients, total)
    orders = [[(event["id"], event["kind"]) for event in client.found] for client in clients]
    expect(len(orders[0]) == total, f"a client has {len(orders[0])} events of {total}")
    expect(len(set(orders[0])) == total, "an event is repeated")
    expect(orders[0] == orders[1] == orders[2], "clients have different orders")
    expect(not any(client.resyncs for client in clients), "a client did not keep pace")
    for instance in three:
        instance.stop(signal.SIGTERM)
    delays.sort()
    expect(delays[-1] < 1, f"an event took {delays[-1]:.2f} seconds")
    print(
        f"three instances: {total} changes were {total} events for each client, in the same order; delay median "
        f"{delays[len(delays) // 2] * 1e3:.0f} ms, maximum {delays[-1] * 1e3:.0f} ms")


def main():
    program, command = sys.argv[1:3]
    if command == "soak":
        soak(program, float(sys.argv[3]) if len(sys.argv) > 3 else 60)
        stop_during_export(program)
    else:
        instances(program)


if __name__ == "__main__":
    main()
