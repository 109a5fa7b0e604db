#include "stealtree/file.h"
#include "stealtree/message.h"
#include <errno.h>
#include <stdio.h>

static svs_status write_all(const char *path, const unsigned char *bytes, size_t size,
                            const svs__message *message) {
    FILE *file = fopen(path, "wb");
    bool written;
    int why;
    if (file == NULL)
        return svs__message_system(message, errno, path, "cannot be opened for writing");
    written = fwrite(bytes, 1, size, file) == size;
    why = errno;
    if (fclose(file) != 0 && written) {
        written = false;
        why = errno;
    }
    if (written) return SVS_OK;
    return svs__message_system(message, why, path, "could not be written to its end");
}

svs_status svs_trace_write(const svs_trace *trace, const char *path, char *text, size_t text_size) {
    svs__message message = {text, text_size};
    unsigned char *bytes;
    size_t size;
    svs_status status;
    if (trace == NULL || path == NULL)
        return svs__message_set(&message, SVS_E_NULL,
                                "svs_trace_write: the trace or the path is NULL: pass both");
    status = svs__trace_pack(trace, &bytes, &size);
    if (status) return svs__message_status(&message, status);
    status = write_all(path, bytes, size, &message);
    svs__release(&trace->allocator, bytes, size, 1);
    return status;
}

/* The bytes of a file. */
typedef struct content {
    unsigned char *bytes;
    uint32_t size, capacity;
} content;

#define READ_BYTES 65536u

/* Reads the file to its end, or until its bytes show that it is no trace. Memory grows with the
 * bytes that were read, not with the length that the head claims. */
static svs_status read_content(FILE *file, const char *path, content *all,
                               const svs__message *message) {
    uint64_t length = UINT64_MAX;
    svs_status status = SVS_OK;
    size_t more;
    do {
        if (all->size > UINT32_MAX - READ_BYTES)
            return svs__message_set(message, SVS_E_TRACE,
                                    "byte %u: the file goes on; less than 4 GiB were expected",
                                    all->size);
        if (!svs__grow(&svs__allocator_libc, (void **)&all->bytes, &all->capacity,
                       all->size + READ_BYTES, 1))
            return svs__message_status(message, SVS_E_NO_MEMORY);
        more = fread(all->bytes + all->size, 1, READ_BYTES, file);
        if (all->size == 0 && more >= SVS__FILE_HEAD)
            status = svs__file_check_head(all->bytes, &length, message);
        if (status) return status;
        all->size += (uint32_t)more;
    } while (more == READ_BYTES && all->size <= length);
    if (ferror(file)) return svs__message_system(message, errno, path, "cannot be read");
    return SVS_OK;
}

svs_status svs_trace_read(const char *path, svs_trace **trace, char *text, size_t text_size) {
    svs__message message = {text, text_size};
    content all = {NULL, 0, 0};
    svs_status status;
    FILE *file;
    if (path == NULL || trace == NULL)
        return svs__message_set(&message, SVS_E_NULL,
                                "svs_trace_read: the path or the place for the trace is NULL: "
                                "pass both");
    *trace = NULL;
    file = fopen(path, "rb");
    if (file == NULL) return svs__message_system(&message, errno, path, "cannot be opened");
    status = read_content(file, path, &all, &message);
    (void)fclose(file);
    if (status == SVS_OK)
        status =
            svs__trace_unpack(&svs__allocator_libc, all.bytes, all.size, trace, text, text_size);
    svs__array_release(&svs__allocator_libc, all.bytes, all.capacity, 1);
    return status;
}
