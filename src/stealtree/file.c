#include "stealtree/file.h"
#include "stealtree/message.h"
#include "stealtree/trace.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef unsigned long long ull;

uint64_t svs__file_sum(const unsigned char *bytes, size_t size) { return XXH3_64bits(bytes, size); }

/* ---- little-endian numbers of a fixed length ---- */

static unsigned char *put_fixed(unsigned char *to, uint64_t number, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) *to++ = (unsigned char)(number >> 8 * i);
    return to;
}

static uint64_t get_fixed(const unsigned char *from, unsigned bytes) {
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++) number |= (uint64_t)from[i] << 8 * i;
    return number;
}

/* ---- writing ---- */

/* The bytes of a stream's events. */
static uint64_t stream_bytes(const svs__stream *stream) {
    uint64_t bytes = 0;
    /* relaxed, here and below: a trace does not change. */
    for (const svs__chunk *chunk = svs__load_relaxed(&stream->first); chunk != NULL;
         chunk = svs__load_relaxed(&chunk->next))
        bytes += svs__load_relaxed(&chunk->used);
    return bytes;
}

/* The numbers before a worker's events: at most five times ten bytes. */
#define STREAM_HEAD_MAX 50

static unsigned char *put_stream_head(unsigned char *to, const svs__stream *stream) {
    to = svs__number_put(to, stream->first_ordinal);
    to = svs__number_put(to, stream->first_phase);
    to = svs__number_put(to, svs__load_relaxed(&stream->phases));
    to = svs__number_put(to, svs__load_relaxed(&stream->lost));
    return svs__number_put(to, stream_bytes(stream));
}

static size_t packed_size(const svs_trace *trace) {
    unsigned char head[STREAM_HEAD_MAX];
    size_t size = SVS__FILE_HEAD + SVS__FILE_SUM;
    for (uint32_t w = 0; w < trace->workers; w++)
        size += (size_t)(put_stream_head(head, &trace->streams[w]) - head) +
                stream_bytes(&trace->streams[w]);
    return size;
}

svs_status svs__trace_pack(const svs_trace *trace, unsigned char **bytes, size_t *size) {
    size_t all = packed_size(trace);
    unsigned char *to = svs__allocate(&trace->allocator, all, 1);
    *bytes = to;
    *size = all;
    if (to == NULL) return SVS_E_NO_MEMORY;
    memcpy(to, SVS__FILE_MAGIC, SVS__FILE_AT_VERSION);
    to = put_fixed(to + SVS__FILE_AT_VERSION, SVS__FILE_VERSION, 4);
    to = put_fixed(to, trace->policy, 4);
    to = put_fixed(to, trace->workers, 4);
    to = put_fixed(to, SVS__FILE_CLOCK_NS, 4);
    to = put_fixed(to, all, 8);
    to = put_fixed(to, trace->duration_ns, 8);
    for (uint32_t w = 0; w < trace->workers; w++) {
        to = put_stream_head(to, &trace->streams[w]);
        for (const svs__chunk *chunk = svs__load_relaxed(&trace->streams[w].first); chunk != NULL;
             chunk = svs__load_relaxed(&chunk->next)) {
            uint32_t used = svs__load_relaxed(&chunk->used);
            memcpy(to, chunk->bytes, used);
            to += used;
        }
    }
    (void)put_fixed(to, svs__file_sum(*bytes, all - SVS__FILE_SUM), SVS__FILE_SUM);
    return SVS_OK;
}

static svs_status write_all(const char *path, const unsigned char *bytes, size_t size,
                            const svs__message *message) {
    FILE *file = fopen(path, "wb");
    bool written;
    int why;
    if (file == NULL)
        return svs__message_set(message, SVS_E_INVALID, "%s cannot be opened for writing: %s", path,
                                strerror(errno));
    written = fwrite(bytes, 1, size, file) == size;
    why = errno;
    if (fclose(file) != 0 && written) {
        written = false;
        why = errno;
    }
    if (written) return SVS_OK;
    return svs__message_set(message, SVS_E_INVALID, "%s could not be written to its end: %s", path,
                            strerror(why));
}

svs_status svs_trace_write(const svs_trace *trace, const char *path, char *text, size_t text_size) {
    svs__message message = {text, text_size};
    unsigned char *bytes;
    size_t size;
    svs_status status;
    if (trace == NULL || path == NULL) return svs__message_status(&message, SVS_E_INVALID);
    status = svs__trace_pack(trace, &bytes, &size);
    if (status) return svs__message_status(&message, status);
    status = write_all(path, bytes, size, &message);
    svs__release(&trace->allocator, bytes, size, 1);
    return status;
}

/* ---- reading ---- */

typedef struct input {
    const unsigned char *bytes;
    size_t size; /* without the checksum */
    size_t at;   /* the next byte */
    svs_trace *trace;
    const svs__message *message;
} input;

/* Magic, version and length of a head: is it worth to read the rest? */
static svs_status check_head(const unsigned char *head, uint64_t *length,
                             const svs__message *message) {
    uint32_t version = (uint32_t)get_fixed(head + SVS__FILE_AT_VERSION, 4);
    if (memcmp(head, SVS__FILE_MAGIC, SVS__FILE_AT_VERSION) != 0)
        return svs__message_set(message, SVS_E_INVALID,
                                "byte 0: this is no trace: it does not begin with 89 53 56 53 54 "
                                "0d 0a 1a");
    if (version != SVS__FILE_VERSION)
        return svs__message_set(message, SVS_E_INVALID,
                                "byte %d: this is a trace of version %u; version %u was expected",
                                SVS__FILE_AT_VERSION, version, SVS__FILE_VERSION);
    *length = get_fixed(head + SVS__FILE_AT_LENGTH, 8);
    if (*length < SVS__FILE_HEAD + SVS__FILE_SUM)
        return svs__message_set(message, SVS_E_INVALID,
                                "byte %d: a length of %llu bytes; at least %d were expected",
                                SVS__FILE_AT_LENGTH, (ull)*length, SVS__FILE_HEAD + SVS__FILE_SUM);
    return SVS_OK;
}

/* Is it whole and unchanged? After this, only a writer's mistakes are left to find. */
static svs_status check_bytes(const unsigned char *bytes, size_t size,
                              const svs__message *message) {
    uint64_t length = 0, sum, expected;
    svs_status status;
    if (size < SVS__FILE_HEAD)
        return svs__message_set(message, SVS_E_INVALID,
                                "byte %zu: the file ends; a head of %d bytes was expected", size,
                                SVS__FILE_HEAD);
    status = check_head(bytes, &length, message);
    if (status) return status;
    if (length != size)
        return svs__message_set(message, SVS_E_INVALID,
                                "byte %zu: the file %s; by its head it has %llu bytes", size,
                                size < length ? "ends: it was cut" : "goes on", (ull)length);
    sum = svs__file_sum(bytes, size - SVS__FILE_SUM);
    expected = get_fixed(bytes + size - SVS__FILE_SUM, SVS__FILE_SUM);
    if (sum == expected) return SVS_OK;
    return svs__message_set(message, SVS_E_INVALID,
                            "byte %zu: the checksum is %016llx; %016llx was expected: the file was "
                            "changed",
                            size - SVS__FILE_SUM, (ull)expected, (ull)sum);
}

static svs_status check_limits(const unsigned char *bytes, const svs__message *message) {
    uint64_t policy = get_fixed(bytes + SVS__FILE_AT_POLICY, 4);
    uint64_t workers = get_fixed(bytes + SVS__FILE_AT_WORKERS, 4);
    uint64_t clock = get_fixed(bytes + SVS__FILE_AT_CLOCK, 4);
    if (policy > SVS_WORK_FIRST)
        return svs__message_set(message, SVS_E_INVALID,
                                "byte %d: policy %llu; 0 (help-first) or 1 (work-first) was "
                                "expected",
                                SVS__FILE_AT_POLICY, (ull)policy);
    if (workers == 0 || workers > SVS_THREADS_MAX)
        return svs__message_set(message, SVS_E_INVALID,
                                "byte %d: %llu workers; 1 to %u were expected",
                                SVS__FILE_AT_WORKERS, (ull)workers, SVS_THREADS_MAX);
    if (clock != SVS__FILE_CLOCK_NS)
        return svs__message_set(message, SVS_E_INVALID, "byte %d: clock %llu; %u was expected",
                                SVS__FILE_AT_CLOCK, (ull)clock, SVS__FILE_CLOCK_NS);
    return SVS_OK;
}

static svs_status get_number(input *in, uint64_t *number, uint32_t worker, const char *what) {
    const unsigned char *from = in->bytes + in->at;
    const unsigned char *next = svs__number_get(from, in->bytes + in->size, number);
    if (next == NULL)
        return svs__message_set(in->message, SVS_E_INVALID,
                                "byte %zu: no number; worker %u's %s was expected", in->at, worker,
                                what);
    in->at += (size_t)(next - from);
    return SVS_OK;
}

/* One worker's numbers and events, as they are. */
static svs_status read_stream(input *in, uint32_t worker) {
    svs__stream *stream = &in->trace->streams[worker];
    uint64_t phases = 0, lost = 0, bytes = 0;
    svs__chunk *chunk;
    svs_status status = get_number(in, &stream->first_ordinal, worker, "first ordinal");
    if (status == SVS_OK) status = get_number(in, &stream->first_phase, worker, "first phase");
    if (status == SVS_OK) status = get_number(in, &phases, worker, "number of phases");
    if (status == SVS_OK) status = get_number(in, &lost, worker, "number of lost events");
    if (status == SVS_OK) status = get_number(in, &bytes, worker, "number of bytes");
    if (status) return status;
    if (bytes > in->size - in->at)
        return svs__message_set(in->message, SVS_E_INVALID,
                                "byte %zu: worker %u has %llu bytes of events, but %zu are left",
                                in->at, worker, (ull)bytes, in->size - in->at);
    /* relaxed: nobody else has the trace yet. */
    svs__store_relaxed(&stream->phases, phases);
    svs__store_relaxed(&stream->lost, lost);
    if (bytes == 0) return SVS_OK;
    if (bytes > UINT32_MAX)
        return svs__message_set(in->message, SVS_E_INVALID,
                                "byte %zu: worker %u has %llu bytes of events; less than 4 GiB "
                                "were expected",
                                in->at, worker, (ull)bytes);
    chunk = svs__chunk_new(&in->trace->allocator, (uint32_t)bytes);
    if (chunk == NULL) return svs__message_status(in->message, SVS_E_NO_MEMORY);
    memcpy(chunk->bytes, in->bytes + in->at, bytes);
    svs__store_relaxed(&chunk->used, (uint32_t)bytes);
    svs__store_relaxed(&stream->first, chunk);
    in->at += bytes;
    return SVS_OK;
}

/* Every event can be read, and there are as many beginnings as it says. @param end where the
 * worker's events end. */
static svs_status check_stream(const input *in, uint32_t worker, size_t end) {
    const svs__stream *stream = &in->trace->streams[worker];
    size_t begin = end - stream_bytes(stream);
    uint64_t phases = 0, stated = svs__load_relaxed(&stream->phases);
    svs__events events = svs__events_of(in->trace, worker);
    svs__event event;
    while (svs__events_next(&events, &event)) phases += event.tag > SVS__EVENT_SUSPENDED;
    if (events.wrong != NULL)
        return svs__message_set(in->message, SVS_E_INVALID, "byte %llu: worker %u's event %s",
                                (ull)(begin + events.offset), worker, events.wrong);
    if (phases != stated)
        return svs__message_set(in->message, SVS_E_INVALID,
                                "byte %zu: %llu phases of worker %u; %llu were expected", end,
                                (ull)phases, worker, (ull)stated);
    if (events.ns > in->trace->duration_ns)
        return svs__message_set(in->message, SVS_E_INVALID,
                                "byte %zu: worker %u's last event is at %llu ns; at most the "
                                "trace's %llu were expected",
                                end, worker, (ull)events.ns, (ull)in->trace->duration_ns);
    return SVS_OK;
}

static svs_status read_streams(input *in) {
    size_t end = in->size;
    for (uint32_t w = 0; w < in->trace->workers; w++) {
        svs_status status = read_stream(in, w);
        if (status) return status;
    }
    if (in->at != in->size)
        return svs__message_set(in->message, SVS_E_INVALID,
                                "byte %zu: %zu bytes more than the workers have", in->at,
                                in->size - in->at);
    /* Only now: an event counts from the first ordinal of the worker that it names. */
    for (uint32_t w = in->trace->workers; w-- > 0;) {
        unsigned char head[STREAM_HEAD_MAX];
        const svs__stream *stream = &in->trace->streams[w];
        svs_status status = check_stream(in, w, end);
        if (status) return status;
        end -= stream_bytes(stream) + (size_t)(put_stream_head(head, stream) - head);
    }
    return SVS_OK;
}

svs_status svs__trace_unpack(const svs_allocator *allocator, const unsigned char *bytes,
                             size_t size, svs_trace **trace, char *text, size_t text_size) {
    svs__message message = {text, text_size};
    input in = {bytes, size - SVS__FILE_SUM, SVS__FILE_HEAD, NULL, &message};
    svs_status status;
    *trace = NULL;
    status = check_bytes(bytes, size, &message);
    if (status == SVS_OK) status = check_limits(bytes, &message);
    if (status) return status;
    in.trace = svs__trace_new(allocator, (uint32_t)get_fixed(bytes + SVS__FILE_AT_POLICY, 4),
                              (uint32_t)get_fixed(bytes + SVS__FILE_AT_WORKERS, 4));
    if (in.trace == NULL) return svs__message_status(&message, SVS_E_NO_MEMORY);
    in.trace->duration_ns = get_fixed(bytes + SVS__FILE_AT_DURATION, 8);
    status = read_streams(&in);
    if (status == SVS_OK) *trace = in.trace;
    else svs_trace_free(in.trace);
    return status;
}

/* A file's bytes. */
typedef struct content {
    unsigned char *bytes;
    uint32_t size, capacity;
} content;

#define READ_BYTES 65536u

/* Reads to the end, or to where it is clear that it is no trace: memory grows with what comes, not
 * with what the head says. */
static svs_status read_content(FILE *file, content *all, const svs__message *message) {
    uint64_t length = UINT64_MAX;
    size_t more;
    do {
        if (all->size > UINT32_MAX - READ_BYTES)
            return svs__message_set(message, SVS_E_INVALID,
                                    "byte %u: the file goes on; less than 4 GiB were expected",
                                    all->size);
        if (!svs__grow(&svs__allocator_libc, (void **)&all->bytes, &all->capacity,
                       all->size + READ_BYTES, 1))
            return svs__message_status(message, SVS_E_NO_MEMORY);
        more = fread(all->bytes + all->size, 1, READ_BYTES, file);
        if (all->size == 0 && more >= SVS__FILE_HEAD && check_head(all->bytes, &length, message))
            return SVS_E_INVALID;
        all->size += (uint32_t)more;
    } while (more == READ_BYTES && all->size <= length);
    if (ferror(file))
        return svs__message_set(message, SVS_E_INVALID, "byte %u: cannot be read: %s", all->size,
                                strerror(errno));
    return SVS_OK;
}

svs_status svs_trace_read(const char *path, svs_trace **trace, char *text, size_t text_size) {
    svs__message message = {text, text_size};
    content all = {NULL, 0, 0};
    svs_status status;
    FILE *file;
    if (path == NULL || trace == NULL) return svs__message_status(&message, SVS_E_INVALID);
    *trace = NULL;
    file = fopen(path, "rb");
    if (file == NULL)
        return svs__message_set(&message, SVS_E_INVALID, "%s cannot be opened: %s", path,
                                strerror(errno));
    status = read_content(file, &all, &message);
    (void)fclose(file);
    if (status == SVS_OK)
        status =
            svs__trace_unpack(&svs__allocator_libc, all.bytes, all.size, trace, text, text_size);
    svs__array_release(&svs__allocator_libc, all.bytes, all.capacity, 1);
    return status;
}
