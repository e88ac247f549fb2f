"""A server over MCP, for measurements: one request at a time, its log as it comes."""
import json, os, queue, subprocess, threading, time


class Server:
    def __init__(self, binary, root, cache, *args, env=None, wrap=(), log="info", rerank="off"):
        env = dict(os.environ, PATHFINDER_CACHE_DIR=str(cache), PATHFINDER_LOG=log, **(env or {}))
        command = [*wrap, binary, "mcp", "--root", str(root), "--rerank", rerank, *args]
        self.start = time.perf_counter()
        self.process = subprocess.Popen(command, env=env, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.lines, self.log, self.number = queue.Queue(), [], 0
        threading.Thread(target=self._read, daemon=True).start()
        client = {"name": "bench", "version": "1"}
        self._request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self):
        for line in self.process.stderr:
            self.log.append(line.decode(errors="replace"))

    def _send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _request(self, method, params):
        self.number += 1
        self._send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                return answer

    def call(self, tool, **arguments):
        """What a tool answers, as a value."""
        return self._request("tools/call", {"name": tool, "arguments": arguments})["result"]["structuredContent"]

    def wait_for(self, words, since=0, patience=120):
        """The line of the log that says this; None if it does not come."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for line in self.log[since:]:
                if words in line:
                    return line
            time.sleep(0.005)
        return None

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=60)
