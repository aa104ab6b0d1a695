#include "base/mime.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

const char *mime_of(const char *path) {
    static const struct {
        const char *ending, *mime;
    } known[] = {{".csv", "text/csv"},
                 {".gif", "image/gif"},
                 {".gz", "application/gzip"},
                 {".html", "text/html"},
                 {".jpeg", "image/jpeg"},
                 {".jpg", "image/jpeg"},
                 {".js", "text/javascript"},
                 {".json", "application/json"},
                 {".md", "text/markdown"},
                 {".mp3", "audio/mpeg"},
                 {".mp4", "video/mp4"},
                 {".parquet", "application/vnd.apache.parquet"},
                 {".pdf", "application/pdf"},
                 {".png", "image/png"},
                 {".py", "text/x-python"},
                 {".sh", "text/x-shellscript"},
                 {".svg", "image/svg+xml"},
                 {".tsv", "text/tab-separated-values"},
                 {".txt", "text/plain"},
                 {".wav", "audio/wav"},
                 {".webp", "image/webp"},
                 {".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
                 {".xml", "application/xml"},
                 {".zip", "application/zip"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcasecmp(dot, known[i].ending) == 0)
            return known[i].mime;
    return "application/octet-stream";
}
