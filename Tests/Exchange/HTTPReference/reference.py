"""Signatures of HTTP requests, computed without the code of the program.

usage: reference.py check FILE    compares the signed requests of FILE, one JSON object in a line
       reference.py serve FILE    serves the cases of FILE until standard input ends

The server listens on 127.0.0.1 and prints its port. The first segment of a path is the number of a
case. The answer is 200 if the request has the signature of this case, and 403 with the difference
otherwise.
"""
import base64
import calendar
import hashlib
import hmac
import http.server
import json
import os
import sys
import threading
import time
import urllib.parse


# Microseconds
UNITS = {"ms": 1000, "us": 1, "s": 1000000}


def moment(unit, time_us):
    if unit != "iso":
        return str(time_us // UNITS[unit])
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time_us // 1000000))
    return f"{seconds}.{time_us // 1000 % 1000:03}Z"


def b64(data):
    return base64.b64encode(data).decode()


def mac(secret, message, name="sha256"):
    return hmac.new(secret, message, getattr(hashlib, name))


def split(url):
    """The path, and the query or None, without decoding."""
    rest = url.split("//", 1)[1]
    target = rest[rest.index("/"):]
    path, mark, query = target.partition("?")
    return path, query if mark else None


def names(text):
    return [urllib.parse.unquote(part.split("=", 1)[0]) for part in (text or "").split("&")]


def append(text, name, value):
    return f"{text}&{name}={value}" if text else f"{name}={value}"


def with_query(url, name, value):
    query = split(url)[1]
    base = url if query is None else url[: len(url) - len(query) - 1]
    return base + "?" + append(query, name, value)


class Request:
    """A request before it is signed, or as it arrived."""

    def __init__(self, method, url, body, time_us, nonce, ctype=None, headers=None):
        self.method, self.url, self.body = method, url, body
        self.time_us, self.nonce, self.ctype = time_us, nonce, ctype
        self.headers = headers or {}


def basic(case, r):
    return {"Authorization": "Basic " + b64(case["key_id"].encode() + b":" + case["secret"])}


def bitbank(case, r):
    path, query = split(r.url)
    target = path if query is None else path + "?" + query
    data = target.encode() if r.method == "GET" else r.body
    headers = {"ACCESS-KEY": case["key_id"]}
    if case["parameters"].get("form", "nonce") == "nonce":
        prefix = headers["ACCESS-NONCE"] = str(r.nonce)
    else:
        window = case["parameters"].get("window", "5000")
        headers["ACCESS-REQUEST-TIME"] = str(r.time_us // 1000)
        headers["ACCESS-TIME-WINDOW"] = window
        prefix = str(r.time_us // 1000) + window
    headers["ACCESS-SIGNATURE"] = mac(case["secret"], prefix.encode() + data).hexdigest()
    return headers


def snapcard(case, r):
    if "timestamp" not in names(split(r.url)[1]):
        r.url = with_query(r.url, "timestamp", r.time_us // 1000)
    signature = mac(case["secret"], r.url.encode() + r.body).hexdigest()
    return {"X-Api-Key": case["key_id"], "X-Api-Signature": signature}


def gamesystem(case, r):
    date = time.strftime("%Y%m%d %H:%M:%S UTC", time.gmtime(r.time_us // 1000000))
    digest = b64(hashlib.md5(r.body).digest())
    lines = "\n".join([date, digest, split(r.url)[0], r.method])
    signature = b64(mac(case["secret"], lines.encode(), "sha1").digest())
    return {
        "Date": date,
        "Content-MD5": digest,
        "Authorization": case["key_id"] + ":" + signature,
    }


def binance(case, r):
    def add(name, value):
        if not split(r.url)[1] and r.body:
            r.body = append(r.body.decode(), name, value).encode()
        else:
            r.url = with_query(r.url, name, value)

    present = names(split(r.url)[1]) + names(r.body.decode())
    window = case["parameters"].get("window")
    if window and "recvWindow" not in present:
        add("recvWindow", window)
    if "timestamp" not in present:
        add("timestamp", r.time_us // 1000)
    message = (split(r.url)[1] or "").encode() + r.body
    add("signature", mac(case["secret"], message).hexdigest())
    return {"X-MBX-APIKEY": case["key_id"]}


def hmac_profile(case, r):
    p = case["parameters"]
    name = p.get("hash", "sha256")
    path, query = split(r.url)

    def text(digest):
        return digest.hex() if p.get("encoding", "hex") == "hex" else b64(digest)

    def digest(value):
        if p.get("digest-header", "").lower() != "content-digest":
            return text(value)
        return f"sha-{name[3:]}=:{b64(value)}:"

    values = {
        "method": r.method.encode(),
        "url": r.url.encode(),
        "target": (path if query is None else path + "?" + query).encode(),
        "path": path.encode(),
        "query": (query or "").encode(),
        "body": r.body,
        "time": moment(p.get("time-unit", "ms"), r.time_us).encode(),
        "nonce": str(r.nonce).encode(),
        "content-digest": digest(hashlib.new(name, r.body).digest()).encode(),
    }
    message, rest = b"", p["template"]
    while rest:
        if rest[0] == "{":
            field, _, rest = rest[1:].partition("}")
            message += values[field]
        elif rest[0] == "\\":
            message += {"n": b"\n"}.get(rest[1], rest[1].encode())
            rest = rest[2:]
        else:
            message += rest[0].encode()
            rest = rest[1:]
    headers = {}
    key = p.get("key-header", "X-Api-Key")
    if key:
        headers[key] = case["key_id"]
    for parameter, field in (
        ("time-header", "time"),
        ("nonce-header", "nonce"),
        ("digest-header", "content-digest"),
    ):
        if p.get(parameter):
            headers[p[parameter]] = values[field].decode()
    signature = p.get("signature-prefix", "") + text(mac(case["secret"], message, name).digest())
    headers[p.get("signature-header", "X-Signature")] = signature
    return headers


def rfc9421(case, r):
    p = case["parameters"]
    path, query = split(r.url)
    scheme, rest = r.url.split("://", 1)
    host = rest[: rest.index("/")].lower()
    default = ":443" if scheme == "https" else ":80"
    created = r.time_us // 1000000
    components = p.get("components", "@method @target-uri content-digest").split(" ")
    digest = "sha-256=:" + b64(hashlib.sha256(r.body).digest()) + ":"
    date = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(created))
    values = {
        "@method": r.method,
        "@target-uri": r.url,
        "@authority": host.removesuffix(default),
        "@scheme": scheme,
        "@request-target": path if query is None else path + "?" + query,
        "@path": path,
        "@query": "?" + (query or ""),
        "content-type": r.ctype,
        "content-digest": digest,
        "date": date,
    }
    values.update({name.lower(): value for name, value in r.headers.items()})
    label = p.get("label", "sig1")
    inner = "(" + " ".join(json.dumps(name) for name in components) + f");created={created}"
    if p.get("expires"):
        inner += f";expires={created + int(p['expires'])}"
    inner += ";keyid=" + json.dumps(case["key_id"])
    if p.get("alg") == "yes":
        inner += ';alg="hmac-sha256"'
    if p.get("nonce") == "yes":
        inner += f';nonce="{r.nonce}"'
    lines = [f'"{name}": {values[name]}' for name in components]
    lines.append(f'"@signature-params": {inner}')
    signature = b64(mac(case["secret"], "\n".join(lines).encode()).digest())
    headers = dict(r.headers)
    if "date" in components:
        headers.setdefault("Date", date)
    if "content-digest" in components:
        headers["Content-Digest"] = digest
    headers["Signature-Input"] = f"{label}={inner}"
    headers["Signature"] = f"{label}=:{signature}:"
    return headers


PROFILES = {
    "basic": basic,
    "bitbank": bitbank,
    "snapcard": snapcard,
    "gamesystem": gamesystem,
    "binance": binance,
    "hmac": hmac_profile,
    "rfc9421": rfc9421,
}


def read_case(line):
    case = json.loads(line)
    case["secret"] = bytes.fromhex(case["secret"])
    return case


def check(path):
    checked = 0
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        case = read_case(line)
        r = Request(
            case["method"], case["url"], bytes.fromhex(case["body"]), case["time_us"],
            case["nonce"], case["content_type"], case.get("request_headers"))
        form = case["profile"] == "binance"
        usual = "application/x-www-form-urlencoded" if form else "application/json"
        r.ctype = r.ctype or (usual if r.body else None)
        headers = PROFILES[case["profile"]](case, r)
        if r.ctype:
            headers["Content-Type"] = r.ctype
        wanted = (r.url, r.body.hex(), headers)
        found = (case["final_url"], case["final_body"], dict(case["headers"]))
        if wanted != found or len(found[2]) != len(case["headers"]):
            sys.exit(f"line {number}: {case}\nexpected {wanted}\nfound    {found}")
        checked += 1
    print(f"checked {checked}")


def arrived(case, handler, body):
    """What the profile needs of a request, found in its headers."""
    headers, profile, p = handler.headers, case["profile"], case["parameters"]
    target = handler.raw_requestline.decode().split(" ")[1]
    url = "http://" + headers["Host"] + target
    r = Request(handler.command, url, body, 0, 0, headers.get("Content-Type"))
    if profile == "bitbank":
        r.nonce = headers.get("ACCESS-NONCE")
        r.time_us = int(headers.get("ACCESS-REQUEST-TIME", "0")) * 1000
    elif profile == "gamesystem":
        parsed = time.strptime(headers["Date"], "%Y%m%d %H:%M:%S UTC")
        r.time_us = calendar.timegm(parsed) * 1000000
    elif profile == "hmac":
        r.nonce = headers.get(p.get("nonce-header", ""), "0")
        unit = UNITS[p.get("time-unit", "ms")]
        r.time_us = int(headers.get(p.get("time-header", ""), "0")) * unit
    elif profile == "rfc9421":
        text = headers["Signature-Input"]
        r.time_us = int(text.split(";created=")[1].split(";")[0]) * 1000000
        if ";nonce=" in text:
            r.nonce = text.split(';nonce="')[1].split('"')[0]
    elif profile == "binance":
        # Removes the signature, which is the last parameter. The profile appends it again.
        in_query = bool(split(url)[1])
        signed = url if in_query else body.decode()
        cut = signed.rindex("signature=")
        kept = signed[:cut].removesuffix("&")
        r.url, r.body = (kept, body) if in_query else (url, kept.encode())
    return r, url


def difference(case, handler, body):
    r, url = arrived(case, handler, body)
    wanted = PROFILES[case["profile"]](case, r)
    if (r.url, r.body) != (url, body):
        return f"the request is {(url, body[:200])}, not {(r.url, r.body[:200])}"
    found = {name: handler.headers.get(name) for name in wanted}
    if found != wanted:
        return f"the headers are {found}, not {wanted}"
    if any(len(handler.headers.get_all(name, [])) > 1 for name in handler.headers.keys()):
        return "a header is repeated"
    if hashlib.sha256(body).hexdigest() != case["body_sha256"]:
        return "the body differs"
    if handler.headers.get("Content-Type") != case["content_type"]:
        return f"the content type is {handler.headers.get('Content-Type')}"
    return None


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    cases = []

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        try:
            fault = difference(self.cases[int(self.path.split("/")[1])], self, body)
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
        text = (fault or "accepted").encode()
        self.send_response(403 if fault else 200)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = answer

    def log_message(self, *_):
        pass


def serve(path):
    Handler.cases = [read_case(line) for line in open(path, encoding="utf-8")]
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    {"check": check, "serve": serve}[sys.argv[1]](sys.argv[2])
