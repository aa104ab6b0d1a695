"""A model server on loopback that follows a script of tool calls and keeps what the model was shown.

It speaks Anthropic messages, OpenAI chat completions and responses, and Gemini's generateContent, streamed or not. Which
step is next is read from the conversation itself: as many results as it carries were obtained. A request without the
script's tools (a title, a summary) gets a word of text.

    with ScriptedModel(steps) as model: …          steps: [(tool, arguments)]; model.url; model.shown afterwards
"""
import base64
import http.server
import itertools
import json
import threading

ANSWER = "All steps are done."


def image(mime, data):
    return {"type": "image", "mime": mime, "bytes": len(base64.b64decode(data))}


def text(words):
    return {"type": "text", "text": words}


def from_data_url(url):
    head, _, data = url.partition(",")
    return image(head[len("data:") :].split(";")[0], data) if url.startswith("data:") else text(url)


class Anthropic:
    """POST /v1/messages"""

    @staticmethod
    def tools(request):
        return [tool["name"] for tool in request.get("tools", [])]

    @staticmethod
    def results(request):
        for message in request["messages"]:
            blocks = message["content"] if isinstance(message["content"], list) else []
            for block in blocks:
                if block["type"] == "tool_result":
                    yield list(Anthropic.parts(block.get("content", "")))

    @staticmethod
    def parts(content):
        for block in [text(content)] if isinstance(content, str) else content:
            if block["type"] == "image":
                yield image(block["source"]["media_type"], block["source"]["data"])
            else:
                yield text(block.get("text") or json.dumps(block))

    @staticmethod
    def reply(request, name, arguments, number):
        block = text(ANSWER) if name is None else {"type": "tool_use", "id": f"toolu_{number:04}", "name": name, "input": arguments}
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request["model"], "content": [block],
                   "stop_reason": "end_turn" if name is None else "tool_use", "stop_sequence": None,
                   "usage": {"input_tokens": 1, "output_tokens": 1}}
        if not request.get("stream"):
            return message
        if name is None:
            empty, delta = text(""), {"type": "text_delta", "text": ANSWER}
        else:
            empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        return [{"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
                {"type": "content_block_start", "index": 0, "content_block": empty},
                {"type": "content_block_delta", "index": 0, "delta": delta},
                {"type": "content_block_stop", "index": 0},
                {"type": "message_delta", "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
                 "usage": {"output_tokens": 1}},
                {"type": "message_stop"}]


class Chat:
    """POST /v1/chat/completions"""

    @staticmethod
    def tools(request):
        return [tool["function"]["name"] for tool in request.get("tools", [])]

    @staticmethod
    def results(request):
        for message in request["messages"]:
            if message["role"] == "tool":
                yield list(Chat.parts(message["content"]))

    @staticmethod
    def parts(content):
        for block in [text(content)] if isinstance(content, str) else content:
            if block["type"] == "image_url":
                yield from_data_url(block["image_url"]["url"])
            else:
                yield text(block.get("text") or json.dumps(block))

    @staticmethod
    def reply(request, name, arguments, number):
        call = [] if name is None else [{"index": 0, "id": f"call_{number:04}", "type": "function",
                                         "function": {"name": name, "arguments": json.dumps(arguments)}}]
        said = {"role": "assistant", "content": ANSWER} if name is None else {"role": "assistant", "content": None, "tool_calls": call}
        end = "stop" if name is None else "tool_calls"
        frame = {"id": f"chatcmpl-{number}", "created": 1, "model": request["model"]}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        if not request.get("stream"):
            return {**frame, "object": "chat.completion", "usage": usage,
                    "choices": [{"index": 0, "message": said, "finish_reason": end}]}
        chunk = {**frame, "object": "chat.completion.chunk"}
        return [{**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": end}]},
                {**chunk, "choices": [], "usage": usage}, "[DONE]"]


class Responses:
    """POST /v1/responses; Codex puts the tools of a server into a namespace."""

    @staticmethod
    def tools(request):
        names = []
        for tool in request.get("tools", []):
            if tool["type"] == "namespace":
                names += [(tool["name"], inner["name"]) for inner in tool["tools"]]
            elif "name" in tool:
                names.append(tool["name"])
        return names

    @staticmethod
    def results(request):
        for item in request["input"] if isinstance(request["input"], list) else []:
            if item.get("type") == "function_call_output":
                yield list(Responses.parts(item["output"]))

    @staticmethod
    def parts(content):
        for block in [text(content)] if isinstance(content, str) else content:
            if block["type"] == "input_image":
                yield from_data_url(block["image_url"])
            else:
                yield text(block.get("text") or json.dumps(block))

    @staticmethod
    def reply(request, name, arguments, number):
        if name is None:
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": ANSWER, "annotations": []}]}
        else:
            namespace, name = name if isinstance(name, tuple) else (None, name)
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number:04}", "name": name,
                    "arguments": json.dumps(arguments), "status": "completed"}
            item.update({"namespace": namespace} if namespace else {})
        whole = {"id": f"resp_{number}", "object": "response", "created_at": 1, "status": "completed", "model": request["model"],
                 "output": [item], "parallel_tool_calls": False, "tool_choice": "auto", "tools": [],
                 "usage": {"input_tokens": 1, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 1,
                           "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 2}}
        if not request.get("stream"):
            return whole
        begun = {**whole, "status": "in_progress", "output": []}
        place = {"output_index": 0, "item_id": item["id"]}
        if name is None:
            deltas = [{"type": "response.content_part.added", **place, "content_index": 0,
                       "part": {"type": "output_text", "text": "", "annotations": []}},
                      {"type": "response.output_text.delta", **place, "content_index": 0, "delta": ANSWER},
                      {"type": "response.output_text.done", **place, "content_index": 0, "text": ANSWER}]
            empty = {**item, "content": []}
        else:
            deltas = [{"type": "response.function_call_arguments.delta", **place, "delta": item["arguments"]},
                      {"type": "response.function_call_arguments.done", **place, "arguments": item["arguments"]}]
            empty = {**item, "arguments": ""}
        events = [{"type": "response.created", "response": begun},
                  {"type": "response.output_item.added", "output_index": 0, "item": {**empty, "status": "in_progress"}}, *deltas,
                  {"type": "response.output_item.done", "output_index": 0, "item": item},
                  {"type": "response.completed", "response": whole}]
        return [{**event, "sequence_number": i} for i, event in enumerate(events)]


class Gemini:
    """POST /v1beta/models/NAME:generateContent and :streamGenerateContent"""

    @staticmethod
    def tools(request):
        return [function["name"] for tool in request.get("tools", []) for function in tool.get("functionDeclarations", [])]

    @staticmethod
    def results(request):
        """An image comes inside of the response, or beside it in the same content."""
        found = []
        for content in request["contents"]:
            for part in content["parts"]:
                if "functionResponse" in part:
                    given = part["functionResponse"]
                    found.append([text(json.dumps(given["response"], ensure_ascii=False)), *Gemini.parts(given.get("parts", []))])
                elif found and content["role"] == "user":
                    found[-1] += Gemini.parts([part])
        return found

    @staticmethod
    def parts(parts):
        return [image(part["inlineData"]["mimeType"], part["inlineData"]["data"]) if "inlineData" in part
                else text(part.get("text") or json.dumps(part)) for part in parts]

    @staticmethod
    def reply(request, name, arguments, number):
        part = {"text": ANSWER} if name is None else {"functionCall": {"name": name, "args": arguments, "id": f"call_{number}"}}
        whole = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
                 "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
        return [whole] if request["stream"] else whole


DIALECTS = (("/messages", Anthropic), ("/chat/completions", Chat), ("/responses", Responses), ("enerateContent", Gemini))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        path = self.path.partition("?")[0]
        dialect = next((dialect for end, dialect in DIALECTS if path.endswith(end)), None)
        if dialect is None:
            return self.answer({"input_tokens": 1, "totalTokens": 1})  # counts of tokens, telemetry
        if dialect is Gemini:
            request["stream"] = "stream" in path
        reply = self.server.model.next(dialect, request)
        return self.stream(reply, dialect) if isinstance(reply, list) else self.answer(reply)

    def do_GET(self):
        self.answer({"data": [], "models": []})

    do_HEAD = do_GET

    def answer(self, reply):
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if self.command != "HEAD" else b"")

    def stream(self, events, dialect):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            name = f"event: {event['type']}\n" if dialect in (Anthropic, Responses) else ""
            data = event if isinstance(event, str) else json.dumps(event)
            self.wfile.write(f"{name}data: {data}\n\n".encode())
        self.close_connection = True

    def log_message(self, *_):
        pass


class ScriptedModel:
    def __init__(self, steps):
        self.steps, self.shown, self.requests, self.offered = steps, [], [], []
        self.numbers, self.lock = itertools.count(1), threading.Lock()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.model = self
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def next(self, dialect, request):
        """The reply to a conversation; what it shows of results is kept."""
        with self.lock:
            results, names, number = list(dialect.results(request)), dialect.tools(request), next(self.numbers)
            self.requests.append(request)
            if len(results) >= len(self.shown):
                self.shown = results
            if len(results) >= len(self.steps):
                return dialect.reply(request, None, None, number)
            wanted, arguments = self.steps[len(results)]
            name = next((n for n in names if (n[-1] if isinstance(n, tuple) else n).endswith(wanted)), None)
            self.offered = names if name else self.offered
            return dialect.reply(request, name, arguments, number)
