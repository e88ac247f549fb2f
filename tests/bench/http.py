#!/usr/bin/env python3
"""Attacks on the server over HTTP: half-open connections, and sessions that are never ended.

    tests/bench/http.py PROGRAM ROOT [--connections 2000] [--sessions 20000] [--threads 8]

Starts `PROGRAM mcp --http 0 --root ROOT`, opens connections that send a part of a request and nothing more, then sends `initialize`
over and over without ending any session. In the middle of it a normal client begins a session and calls a tool, again and again.
Prints the slowest and the median of these, what they were answered, and the server's memory (resident, and its peak).
"""

import argparse
import json
import resource
import socket
import statistics
import subprocess
import threading
import time

HEAD = "Host: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
ABOUT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
HALVES = [b"", b"POST /mcp HTTP/1.1\r\nHost: loc", f"POST /mcp HTTP/1.1\r\n{HEAD}Content-Length: 100\r\n\r\n{{".encode()]


class Server:
    def __init__(self, program, root):
        command = [program, "mcp", "--http", "0", "--root", root]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        host, port = self.process.stderr.readline().split("http://")[1].split("/")[0].rsplit(":", 1)
        self.address = (host, int(port))
        threading.Thread(target=lambda: [None for _ in self.process.stderr], daemon=True).start()

    def connect(self):
        return socket.create_connection(self.address, timeout=60)

    def post(self, method, params=None, session=None, number=1):
        """Status and text of the answer; 0 if the connection was closed."""
        body = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        if not method.startswith("notifications/"):
            body["id"] = number
        body = json.dumps(body)
        in_session = f"Mcp-Session-Id: {session}\r\n" if session else ""
        request = f"POST /mcp HTTP/1.1\r\n{HEAD}{in_session}Connection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        with self.connect() as connection:
            answer = b""
            try:
                connection.sendall(request.encode())
                while part := connection.recv(65536):
                    answer += part
            except ConnectionError:
                pass
        text = answer.decode(errors="replace")
        return (int(text.split(" ", 2)[1]) if text else 0), text

    def memory(self, name):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith(name))


def session_of(text):
    return next(line.split(": ")[1].strip() for line in text.splitlines() if line.lower().startswith("mcp-session-id"))


def normal(server):
    """A session with one call of a tool: the status of each step, and how long all of it took."""
    start = time.monotonic()
    status, text = server.post("initialize", ABOUT)
    statuses = [status]
    if status == 200:
        session = session_of(text)
        statuses.append(server.post("notifications/initialized", session=session)[0])
        call = {"name": "path_resolve", "arguments": {"failed_path": "README.md"}}
        status, text = server.post("tools/call", call, session, 2)
        statuses.append(status if "status" in text else -status)
    return statuses, time.monotonic() - start


class Normal(threading.Thread):
    """A normal client that asks again and again."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.seen, self.is_over = server, [], False
        self.start()

    def run(self):
        while not self.is_over:
            self.seen.append(normal(self.server))
            time.sleep(0.02)

    def end(self, what):
        self.is_over = True
        self.join()
        times = sorted(took for _, took in self.seen)
        bad = [statuses for statuses, _ in self.seen if statuses != [200, 202, 200]]
        memory = f"{self.server.memory('VmRSS:')} MB, peak {self.server.memory('VmHWM:')} MB"
        print(f"{what}: {len(times)} normal sessions, median {statistics.median(times) * 1000:.0f} ms, slowest {times[-1] * 1000:.0f} ms, "
              f"{len(bad)} not answered {bad[:3]}; {memory}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("root")
    options.add_argument("--connections", type=int, default=2000)
    options.add_argument("--sessions", type=int, default=20000)
    options.add_argument("--threads", type=int, default=8)
    options = options.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))

    server = Server(options.program, options.root)
    try:
        normal(server)
        print(f"at the start: {server.memory('VmRSS:')} MB")

        client = Normal(server)
        held = []
        for number in range(options.connections):
            connection = server.connect()
            connection.sendall(HALVES[number % len(HALVES)])
            held.append(connection)
        time.sleep(3)
        client.end(f"{options.connections} half-open connections")

        client = Normal(server)
        statuses = {}

        def begin(count):
            for _ in range(count):
                status, _ = server.post("initialize", ABOUT)
                statuses[status] = statuses.get(status, 0) + 1

        threads = [threading.Thread(target=begin, args=(options.sessions // options.threads,)) for _ in range(options.threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        client.end(f"{options.sessions} initialize ({statuses}), the half-open connections still there")
        del held
    finally:
        server.process.kill()


if __name__ == "__main__":
    main()
