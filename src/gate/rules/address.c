#include "gate/rules/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static void unmap(struct address *a) {
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (a->family != AF_INET6 || memcmp(a->bytes, mapped, sizeof mapped) != 0)
        return;
    memmove(a->bytes, a->bytes + 12, 4);
    memset(a->bytes + 4, 0, 12);
    a->family = AF_INET;
}

bool address_parse(const char *text, struct address *ret) {
    struct address a = {0};
    char inner[INET6_ADDRSTRLEN];
    size_t len = strlen(text);
    bool brackets = len > 2 && text[0] == '[' && text[len - 1] == ']';
    if (len - 2 * brackets >= sizeof inner)
        return false;
    memcpy(inner, text + brackets, len - 2 * brackets);
    inner[len - 2 * brackets] = 0;
    if (!brackets && inet_pton(AF_INET, inner, a.bytes) == 1)
        a.family = AF_INET;
    else if (inet_pton(AF_INET6, inner, a.bytes) == 1)
        a.family = AF_INET6;
    else
        return false;
    unmap(&a);
    *ret = a;
    return true;
}

void address_from(const struct sockaddr *from, struct address *ret) {
    *ret = (struct address){0};
    if (from->sa_family == AF_INET) {
        ret->family = AF_INET;
        memcpy(ret->bytes, &((const struct sockaddr_in *)(const void *)from)->sin_addr, 4);
    } else if (from->sa_family == AF_INET6) {
        ret->family = AF_INET6;
        memcpy(ret->bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, 16);
        unmap(ret);
    }
}

socklen_t address_to(const struct address *a, uint16_t port, struct sockaddr_storage *ret) {
    memset(ret, 0, sizeof *ret);
    if (a->family == AF_INET) {
        struct sockaddr_in *in = (struct sockaddr_in *)(void *)ret;
        in->sin_family = AF_INET;
        in->sin_port = htons(port);
        memcpy(&in->sin_addr, a->bytes, 4);
        return sizeof *in;
    }
    struct sockaddr_in6 *in = (struct sockaddr_in6 *)(void *)ret;
    in->sin6_family = AF_INET6;
    in->sin6_port = htons(port);
    memcpy(&in->sin6_addr, a->bytes, 16);
    return sizeof *in;
}

bool address_equal(const struct address *a, const struct address *b) {
    return a->family == b->family && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

void address_text(const struct address *a, char *ret, size_t size) {
    if (!inet_ntop(a->family, a->bytes, ret, (socklen_t)size))
        snprintf(ret, size, "?");
}

struct address_range {
    unsigned char bytes[4];
    unsigned bits;
};

static bool within(const unsigned char *bytes, const struct address_range *r) {
    unsigned whole = r->bits / 8, rest = r->bits % 8;
    if (memcmp(bytes, r->bytes, whole) != 0)
        return false;
    return rest == 0 || (bytes[whole] ^ r->bytes[whole]) >> (8 - rest) == 0;
}

/* RFC 6890 and its successors; and the address at which a large cloud offers services to its
 * hosts. */
static const struct address_range special4[] = {{{0}, 8},
                                                {{10}, 8},
                                                {{100, 64}, 10},
                                                {{127}, 8},
                                                {{168, 63, 129, 16}, 32},
                                                {{169, 254}, 16},
                                                {{172, 16}, 12},
                                                {{192, 0, 0}, 24},
                                                {{192, 0, 2}, 24},
                                                {{192, 88, 99}, 24},
                                                {{192, 168}, 16},
                                                {{198, 18}, 15},
                                                {{198, 51, 100}, 24},
                                                {{203, 0, 113}, 24},
                                                {{224}, 4},
                                                {{240}, 4}};

/* Special ranges within 2000::/3, the only space that is assigned: protocol assignments with
 * Teredo, documentation twice, 6to4. */
static const struct address_range special6[] = {{{0x20, 0x01, 0x00}, 23},
                                                {{0x20, 0x01, 0x0d, 0xb8}, 32},
                                                {{0x3f, 0xff}, 20},
                                                {{0x20, 0x02}, 16}};

/* ISATAP: an IPv4 address behind any prefix, to which a tunnel may lead. */
static bool is_tunnelled(const struct address *a) {
    static const unsigned char mark[] = {0, 0x5e, 0xfe};
    return a->family == AF_INET6 && (a->bytes[8] & ~3u) == 0 &&
           memcmp(a->bytes + 9, mark, sizeof mark) == 0;
}

bool address_is_public(const struct address *a) {
    bool four = a->family == AF_INET;
    const struct address_range *special = four ? special4 : special6;
    size_t count = four ? sizeof special4 / sizeof *special4 : sizeof special6 / sizeof *special6;
    if (a->family != AF_INET && (a->family != AF_INET6 || a->bytes[0] >> 5 != 1))
        return false;
    if (is_tunnelled(a))
        return false;
    for (size_t i = 0; i < count; i++)
        if (within(a->bytes, &special[i]))
            return false;
    return true;
}

/* The last part has no letter, or begins like a hexadecimal number: inet_aton and similar functions
 * would read it as an address. */
static bool is_numeric(const char *name) {
    const char *last = strrchr(name, '.');
    last = last ? last + 1 : name;
    return !last[strspn(last, "0123456789")] || strncmp(last, "0x", 2) == 0;
}

bool host_normalise(const char *text, size_t len, char ret[HOST_SIZE]) {
    static const char marks[] = "abcdefghijklmnopqrstuvwxyz0123456789-._";
    struct address a;
    if (len == 0 || len >= HOST_SIZE || memchr(text, 0, len))
        return false;
    for (size_t i = 0; i < len; i++)
        ret[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
    ret[len] = 0;
    if (address_parse(ret, &a)) {
        address_text(&a, ret, HOST_SIZE);
        return true;
    }
    if (ret[len - 1] == '.')
        ret[--len] = 0;
    return len > 0 && ret[0] != '.' && !strstr(ret, "..") && !ret[strspn(ret, marks)] &&
           !is_numeric(ret);
}
