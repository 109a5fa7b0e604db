#include "child.h"

#include "common.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void arguments_add(arguments *a, const char *format, ...) {
    va_list list;
    char *text = NULL;
    if (a->count == ARGUMENTS_MAX) bench_fail("more than %d arguments", ARGUMENTS_MAX);
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0) bench_fail("no memory");
    va_end(list);
    a->of[a->count++] = text;
}

void arguments_add_words(arguments *a, const char *text) {
    while (*(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        arguments_add(a, "%.*s", (int)length, text);
        text += length;
    }
}

void arguments_clean_up(arguments *a) {
    for (size_t i = 0; i < a->count; i++) free(a->of[i]);
    *a = (arguments){0};
}

/* One of the child's two streams. */
typedef struct stream {
    int ends[2];
    char *text;
    size_t length, capacity;
} stream;

static void stream_open(stream *s) {
    *s = (stream){.capacity = 4096};
    if (pipe(s->ends)) bench_fail("pipe: %s", strerror(errno));
    s->text = bench_allocate(s->capacity, 1);
}

/* @return false at the stream's end. */
static bool stream_read(stream *s) {
    ssize_t got;
    if (s->capacity - s->length < 2048) {
        s->capacity *= 2;
        s->text = realloc(s->text, s->capacity);
        if (!s->text) bench_fail("no memory for what a program says");
    }
    got = read(s->ends[0], s->text + s->length, s->capacity - s->length - 1);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    s->length += (size_t)got;
    s->text[s->length] = 0;
    return true;
}

static void become(const arguments *a, const stream streams[2]) {
    if (dup2(streams[0].ends[1], STDOUT_FILENO) < 0 || dup2(streams[1].ends[1], STDERR_FILENO) < 0)
        _exit(127);
    for (int i = 0; i < 2; i++) {
        close(streams[i].ends[0]);
        close(streams[i].ends[1]);
    }
    execv(a->of[0], a->of);
    dprintf(STDERR_FILENO, "%s: %s\n", a->of[0], strerror(errno));
    _exit(127);
}

/* Reads both streams until they end or the time is up. @return false then. */
static bool listen_to(stream streams[2], uint64_t deadline_ns) {
    struct pollfd polls[2] = {{streams[0].ends[0], POLLIN, 0}, {streams[1].ends[0], POLLIN, 0}};
    while (polls[0].fd >= 0 || polls[1].fd >= 0) {
        uint64_t now = bench_wall_ns();
        if (now >= deadline_ns) return false;
        if (poll(polls, 2, (int)((deadline_ns - now) / 1000000u) + 1) < 0) continue;
        for (int i = 0; i < 2; i++)
            if (polls[i].revents && !stream_read(&streams[i])) polls[i].fd = -1;
    }
    return true;
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static void wait_for(child *c, pid_t pid) {
    struct rusage usage;
    int status = 0;
    while (wait4(pid, &status, 0, &usage) < 0)
        if (errno != EINTR) bench_fail("wait4: %s", strerror(errno));
    c->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    c->failed = c->status != 0;
    c->cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    c->peak_mb = (double)usage.ru_maxrss / 1024;
}

void child_run(child *c, const arguments *a, double limit_seconds) {
    stream streams[2];
    uint64_t begin;
    pid_t pid;
    *c = (child){0};
    stream_open(&streams[0]);
    stream_open(&streams[1]);
    fflush(NULL);
    begin = bench_wall_ns();
    pid = fork();
    if (pid < 0) bench_fail("fork: %s", strerror(errno));
    if (pid == 0) become(a, streams);
    for (int i = 0; i < 2; i++) close(streams[i].ends[1]);
    c->timed_out = !listen_to(streams, begin + (uint64_t)(limit_seconds * 1e9));
    if (c->timed_out) kill(pid, SIGKILL);
    wait_for(c, pid);
    c->wall_seconds = 1e-9 * (double)(bench_wall_ns() - begin);
    for (int i = 0; i < 2; i++) close(streams[i].ends[0]);
    c->output = streams[0].text;
    c->error = streams[1].text;
}

void child_complaint(const child *c, char *text, size_t size) {
    size_t end = strlen(c->error), begin;
    while (end && c->error[end - 1] == '\n') end--;
    for (begin = end; begin && c->error[begin - 1] != '\n';) begin--;
    if (c->timed_out) snprintf(text, size, "took too long and was ended");
    else if (begin < end) snprintf(text, size, "%.*s", (int)(end - begin), c->error + begin);
    else if (c->status < 0) snprintf(text, size, "was ended by a signal");
    else snprintf(text, size, "exit status %d", c->status);
}

void child_clean_up(child *c) {
    free(c->output);
    free(c->error);
    *c = (child){0};
}
