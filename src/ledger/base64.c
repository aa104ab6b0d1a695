#include <errno.h>
#include <limits.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "ledger/internal.h"

char *base64_text(const void *data, size_t len) {
    if (len > INT_MAX / 2)
        return NULL;
    char *text = malloc((len + 2) / 3 * 4 + 1);
    if (text)
        EVP_EncodeBlock((unsigned char *)text, data, (int)len);
    return text;
}

/* Only what base64_text would have written: that is checked by writing it again, so bytes and text
 * can stand for each other. */
int base64_bytes(const char *text, size_t len, char **ret, size_t *ret_len) {
    if (len == 0 || len % 4 || len > INT_MAX / 2)
        return -EINVAL;
    scoped_free char *data = malloc(len / 4 * 3 + 1);
    if (!data)
        return -ENOMEM;
    int n = EVP_DecodeBlock((unsigned char *)data, (const unsigned char *)text, (int)len);
    if (n < 0)
        return -EINVAL;
    size_t size = (size_t)n - (text[len - 1] == '=') - (text[len - 2] == '=');
    scoped_free char *again = base64_text(data, size);
    if (!again)
        return -ENOMEM;
    if (strlen(again) != len || memcmp(again, text, len) != 0)
        return -EINVAL;
    *ret = TAKE(data);
    *ret_len = size;
    return 0;
}
