/* svs trace predict: predicts the program's time on other numbers of workers. */
#include "format.h"
#include "span.h"
#include "trace_windows.h"
#include <math.h>
#include <stdlib.h>

enum {
    OPTION_CSV,
    OPTION_FIT,
    OPTION_C,
    OPTION_WORK,
    OPTION_SPAN,
    OPTION_WINDOWS,
    OPTION_MAKE,
    OPTION_WALK,
    OPTION_RUN,
    OPTION_LINE
};

#define WORKERS_MAX 1024u

/* A recording to compare the prediction with. */
typedef struct recording {
    const char *name;
    uint32_t workers;
    double parallel; /* number of workers, but no more than CPUs, if these are known */
    double time_ns;
} recording;

typedef struct prediction {
    tool_span span;
    const char *span_origin;
    double c;
    const char *c_origin;
    recording recordings[TOOL_FILES_MAX];
    size_t recording_count;
    uint32_t workers; /* number of workers of the first recording */
} prediction;

/* The c with the least sum of squared relative errors over the recordings of several workers:
 * measured = a + c b, with a = W/P and b = S (1 - 1/P). */
static bool fit(prediction *p) {
    double over = 0, under = 0;
    for (size_t i = 0; i < p->recording_count; i++) {
        const recording *r = &p->recordings[i];
        double a = p->span.work_ns / r->parallel;
        double b = p->span.span_ns * (1 - 1 / r->parallel);
        if (r->parallel < 2 || !(r->time_ns > 0)) continue;
        over += b * (r->time_ns - a) / (r->time_ns * r->time_ns);
        under += b * b / (r->time_ns * r->time_ns);
    }
    if (!(under > 0)) return false;
    p->c = over > 0 ? over / under : 0;
    p->c_origin = "fitted to the recordings";
    return true;
}

/* Uses the measure of the first FILE that has one, or else the phases of the first FILE. */
static bool take_span(prediction *p, const tool_view *view, const char *name, bool first) {
    const svs_measure *measure = &view->statistics.measure;
    if (p->span.measured) return true;
    if (measure->work_ns == 0) return !first || tool_span_of_phases(view, &p->span);
    p->span = (tool_span){(double)measure->work_ns, (double)measure->span_ns, true};
    p->span_origin = name;
    return true;
}

static int load(prediction *p, const tool_arguments *arguments) {
    int status = TOOL_OK;
    for (size_t i = 0; i < arguments->file_count && status != TOOL_ERROR; i++) {
        tool_view view;
        int opened = tool_view_open(&view, arguments->files[i]);
        if (opened != TOOL_OK) status = opened;
        if (status != TOOL_ERROR) {
            recording *r = &p->recordings[p->recording_count++];
            r->name = arguments->files[i];
            r->workers = view.tree->workers;
            r->parallel = r->workers;
            if (view.statistics.cpus != 0 && view.statistics.cpus < r->workers)
                r->parallel = view.statistics.cpus;
            r->time_ns = (double)view.active_ns;
            if (!take_span(p, &view, r->name, i == 0))
                status = tool_error("not enough memory to follow the phases");
        }
        tool_view_close(&view);
    }
    p->workers = p->recordings[0].workers;
    return status;
}

/* @return whether `text` is a number from `least` to `most`, and nothing else. */
static bool number(const char *text, double least, double most, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= least && *value <= most;
}

/* Reads a work and a span that were measured elsewhere. */
static int choose_span(prediction *p, const tool_arguments *arguments) {
    const char *work = arguments->values[OPTION_WORK], *span = arguments->values[OPTION_SPAN];
    if (!work && !span) return TOOL_OK;
    if (!work || !span) return tool_error("--work and --span belong together: give both");
    if (!number(span, 1, 1e18, &p->span.span_ns))
        return tool_error("--span takes nanoseconds, not '%s'", span);
    if (!number(work, p->span.span_ns, 1e18, &p->span.work_ns))
        return tool_error("--work takes nanoseconds, at least as many as --span, not '%s'", work);
    p->span.measured = true;
    p->span_origin = "the command line";
    return TOOL_OK;
}

static int choose_c(prediction *p, const tool_arguments *arguments) {
    const char *text = arguments->values[OPTION_C];
    p->c = 1;
    p->c_origin = "the upper bound for a greedy scheduler";
    if (text) {
        p->c_origin = "as given";
        if (!number(text, 0, 1e6, &p->c))
            return tool_error("-c takes a number from 0 to 1000000, not '%s'", text);
    }
    if (!arguments->values[OPTION_FIT]) return TOOL_OK;
    if (text) return tool_error("-c and --fit both set c: give only one of them");
    if (!fit(p)) return tool_error("--fit needs a recording of two workers or more");
    return TOOL_OK;
}

static const char *time_text(char text[TOOL_TEXT], double ns) {
    return tool_time(text, (uint64_t)llround(ns));
}

static void print_csv(FILE *output, const prediction *p) {
    fputs("workers,time_ns,speedup\n", output);
    for (unsigned workers = 1; workers <= WORKERS_MAX; workers *= 2) {
        double time = tool_span_predict(&p->span, p->c, workers);
        fprintf(output, "%u,%.0f,%.6g\n", workers, time, p->span.work_ns / time);
    }
}

static void print_figures(FILE *output, const prediction *p) {
    char text[TOOL_TEXT];
    fprintf(output, "%-12sW = %s, %s%s\n", "work", time_text(text, p->span.work_ns),
            p->span.measured ? "measured: " : "the time at work in phases",
            p->span.measured ? p->span_origin : "");
    fprintf(output, "%-12sS = %s, %s\n", "span", time_text(text, p->span.span_ns),
            p->span.measured ? "measured"
                             : "the longest path through phases: at least the true span");
    fprintf(output, "%-12sW/S = %.2f%s\n", "parallelism", p->span.work_ns / p->span.span_ns,
            p->span.measured ? "" : " at least");
    if (!p->span.measured)
        fprintf(
            output,
            "%-12sphases are as long as the run keeps a worker in them, so this says little about\n"
            "%-12smore than the %u worker%s of the recording; svs_measure_run() measures\n",
            "", "", p->workers, p->workers == 1 ? "" : "s");
    fprintf(output, "%-12sT(P) = W/P + c S (1 - 1/P)%s, c = %.4g: %s\n", "model",
            p->span.measured ? ", at least S" : "", p->c, p->c_origin);
}

static void print_table(FILE *output, const prediction *p) {
    fprintf(output, "\n%8s %12s %12s %12s %10s %11s\n", "workers", "at least", "predicted",
            "at most", "speed-up", "efficiency");
    for (unsigned workers = 1; workers <= WORKERS_MAX; workers *= 2) {
        char least[TOOL_TEXT], time[TOOL_TEXT], most[TOOL_TEXT];
        double share = p->span.work_ns / workers;
        double predicted = tool_span_predict(&p->span, p->c, workers);
        double speedup = p->span.work_ns / predicted;
        double bound = tool_span_predict(&p->span, 0, workers);
        fprintf(output, "%8u %12s %12s %12s %10.2f %10.1f%%\n", workers, time_text(least, bound),
                time_text(time, predicted), time_text(most, share + p->span.span_ns), speedup,
                100 * speedup / workers);
    }
    fprintf(output, "\nat least: %s; at most: W/P + S.\n",
            p->span.measured ? "max(W/P, S)" : "W/P");
}

static void print_errors(FILE *output, const prediction *p) {
    fprintf(output, "\n%8s %12s %12s %9s  %s\n", "workers", "recorded", "predicted", "error",
            "recording");
    for (size_t i = 0; i < p->recording_count; i++) {
        const recording *r = &p->recordings[i];
        char recorded[TOOL_TEXT], time[TOOL_TEXT];
        double predicted = tool_span_predict(&p->span, p->c, r->parallel);
        fprintf(output, "%8u %12s %12s %+8.1f%%  %s\n", r->workers, time_text(recorded, r->time_ns),
                time_text(time, predicted), 100 * (predicted / r->time_ns - 1), r->name);
    }
    fputs(
        "\nrecorded: the time with work in progress; predicted: for as many workers, but no more\n"
        "than there were CPUs.\n",
        output);
}

static int print(const tool_arguments *arguments, const prediction *p, int status) {
    FILE *output = tool_output_open(arguments);
    if (!output) return TOOL_ERROR;
    if (arguments->values[OPTION_CSV]) {
        print_csv(output, p);
    } else {
        print_figures(output, p);
        print_table(output, p);
        print_errors(output, p);
    }
    return tool_output_close(arguments, output, status);
}

static int run(const tool_arguments *arguments) {
    const tool_windows_options windows = {
        arguments->values[OPTION_MAKE], arguments->values[OPTION_WALK],
        arguments->values[OPTION_RUN], arguments->values[OPTION_LINE]};
    prediction p = {0};
    int status;
    if (arguments->values[OPTION_WINDOWS]) return tool_predict_windows(arguments, &windows);
    status = load(&p, arguments);
    if (status == TOOL_ERROR) return status;
    if (!(p.span.work_ns > 0 && p.span.span_ns > 0))
        return tool_error("%s has no phases that took any time", arguments->files[0]);
    if (choose_span(&p, arguments) || choose_c(&p, arguments)) return TOOL_ERROR;
    return print(arguments, &p, status);
}

const tool_command tool_trace_predict = {
    "predict",
    "time and speed-up on 1 to 1024 workers",
    "Predicts the time of the program on 1, 2, 4, ... 1024 workers by T(P) = W/P + c S (1 - 1/P).\n"
    "Work W and span S come from the first FILE that contains a measure, or else from the phases\n"
    "of the first FILE. With c = 1, T(P) is the upper bound for a greedy scheduler. The command\n"
    "then compares the prediction with the recorded time of each FILE.\n\n"
    "  -c NUMBER  weight of the span (default 1)\n"
    "  --fit      fits the weight to the FILEs\n"
    "  --csv      prints workers,time_ns,speedup and nothing else\n"
    "  --work NS --span NS\n"
    "             uses these values\n\n"
    "  --windows  simulates the windows of a graph instead, on 2 to 128 workers: what the first\n"
    "             FILE took to make and to run them, and what other designs would gain\n"
    "  --make NS --walk NS --run NS --line NS\n"
    "             of it, uses these values: to make the window of an instance, to walk its links\n"
    "             while nothing runs (default 0), to run it, to hand over a cache line (default "
    "40)\n",
    TOOL_FILES_MAX,
    {{"--csv", NULL},
     {"--fit", NULL},
     {"-c", "NUMBER"},
     {"--work", "NS"},
     {"--span", "NS"},
     {"--windows", NULL},
     {"--make", "NS"},
     {"--walk", "NS"},
     {"--run", "NS"},
     {"--line", "NS"},
     {NULL, NULL}},
    run};
