/* The file format of traces (docs/trace-format.md).
 *
 * The encoding is canonical: svs__trace_pack() reproduces the bytes that svs__trace_unpack() has
 * accepted.
 *
 *   stealtree.H1  A trace's measure has 0 < span <= work, or is all 0. */
#ifndef SVS_STEALTREE_FILE_H
#define SVS_STEALTREE_FILE_H

#include "stealtree/message.h"
#include "stealtree/seen.h"

#define SVS__FILE_MAGIC "\x89SVST\r\n\x1a"
#define SVS__FILE_VERSION 2u /* version of a trace without graphs */
/* version of a trace with graphs: their part follows those of the workers */
#define SVS__FILE_VERSION_GRAPHS 4u
#define SVS__FILE_CLOCK_NS 1u /* nanoseconds of a monotonic clock */

/* Offsets in bytes. */
enum {
    SVS__FILE_AT_VERSION = 8,
    SVS__FILE_AT_POLICY = 12,
    SVS__FILE_AT_WORKERS = 16,
    SVS__FILE_AT_CLOCK = 20,
    SVS__FILE_AT_LENGTH = 24,
    SVS__FILE_AT_DURATION = 32,
    SVS__FILE_AT_WORK = 40,
    SVS__FILE_AT_SPAN = 48,
    SVS__FILE_AT_ASYNCS = 56,
    SVS__FILE_AT_LOOK = 64,
    SVS__FILE_AT_CPUS = 72,
    SVS__FILE_HEAD = 76, /* size of the head: the bytes before the first worker */
    SVS__FILE_SUM = 8    /* bytes of the checksum at the end */
};

/* Checks stealtree.H1. */
bool svs__measure_is_valid(const svs_measure *measure);

/* Checks magic, version and length, before the rest is read. `head` has SVS__FILE_HEAD bytes.
 * @return SVS_OK, SVS_E_TRACE, SVS_E_VERSION. */
svs_status svs__file_check_head(const unsigned char *head, uint64_t *length,
                                const svs__message *message);

/* The checksum of a file's bytes before it. */
uint64_t svs__file_sum(const unsigned char *bytes, size_t size);

/* Encodes a trace. @param bytes is set to its `*size` bytes, from the trace's allocator with
 * alignment 1. @return SVS_OK, SVS_E_NO_MEMORY. */
svs_status svs__trace_pack(const svs_trace *trace, unsigned char **bytes, size_t *size);

/* Decodes a trace. @param message on failure: the offset of the byte, and what was expected there;
 * `message_size` bytes at most. @return SVS_OK, SVS_E_TRACE, SVS_E_VERSION, SVS_E_NO_MEMORY. */
svs_status svs__trace_unpack(const svs_allocator *allocator, const unsigned char *bytes,
                             size_t size, svs_trace **trace, char *message, size_t message_size);

#endif
