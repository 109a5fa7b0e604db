// Google Benchmark's side of shim.h: registers the cases, and keeps the figures of its reporter.
#include "shim.h"

#include <benchmark/benchmark.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct bench_state {
    benchmark::State *google; // nullptr: counts down, for callgrind
    uint64_t left;
};

bool bench_loop(bench_state *state) {
    return state->google ? state->google->KeepRunning() : state->left-- > 0;
}

void bench_pause(bench_state *state) {
    if (state->google) state->google->PauseTiming();
}

void bench_resume(bench_state *state) {
    if (state->google) state->google->ResumeTiming();
}

void bench_time(bench_state *state, uint64_t ns) {
    if (state->google) state->google->SetIterationTime(1e-9 * static_cast<double>(ns));
}

void bench_counter(bench_state *state, const char *key, double value) {
    if (state->google) state->google->counters[key] = value;
}

void bench_run_counted(const bench_case *c, uint64_t iterations) {
    bench_state state = {nullptr, iterations};
    c->run(&state, c->argument);
}

namespace {

double spread(const std::vector<double> &values) {
    std::vector<double> sorted = values;
    return bench_spread(sorted.data(), sorted.size()) / 100;
}

double p99(const std::vector<double> &values) {
    std::vector<double> sorted = values;
    return bench_percentile(sorted.data(), sorted.size(), 99);
}

// Figures by case and key.
std::map<std::string, std::map<std::string, bench_figure>> results;

// A repetition has no statistic's name; those of one repetition alone are its own.
void keep(bench_figure &figure, const std::string &statistic, double value) {
    if (statistic.empty()) figure = {value, 0, value, value};
    else if (statistic == "median") figure.median = value;
    else if (statistic == "spread") figure.spread_pct = 100 * value;
    else if (statistic == "mean") figure.mean = value;
    else if (statistic == "p99") figure.p99 = value;
}

// JSON has no text for what a statistic of zeros may be.
benchmark::BenchmarkReporter::Run without_nan(benchmark::BenchmarkReporter::Run run) {
    for (auto at = run.counters.begin(); at != run.counters.end();)
        at = std::isfinite(at->second.value) ? std::next(at) : run.counters.erase(at);
    return run;
}

using base = benchmark::BenchmarkReporter;

// Keeps figures, and hands all on to the reporter of the chosen format; a table for people has a
// line for each case, with its median.
class keeper : public base {
    base *inner = benchmark::CreateDefaultDisplayReporter(); // lives as long as the program

  public:
    bool for_people() const { return dynamic_cast<benchmark::ConsoleReporter *>(inner); }
    bool ReportContext(const Context &context) override { return inner->ReportContext(context); }
    void Finalize() override { inner->Finalize(); }

    void ReportRuns(const std::vector<Run> &runs) override {
        std::vector<Run> shown;
        for (const Run &run : runs) {
            auto &of = results[run.run_name.function_name];
            const bool share = run.aggregate_unit == benchmark::StatisticUnit::kPercentage;
            keep(of[BENCH_WALL], run.aggregate_name,
                 share ? run.real_accumulated_time : run.GetAdjustedRealTime());
            keep(of[BENCH_CPU], run.aggregate_name,
                 share ? run.cpu_accumulated_time : run.GetAdjustedCPUTime());
            of[BENCH_REPETITIONS].median = static_cast<double>(run.repetitions);
            for (const auto &counter : run.counters)
                keep(of[counter.first], run.aggregate_name, counter.second);
            if (!for_people() || run.run_type == Run::RT_Iteration ||
                run.aggregate_name == "median")
                shown.push_back(without_nan(run));
        }
        inner->ReportRuns(shown);
    }
};

void enlist(bench_case *c) {
    auto *made = benchmark::RegisterBenchmark(c->name, [c](benchmark::State &google) {
        bench_state state = {&google, 0};
        c->run(&state, c->argument);
        if (!std::isnan(c->instructions)) google.counters["instructions"] = c->instructions;
    });
    made->MeasureProcessCPUTime()->ComputeStatistics("p99", p99);
    made->ComputeStatistics("spread", spread, benchmark::StatisticUnit::kPercentage);
    if (c->timed) made->UseManualTime();
    if (c->iterations) made->Iterations(c->iterations);
    if (c->repetitions) made->Repetitions(static_cast<int>(c->repetitions));
}

// Google Benchmark asks for its usage, and exits with 0 then, if a format is unknown.
void unknown_format() {
    std::fputs("error: a format of --benchmark_format or --benchmark_out_format is not one of "
               "console, json and csv\n",
               stderr);
    std::exit(64); // EX_USAGE, as after any other unknown option
}

} // namespace

const char *bench_google_options(int count, char **options) {
    benchmark::Initialize(&count, options, unknown_format);
    return count > 1 ? options[1] : nullptr;
}

const char *bench_google_filter() {
    static std::string filter;
    filter = benchmark::GetBenchmarkFilter();
    return filter.c_str();
}

size_t bench_google_run(bench_list_of_cases cases, bool *for_people) {
    keeper reporter;
    for (size_t i = 0; i < cases.count; i++) enlist(cases.of[i]);
    *for_people = reporter.for_people();
    return benchmark::RunSpecifiedBenchmarks(&reporter);
}

bench_figure bench_figure_of(const bench_case *c, const char *key) {
    const auto of = c ? results.find(c->name) : results.end();
    if (of == results.end() || !of->second.count(key)) return {NAN, NAN, NAN, NAN};
    bench_figure figure = of->second.at(key);
    const bool is_time = key == std::string(BENCH_WALL) || key == std::string(BENCH_CPU);
    for (double *value : {&figure.median, &figure.mean, &figure.p99})
        if (is_time) *value /= c->items;
    return figure;
}
