/* Every maximum that bounds a buffer, a count or a depth, in one place. */
#pragma once

#define MAX_CODE (16u << 20)            /* bytes of one cell */
#define MAX_FRAME (32u << 20)           /* payload of one frame from a guest */
#define MAX_FIELDS 4096                 /* fields of one frame */
#define MAX_RESULT (96u << 20)          /* bytes of frames that one cell may send */
#define MAX_DISPLAYS 256                /* displays (and plots) kept of one cell */
#define MAX_TEXT (1u << 20)             /* one text representation */
#define MAX_JSON_DEPTH 64               /* nesting of JSON that a guest or client sent */
#define MAX_FILES 16384                 /* entries in a manifest */
#define MAX_ENV_BYTES (128u << 10)      /* all NAME=VALUE of a session */
#define MAX_SESSIONS 1000               /* per engine, unless configured */
#define MAX_PATH 4096
