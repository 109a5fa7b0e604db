// Google Benchmark's side of bench_micro: registers the C cases of micro.c, lets the library print
// its table, then prints a row for each.
//
//     bench_micro [--benchmark_filter=signature] and Google Benchmark's other options
#include "common.h"
#include "micro.h"

#include <benchmark/benchmark.h>
#include <string>

namespace {

void measure(benchmark::State &state, const micro_case *c) {
    void *kept = c->from_scratch ? nullptr : c->make(c->argument);
    for (auto _ : state) {
        if (c->from_scratch) {
            state.PauseTiming();
            kept = c->make(c->argument);
            state.ResumeTiming();
        }
        c->run(kept);
        if (c->from_scratch) {
            state.PauseTiming();
            c->free(kept);
            state.ResumeTiming();
        }
    }
    if (!c->from_scratch) c->free(kept);
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * c->per_run);
}

// One run of a case is many operations: the table's times are a run's, the rows' an operation's.
class rows_too : public benchmark::ConsoleReporter {
  public:
    void ReportRuns(const std::vector<Run> &runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run &run : runs) {
            auto rate = run.counters.find("items_per_second");
            if (run.error_occurred || rate == run.counters.end() || rate->second.value <= 0)
                continue;
            std::string name = run.run_name.function_name;
            if (run.run_type == Run::RT_Aggregate) name += "_" + run.aggregate_name;
            bench_row("bench=micro name=%s ns=%.3f", name.c_str(), 1e9 / rate->second.value);
        }
    }
};

} // namespace

int main(int argc, char **argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    for (size_t i = 0; i < micro_case_count; i++) {
        const micro_case *c = &micro_cases[i];
        std::string name = c->name;
        if (c->argument) name += "_" + std::to_string(c->argument);
        auto *made = benchmark::RegisterBenchmark(name.c_str(), measure, c);
        if (c->from_scratch) made->Iterations(20);
    }
    rows_too reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    bench_rows_print();
    return 0;
}
