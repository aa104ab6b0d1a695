/* The maxima that bound what guests, clients and models may send, or make us hold. */
#pragma once

#define MAX_CODE (16u << 20)       /* bytes of one cell */
#define MAX_FRAME (32u << 20)      /* payload of one frame from a guest */
#define MAX_FIELDS 4096            /* fields of one frame */
#define MAX_RESULT (96u << 20)     /* bytes of frames that one cell may send */
#define MAX_DISPLAYS 256           /* displays (and plots) kept of one cell */
#define MAX_TEXT (1u << 20)        /* one text representation */
#define MAX_NAME 1024              /* a name, title or hint that a guest gives */
#define MAX_MESSAGE (32u << 10)    /* an error's message, hint or line of source */
#define MAX_TRACEBACK (1u << 20)   /* what a guest says of where it failed */
#define MAX_VALUES (8u << 20)      /* variables, dataframes or a chart, as JSON */
#define MAX_JSON_DEPTH 64          /* nesting of JSON that a guest or client sent */
#define MAX_JSON_VALUES 500000     /* values in the JSON of a cell, or of one message */
#define MAX_SUBSCRIPTIONS 16384    /* files that one MCP session watches */
#define MAX_ENV_BYTES (128u << 10) /* all NAME=VALUE of a session */
#define MAX_SESSIONS 1000          /* per engine, unless configured */
#define MAX_MCP_SESSIONS 256       /* legacy MCP sessions of one owner */
#define MAX_PATH 4096
#define MAX_WORK_PATH (32u << 10)   /* below /work, where directories can be deeper than PATH_MAX */
#define MAX_FILE_LIST (16u << 20)   /* one list of a session's files, in memory */
#define MAX_LEDGER_BODY (16u << 20) /* one entry of the ledger */
#define MAX_SAVED_STATE (16u << 20) /* of an interpreter that saves it with each cell */
#define MAX_SAVED_STATES (64u << 20)   /* all that are held of one session */
#define MAX_NOTE (16u << 20)           /* one note in the ledger, with its long members */
#define MAX_REQUEST (32u << 20)        /* one JSON-RPC message of a client */
#define MAX_REPLY (192u << 20)         /* one JSON-RPC message to a client */
#define MAX_STREAM (194u << 20)        /* the same, streamed, with the notes that wait before it */
#define MAX_OWN_BODIES (256u << 20)    /* bodies of requests that are held for one owner */
#define MAX_BODIES (1024u << 20)       /* and for all */
#define MAX_IN_FLIGHT 256              /* requests that one connection may have open */
#define MAX_EVENT_QUEUE (1u << 20)     /* bytes waiting for one reader of an MCP stream */
#define MAX_EVENT (2u << 20)           /* one event of /events */
#define MAX_EVENT_RING (4u << 20)      /* events of one owner that are kept */
#define MAX_EVENT_RINGS (64u << 20)    /* and of all owners */
#define MAX_TOOL_CALLS 1000            /* host-tool calls of one cell */
#define MAX_TOOL_BYTES (1u << 20)      /* arguments or result of one host-tool call */
#define MAX_TOOLS 128                  /* host tools of one session */
#define MAX_FILE_CHUNK (16u << 20)     /* bytes of one files.read or output.read */
#define MAX_KEPT_CALLS (32u << 20)     /* all of one cell, and all kept of one session */
#define MAX_PAST (64u << 20)           /* code and names of which a session's state was made */
#define MAX_FILE_LISTS (80u << 20)     /* all lists of one session, in memory */
#define MAX_PROOF (64u << 20)          /* what a session has shown, for checks of answers */
#define MAX_OUTPUTS (32u << 20)        /* plots and short output kept of one session */
#define MAX_CLIENT_CONFIG (32u << 20)  /* the configuration of an MCP client */
#define MAX_UPLOADS 64                 /* files that arrive in pieces, of one session */
#define MAX_LEDGER_PENDING (64u << 20) /* small blobs that wait for their entry */
#define MAX_MODEL_REPLY (4u << 20)     /* text of one reply of a model, and of its calls */
#define MAX_MODEL_STREAM (128u << 20)  /* one reply as it comes over the network */
#define MAX_SSE_EVENT (16u << 20)      /* one event of a model's stream */
#define MAX_CASSETTE_LINE (8u << 20)   /* one entry of a cassette */
#define MAX_CONVERSATION (400u << 10)  /* characters of a conversation that a model is shown */
#define MAX_INPUT_FILE (64u << 20)     /* one file that the agent is given */
#define MAX_ANSWER (4u << 20)          /* bytes of an answer that is checked */
#define MAX_CLAIMS 4096                /* numbers read in one answer */
#define MAX_EVIDENCE 200000            /* numbers kept as evidence in one run of the agent */
#define MAX_LITERALS 20000             /* literals kept of the code of one run */
#define MAX_KEPT_ANSWER (8u << 20)     /* of a server, for cells that are run again */
#define MAX_KEPT_ANSWERS (32u << 20)   /* all of one cell */
#define MAX_BUNDLE (4u << 20)          /* authorities that a session trusts, in PEM */
#define MAX_SECRET 4096                /* one that the gate fills in */
#define MAX_NETWORK (256 << 10)        /* rules of one session, as JSON */
#define MAX_REVIEW_RULES (256u << 10)  /* of the review of its code, the same */
