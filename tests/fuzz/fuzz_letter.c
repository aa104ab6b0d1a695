/* A message of a cluster's log, as another node may have sent it: it is read whole, or refused. What was read can be written
 * and read again. */
#include <stdlib.h>
#include <string.h>

#include "cluster/letter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool fact) {
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct log_letter letter, again;
    struct buf text = BUF_INIT(64u << 20);
    size_t len;

    if (letter_read((const char *)data, size, &letter, &len) < 0)
        return 0;
    must(len <= size);
    if (letter_write(&letter, &text) == 0) {
        must(letter_read(text.data, text.len, &again, &len) == 0 && len == text.len);
        must(again.record.seq == letter.record.seq && again.count == letter.count);
        must(again.record.len == letter.record.len &&
             memcmp(again.record.body, letter.record.body, letter.record.len) == 0);
        letter_done(&again);
    }
    buf_done(&text);
    letter_done(&letter);
    return 0;
}
