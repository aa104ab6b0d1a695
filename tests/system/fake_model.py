"""A model server for tests: both protocols, streamed, with every fault a real one has shown.

A script is a list of steps, one for each request: {"text": …, "calls": [{"name", "arguments"}], "fault": …}. Faults
that make the client try again (429, 500, 529, cut, malformed, dropped, error_after_200) are followed by the next step.
Standalone: fake_model.py SCRIPT.json prints the address and serves until it is killed."""
import http.server
import json
import sys
import threading
import time

ERRORS = {  # fault: (status, OpenAI's error, Anthropic's type)
    "429": (429, {"message": "slow down", "type": "rate_limit_error"}, "rate_limit_error"),
    "500": (500, {"message": "oops", "type": "server_error"}, "api_error"),
    "529": (529, {"message": "busy", "type": "overloaded_error"}, "overloaded_error"),
    "bad_key": (401, {"message": "Incorrect API key provided: KEY", "code": "invalid_api_key"}, "authentication_error"),
    "unknown_model": (404, {"message": "The model does not exist", "code": "model_not_found"}, "not_found_error"),
    "overflow": (400, {"message": "prompt is too long: maximum context length", "code": "context_length_exceeded"},
                 "invalid_request_error"),
    "quota": (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}, "rate_limit_error"),
    "no_tools": (400, {"message": "\"auto\" tool choice requires --enable-auto-tool-choice"}, "invalid_request_error"),
}


def openai_events(step):
    yield {"choices": [{"index": 0, "delta": {"role": "assistant", "content": None}}]}
    text = step.get("text", "")
    for i in range(0, len(text), 7):
        yield {"choices": [{"index": 0, "delta": {"content": text[i:i + 7]}}]}
    for index, call in enumerate(step.get("calls", [])):
        function = {"name": call["name"], "arguments": ""}
        yield {"choices": [{"index": 0, "delta": {"tool_calls": [
            {"index": index, "id": f"call_{index}", "type": "function", "function": function}]}}]}
        arguments = arguments_of(call)
        for i in range(0, len(arguments), 11):
            yield {"choices": [{"index": 0, "delta": {"tool_calls": [
                {"index": index, "function": {"arguments": arguments[i:i + 11]}}]}}]}
    reason = "content_filter" if step.get("fault") == "refusal" else "stop"  # also with calls: servers do that
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": step.get("finish", reason)}]}
    yield {"choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 12}}


def anthropic_events(step):
    yield {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 30}}}
    yield {"type": "ping"}
    blocks = [("text", step["text"])] if step.get("text") else []
    blocks += [("tool_use", call) for call in step.get("calls", [])]
    for index, (kind, content) in enumerate(blocks):
        start = {"type": "text", "text": ""}
        if kind == "tool_use":
            start = {"type": "tool_use", "id": f"toolu_{index}", "name": content["name"], "input": {}}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        text = content if kind == "text" else arguments_of(content)
        for i in range(0, len(text), 7):
            delta = {"type": "text_delta", "text": text[i:i + 7]}
            if kind == "tool_use":
                delta = {"type": "input_json_delta", "partial_json": text[i:i + 7]}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    reason = "refusal" if step.get("fault") == "refusal" else "tool_use" if step.get("calls") else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 12}}
    yield {"type": "message_stop"}


def arguments_of(call):
    return call["arguments"] if isinstance(call["arguments"], str) else json.dumps(call["arguments"])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        anthropic = self.path.partition("?")[0].endswith("/messages")
        step = self.server.fake.take(self.path, dict(self.headers), body)
        fault = step.get("fault")
        time.sleep(self.server.fake.delay)
        self.server.fake.answers()
        if fault == "dropped":
            self.close_connection = True
            return
        if fault == "page":
            self.send_page(step)
        elif fault in ERRORS:
            self.send_fault(fault, step, anthropic)
        elif step.get("whole"):
            self.send_whole(step)
        else:
            self.send_stream(step, anthropic)

    def send_fault(self, fault, step, anthropic):
        status, error, kind = ERRORS[fault]
        key = self.headers.get("Authorization", "").removeprefix("Bearer ") or self.headers.get("x-api-key", "")
        error = {**error, "message": step.get("message", error["message"]).replace("KEY", key)}
        answer = {"error": error}
        if anthropic:
            answer = {"type": "error", "error": {"type": kind, "message": error["message"]}}
        headers = {"Retry-After": str(step["retry_after"])} if "retry_after" in step else {"retry-after-ms": "1"}
        self.send_json(status, answer, headers)

    def send_page(self, step):
        data = b"<html><body><h1>nginx</h1></body></html>"
        self.send_response(step["status"])
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("retry-after-ms", "1")
        self.end_headers()
        self.wfile.write(data)

    def send_whole(self, step):
        calls = [{"id": f"call_{i}", "type": "function", "function": {
            "name": call["name"], "arguments": arguments_of(call)}} for i, call in enumerate(step.get("calls", []))]
        message = {"role": "assistant", "content": step.get("text"), "tool_calls": calls}
        self.send_json(200, {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}, {})

    def send_json(self, status, answer, headers):
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def send_stream(self, step, anthropic):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        events = list(anthropic_events(step) if anthropic else openai_events(step))
        fault = step.get("fault")
        if fault in ("cut", "malformed", "error_after_200"):
            events = events[:2]
        for event in events:
            name = f"event: {event['type']}\n" if anthropic else ": comment\n\n"
            self.wfile.write(f"{name}data: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
            time.sleep(step.get("pause", 0))
        if fault == "malformed":
            self.wfile.write(b"data: {\"choices\": [\n\n")
        elif fault == "error_after_200":
            error = {"code": 500, "message": "The model produced output that does not match", "type": "server_error"}
            self.wfile.write((b"event: error\n" if anthropic else b"") + b"data: " + json.dumps(
                error if anthropic else {"error": error}).encode() + b"\n\n")
        elif fault != "cut" and not anthropic:
            self.wfile.write(b"data: [DONE]\n\n")


class FakeModel:
    """with FakeModel(script) as model: … model.url … model.requests"""

    def __init__(self, script):
        self.script, self.requests, self.lock = list(script), [], threading.Lock()
        self.delay = 0  # seconds before each answer
        self.waiting = self.most = 0  # requests that wait for their answer, and at most at any time
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.fake = self
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def take(self, path, headers, body):
        with self.lock:
            self.requests.append({"path": path, "headers": headers, "body": body})
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            return self.step(body)

    def step(self, body):
        """The next one of the script."""
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def answers(self):
        """One of them gets it now."""
        with self.lock:
            self.waiting -= 1

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    with open(sys.argv[1]) as file, FakeModel(json.load(file)) as fake:
        print(fake.url, flush=True)
        threading.Event().wait()
