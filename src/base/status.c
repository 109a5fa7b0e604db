#include <svs/status.h>

/* One row for each status: its name follows from the constant. */
#define STATUSES(X)                                                                                \
    X(SVS_OK, "Everything went well.")                                                             \
    X(SVS_E_INVALID,                                                                               \
      "An argument is out of its range, or does not fit the others; the function's header says "   \
      "which are valid.")                                                                          \
    X(SVS_E_NO_MEMORY,                                                                             \
      "There is no memory left; nothing was changed, so free some and try again.")                 \
    X(SVS_E_NOT_STARTED, "The runtime has not been started; call svs_runtime_start() first.")      \
    X(SVS_E_STOPPED, "The runtime was stopped, which is final; make a new one.")                   \
    X(SVS_E_BUSY,                                                                                  \
      "Something is running, or left over, that must have ended first; wait for it or free it.")   \
    X(SVS_E_CYCLE,                                                                                 \
      "The graph's dependencies form a cycle; remove one of those that the report names.")         \
    X(SVS_E_UNDECLARED, "A body sent to a task that its own was not declared to send to; declare " \
                        "it with svs_graph_add_flow().")                                           \
    X(SVS_E_WORLD,                                                                                 \
      "Objects, spaces or graphs of two worlds are used in one call; use those of one world.")     \
    X(SVS_E_NESTED,                                                                                \
      "A graph was run from a task body; run it from outside, or send to its tasks.")              \
    X(SVS_E_FREED, "The memory object was freed or cleaned up before; do not use it any more.")    \
    X(SVS_E_THREAD, "A thread could not be created; ask for fewer threads or smaller stacks, or "  \
                    "raise the system's limit.")                                                   \
    X(SVS_E_LIMIT, "A fixed limit of the library is reached; the function's header says which.")   \
    X(SVS_E_TYPE,                                                                                  \
      "A type, or a link of a type, was never described or is described wrongly; see SVS_TYPE "    \
      "and SVS_TASK.")                                                                             \
    X(SVS_E_OUTSIDE, "Only a task body may make this call, for its own instance.")                 \
    X(SVS_E_CANCELLED,                                                                             \
      "The run was cancelled before it had ended; items that were not processed and "              \
      "asyncs that had not begun are gone.")                                                       \
    X(SVS_E_PARTED,                                                                                \
      "The program has not spawned the tree of the trace; replay it with the input it was traced " \
      "with.")                                                                                     \
    X(SVS_E_FORKED,                                                                                \
      "The runtime belongs to the process that this one was forked from, and its workers are "     \
      "there; make a new runtime in this process.")                                                \
    X(SVS_E_NULL, "A pointer that the call needs is NULL; pass one, or check the call that "       \
                  "should have made it.")                                                          \
    X(SVS_E_VERSION,                                                                               \
      "The options, or the file, are of another version; fill options with their _init function, " \
      "compile with this library's headers, and record a trace anew.")                             \
    X(SVS_E_STATE, "What this call ends or queries was never begun; begin it first.")              \
    X(SVS_E_FILE, "A file cannot be opened, read or written; the message says why.")               \
    X(SVS_E_TRACE, "This is no trace, or the trace is cut off, was changed or describes an "       \
                   "impossible run; record it anew.")                                              \
    X(SVS_E_DEADLOCK,                                                                              \
      "All ranks are idle, no record is in flight, and fibers still wait; look at "                \
      "the waits that svs_ranks_failure() lists.")                                                 \
    X(SVS_E_RANK, "A rank died, or left before the end of a run; look at its own messages first.") \
    X(SVS_E_DIFFERS, "The ranks differ in version, options or handlers; start the same program, "  \
                     "with the same options, on all ranks.")                                       \
    X(SVS_E_RECORD, "A malformed record arrived from another rank; the failure names its sender "  \
                    "and position.")                                                               \
    X(SVS_E_FIBER,                                                                                 \
      "The handle is of a fiber that has ended, or that is not in the stage for this "             \
      "call; a fiber is enabled once, before it runs.")                                            \
    X(SVS_E_FULL,                                                                                  \
      "The task has as many items as the limit of the source allows; send again when some have "   \
      "run, or let the call wait.")                                                                \
    X(SVS_WAIT, "The call on a rank is not complete yet, which is no failure; return from the "    \
                "fiber, and continue when its counter says so.")

const char *svs_status_name(svs_status status) {
#define NAME(name, text)                                                                           \
    case name: return #name;
    switch (status) {
        STATUSES(NAME)
    default: return status > 0 ? "user" : "unknown";
    }
#undef NAME
}

const char *svs_status_text(svs_status status) {
#define TEXT(name, text)                                                                           \
    case name: return text;
    switch (status) {
        STATUSES(TEXT)
    default:
        return status > 0 ? "A task body returned this number of the program's own; look there."
                          : "This number is no status of this library; look where it comes from.";
    }
#undef TEXT
}
