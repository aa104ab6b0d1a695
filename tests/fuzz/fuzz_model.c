/* A model server's stream: the first byte chooses protocol and portion, the rest is the stream. */
#include <errno.h>
#include <stdlib.h>

#include "agent/model/model.h"
#include "agent/model/sse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reading {
    struct model_stream stream;
    bool anthropic;
};

static int on_event(void *user, const char *event, const char *data, size_t len) {
    struct reading *r = user;
    return r->anthropic ? anthropic_event(&r->stream, event, data, len)
                        : openai_event(&r->stream, data, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct model_reply reply;
    struct model_error error = {0};
    struct sse sse;
    int r = 0;
    if (!size)
        return 0;
    struct reading reading = {.stream = {.reply = &reply, .error = &error},
                              .anthropic = data[0] & 1};
    size_t step = 1 + (data[0] >> 1) % 40;
    model_reply_init(&reply);
    sse_init(&sse);
    for (size_t i = 1; r == 0 && i < size; i += step)
        r = sse_feed(&sse, (const char *)data + i, size - i < step ? size - i : step, on_event,
                     &reading);
    if (r == 0)
        r = sse_finish(&sse, on_event, &reading);
    if (r < 0 && error.fault == MODEL_OK && r != -ENOMEM && r != -ENOSPC)
        abort(); /* every refusal says why; only memory and size go without */
    sse_done(&sse);
    model_stream_done(&reading.stream);
    model_reply_done(&reply);
    return 0;
}
