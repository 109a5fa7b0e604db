/* A process that does not link the library loads it at run time.
 *
 *     embed_load library FILE      the shared library itself, used through its exported functions
 *     embed_load plugin FILE       a module that links it, used through one function
 *
 * The library is loaded, used and unloaded 5 times, the module 100 times: by the main thread, and
 * by a thread that was started before; the loader has to fill in its static TLS afterwards. No
 * thread is left in between. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svs/check.h>
#include <svs/svs.h>
#include <time.h>

static _Noreturn void fail(const char *text, const char *more) {
    fprintf(stderr, "%s: %s\n", text, more);
    exit(1);
}

/* ---- the library's own functions ---- */

typedef struct functions {
    svs_status (*runtime_new)(const svs_runtime_options *, svs_runtime **);
    svs_status (*runtime_start)(svs_runtime *);
    svs_status (*runtime_free)(svs_runtime *);
    svs_status (*check_start)(svs_runtime *, const svs_check_options *);
    svs_status (*check_stop)(svs_runtime *, svs_check_summary *, size_t);
    svs_status (*async_run)(svs_runtime *, svs_async_function *, void *);
    void (*check_write)(const void *, size_t);
} functions;

static void look_up(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    if (found == NULL) fail(name, dlerror());
    memcpy(function, &found, sizeof found);
}

static void root(svs_async_context *async, void *argument) {
    functions *f = argument;
    (void)async;
    f->check_write(f, sizeof *f);
}

static void work_by_library(void *library) {
    functions f;
    svs_runtime *runtime;
    svs_check_summary summary = {0};
    look_up(library, "svs_runtime_new", &f.runtime_new);
    look_up(library, "svs_runtime_start", &f.runtime_start);
    look_up(library, "svs_runtime_free", &f.runtime_free);
    look_up(library, "svs_check_start", &f.check_start);
    look_up(library, "svs_check_stop_sized", &f.check_stop);
    look_up(library, "svs_async_run", &f.async_run);
    look_up(library, "svs_check_write", &f.check_write);
    f.check_write(&f, sizeof f); /* outside of tasks: nothing */
    if (f.runtime_new(NULL, &runtime) || f.check_start(runtime, NULL) || f.runtime_start(runtime) ||
        f.async_run(runtime, root, &f) || f.check_stop(runtime, &summary, sizeof summary) ||
        f.runtime_free(runtime))
        fail("the library", "an error where there is none");
    if (summary.accesses == 0) fail("the library", "it has not seen the checked access");
}

/* ---- a plugin's ---- */

static void work_by_plugin(void *library) {
    int (*plugin_work)(void);
    look_up(library, "plugin_work", &plugin_work);
    if (plugin_work() != 300) fail("the plugin", "not the sum of what its tasks do");
}

/* ---- loading ---- */

typedef struct job {
    pthread_barrier_t *loaded;
    void *library;
    void (*work)(void *library);
} job;

static void *work_later(void *argument) {
    job *j = argument;
    (void)pthread_barrier_wait(j->loaded);
    j->work(j->library);
    return NULL;
}

static void cycle(const char *file, void (*work)(void *library)) {
    pthread_barrier_t loaded;
    job j = {&loaded, NULL, work};
    pthread_t thread;
    if (pthread_barrier_init(&loaded, NULL, 2)) fail(file, "no barrier");
    if (pthread_create(&thread, NULL, work_later, &j)) fail(file, "no thread");
    j.library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (j.library == NULL) fail("it cannot be loaded", dlerror());
    work(j.library);
    (void)pthread_barrier_wait(&loaded);
    if (pthread_join(thread, NULL)) fail(file, "the thread does not end");
    (void)pthread_barrier_destroy(&loaded);
    if (dlclose(j.library)) fail("it cannot be unloaded", dlerror());
}

/* The threads of this process; a joined one may still count for a moment. (A listing of its tasks
 * may end early when one of them ends.) */
static int threads(void) {
    char line[128];
    int count = 0;
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL) fail("/proc/self/status", "cannot be read");
    while (count == 0 && fgets(line, sizeof line, status))
        if (strncmp(line, "Threads:", 8) == 0) count = (int)strtol(line + 8, NULL, 10);
    (void)fclose(status);
    return count;
}

static void expect_threads(int expected) {
    for (int i = 0; i < 10000 && threads() > expected; i++)
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (threads() > expected) fail("after unloading", "a thread is left");
}

int main(int count, char **words) {
    bool plugin = count == 3 && strcmp(words[1], "plugin") == 0;
    if (!plugin && (count != 3 || strcmp(words[1], "library") != 0))
        fail("usage", "embed_load library|plugin FILE");
    int before = 0;
    for (int i = 0; i < (plugin ? 100 : 5); i++) {
        cycle(words[2], plugin ? work_by_plugin : work_by_library);
        if (i == 0) before = threads(); /* a sanitizer has started one of its own */
        expect_threads(before);
    }
    return 0;
}
