/* The type of a file, by the ending of its name: one table for lists of files, links and downloads. */
#pragma once

const char *mime_of(const char *path); /* application/octet-stream if nothing else is known */
