#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonwhole.h"
#include "base/maxima.h"
#include "base/scope.h"
#include "base/unconst.h"
#include "engine/host/fingerprint.h"
#include "serve/hosted/json.h"
#include "serve/mcp/mcp_tool.h"

/* Packages that a model may want to know of: their name in the metadata, and the name to import. */
static const struct {
    const char *package, *module;
} known[] = {
    {"numpy", "numpy"},
    {"pandas", "pandas"},
    {"matplotlib", "matplotlib"},
    {"scipy", "scipy"},
    {"scikit_learn", "sklearn"},
    {"statsmodels", "statsmodels"},
    {"seaborn", "seaborn"},
    {"plotly", "plotly"},
    {"altair", "altair"},
    {"sympy", "sympy"},
    {"networkx", "networkx"},
    {"polars", "polars"},
    {"pyarrow", "pyarrow"},
    {"duckdb", "duckdb"},
    {"sqlalchemy", "sqlalchemy"},
    {"pillow", "PIL"},
    {"opencv_python", "cv2"},
    {"scikit_image", "skimage"},
    {"torch", "torch"},
    {"tensorflow", "tensorflow"},
    {"jax", "jax"},
    {"transformers", "transformers"},
    {"nltk", "nltk"},
    {"spacy", "spacy"},
    {"openpyxl", "openpyxl"},
    {"xlrd", "xlrd"},
    {"lxml", "lxml"},
    {"beautifulsoup4", "bs4"},
    {"pyyaml", "yaml"},
    {"tabulate", "tabulate"},
    {"python_docx", "docx"},
    {"pypdf", "pypdf"},
    {"reportlab", "reportlab"},
    {"shapely", "shapely"},
    {"geopandas", "geopandas"},
    {"pytest", "pytest"},
    {"tqdm", "tqdm"},
};

static bool is_package(const char *name, const char *wanted) {
    for (; *name && *wanted; name++, wanted++)
        if (*wanted != (*name == '-' || *name == '.' ? '_' : tolower((unsigned char)*name)))
            return false;
    return !*name && !*wanted;
}

static const char *mcp_facts_version_of(const json_t *packages, const char *wanted) {
    const char *name;
    json_t *version;

    json_object_foreach(unconst(packages), name, version) {
        if (is_package(name, wanted))
            return json_string_value(version);
    }
    return NULL;
}

static void mcp_facts_add_libraries(struct buf *out, const json_t *packages) {
    size_t n = 0;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *version = mcp_facts_version_of(packages, known[i].package);

        if (version)
            buf_printf(out, "%s%s %.20s", n++ ? ", " : " with ", known[i].module, version);
    }
    buf_adds(out, n ? "." : " with its standard library alone.");
}

/* "…/python3.11" → "3.11" */
static const char *python_version(const char *interpreter) {
    const char *base = strrchr(interpreter, '/');

    return base && strncmp(base, "/python3.", 9) == 0 ? base + 7 : "3";
}

static void add_network(struct buf *out, const json_t *network) {
    scoped_free char *rules = network ? json_whole(network, JSON_COMPACT) : NULL;

    if (rules)
        buf_printf(out,
                   " Network: this server does allow connections to the hosts of these rules, by "
                   "HTTP and HTTPS through the proxy that the environment variables name: %s",
                   rules);
}

char *mcp_facts(const struct serve *serve) {
    struct retort_session_options asked = {0};
    scoped_buf out = BUF_INIT(MAX_CODE);
    struct retort_error err = ERR_INIT;
    json_t *expected = NULL;

    if (serve->defaults)
        asked = serve->defaults->options;
    asked.network = serve->network ? serve->network : asked.network;
    if (fingerprint_expected(&asked, &expected, &err) < 0)
        return strdup("");
    scoped_json *facts = expected;
    const json_t *limits = json_object_get(facts, "limits");
    const char *language = mcp_argument(facts, "language");

    if (strcmp(language, "python") == 0) {
        buf_printf(&out, "Python %s", python_version(mcp_argument(facts, "interpreter")));
        mcp_facts_add_libraries(&out, json_object_get(facts, "packages"));
    } else {
        buf_printf(&out, "The language is %s.", language);
    }
    buf_printf(&out, " Limits: %g s a call, %lld MB of memory, %lld MB of files.",
               json_number_value(json_object_get(limits, "timeout")),
               (long long)json_integer_value(json_object_get(limits, "memory_mb")),
               (long long)json_integer_value(json_object_get(limits, "disk_mb")));
    add_network(&out, json_object_get(facts, "network"));
    return TAKE(out.data);
}
