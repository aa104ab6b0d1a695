#include "base/name.h"

#include <errno.h>

#include "base/hex.h"

int name_decode(const char *name, struct buf *ret) {
    for (; *name; name++) {
        char c = *name;
        if (c == '\\' && name[1] == 'x') {
            int high = hex_digit(name[2]), low = high < 0 ? -1 : hex_digit(name[3]);
            if (low < 0)
                return -EINVAL;
            c = (char)(high * 16 + low);
            name += 3;
        } else if (c == '\\' && name[1] == '\\')
            name++;
        if (buf_add(ret, &c, 1) < 0)
            return -ENAMETOOLONG;
    }
    return 0;
}
