/* Stands in for libFuzzer when a corpus is replayed as an ordinary test: each file named on the
 * command line is one input. A finding aborts; the name printed last is the file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path) {
    FILE *file = fopen(path, "re");
    if (!file || fseek(file, 0, SEEK_END) < 0) {
        perror(path);
        return -1;
    }
    long size = ftell(file);
    rewind(file);
    /* Exactly as large as the input, so that a sanitizer sees any read past its end. */
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    size_t got = data && size > 0 ? fread(data, 1, (size_t)size, file) : 0;
    fclose(file);
    if (!data || got != (size_t)size) {
        fprintf(stderr, "%s: cannot read\n", path);
        free(data);
        return -1;
    }
    LLVMFuzzerTestOneInput(data, got);
    free(data);
    return 0;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        printf("%s\n", argv[i]);
        fflush(stdout);
        if (replay(argv[i]) < 0)
            return 1;
    }
    printf("%d inputs\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
