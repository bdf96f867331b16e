"""For systemd.sh: a node that answers two requests, and sockets.

usage: systemd.py node FILE             writes its port to FILE, then answers
       systemd.py listen PATH COMMAND…  runs the command for each connection, as Accept=yes does
       systemd.py connect PATH          sends standard input, and prints the answer
"""

import http.server
import json
import os
import socket
import subprocess
import sys

BLOCK = "1bd92007c2d6bd3c14dd6c9ef3e83a1e8bf1ac2c3c8d6c8f1ea4ddd4a1b0c9d2"
CHAIN = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"


class Node(http.server.BaseHTTPRequestHandler):
    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path != "/v1/chain/get_info":
            return self.answer(404, {})
        self.answer(200, {"chain_id": CHAIN, "last_irreversible_block_id": BLOCK})

    def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        members = ["compression", "packed_context_free_data", "packed_trx", "signatures"]
        is_valid = self.path == "/v1/chain/send_transaction" and sorted(sent) == members
        is_signed = is_valid and len(sent["signatures"]) == 1
        self.answer(202 if is_signed else 400, {"received": is_signed})

    def log_message(self, *_):
        pass


def node(file):
    server = http.server.HTTPServer(("127.0.0.1", 0), Node)
    with open(file + ".new", "w", encoding="ascii") as output:
        print(server.server_port, file=output)
    os.rename(file + ".new", file)
    server.serve_forever()


def listen(path, *command):
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen()
    while True:
        connection = server.accept()[0]
        subprocess.Popen(command, stdin=connection, stdout=connection).wait()
        connection.close()


def connect(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.sendall(sys.stdin.buffer.read())
    client.shutdown(socket.SHUT_WR)
    while answer := client.recv(65536):
        sys.stdout.buffer.write(answer)


{"node": node, "listen": listen, "connect": connect}[sys.argv[1]](*sys.argv[2:])
