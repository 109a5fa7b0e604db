"""Commands of gdb for programs that use SvS: which tasks a graph has, which instances run, and which wait.

    (gdb) source /usr/share/svs/gdb/svs.py
    (gdb) svs tasks
    (gdb) svs holders
    (gdb) svs waiters 50

They look at the graphs that run on the runtimes of the program's workers, and at no other. The library needs debug
information (RelWithDebInfo, or the -dbgsym package). They change nothing and call nothing, so they work on core files, too.
"""
import gdb

MASK = (1 << 64) - 1
MET = ["an element", "a signature", "everything", "a reservation", "a change of its set", "a lease"]


def order_of(seed):
    """svs_instance_id() of an instance (src/sched/domain/queue/record.h)."""
    x = seed & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


BATCH_BYTES, BATCH_FRONT = 32768, 64  # SVS__BATCH_BYTES, SVS__BATCH_FRONT


def batch_of(item):
    """svs__batch_of() of the address of an item."""
    pointer = gdb.lookup_type("svs__batch").pointer()
    batch = gdb.Value(item & ~(BATCH_BYTES - 1)).cast(pointer)
    return batch if int(batch["task"]) else gdb.Value(item - BATCH_FRONT).cast(pointer)


def seed_of(item):
    """svs__item_seed() of the address of an item."""
    batch = batch_of(item)
    at = item - int(batch) - BATCH_FRONT
    place = at // int(batch["item_bytes"]) if at else 0
    sent = gdb.Value(int(batch) + int(batch["at_sent"])).cast(gdb.lookup_type("svs__sent").pointer())
    count = number(batch["sent_count"])
    of = max((i for i in range(count) if number(sent[i]["first"]) <= place), default=None)
    return 0 if of is None else number(sent[of]["seed"]) + place - number(sent[of]["first"])


def number(value):
    return int(value.cast(gdb.lookup_type("unsigned long")))


def text(value):
    return value.string() if int(value) else "?"


def runtimes():
    """Of the threads that are workers."""
    found, before = {}, gdb.selected_thread()
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        try:
            worker = gdb.parse_and_eval("svs__self")
        except gdb.error:
            continue
        if int(worker):
            found[int(worker["runtime"])] = worker["runtime"]
    if before is not None:
        before.switch()
    return list(found.values())


def function_at(code):
    """The function that the code belongs to, and not one that is inlined there: lines and inner blocks name that one."""
    block, outermost = gdb.block_for_pc(code), None
    while block is not None and not block.is_static:
        outermost = block.function or outermost
        block = block.superblock
    return outermost


def is_run(source):
    """Is the source the run of a graph?"""
    step = function_at(int(source["step"]))
    return step is not None and step.symtab.filename.endswith("sched/graph/step.c")


def active_runs():
    pointer = gdb.lookup_type("svs__run").pointer()
    for runtime in runtimes():
        slots = runtime["sources"]["slots"]
        low, high = slots.type.range()
        for i in range(low, high + 1):
            source = slots[i]["source"]
            if number(source) == 0:
                continue
            source = gdb.Value(number(source)).cast(gdb.lookup_type("svs__source").pointer())
            if is_run(source):
                yield source.cast(pointer)


def runs():
    """The runs, or a line that says why there is none."""
    if not gdb.selected_inferior().threads():
        raise gdb.GdbError("no program runs: start it, attach to it, or load its core file")
    if gdb.lookup_global_symbol("svs_graph_run_sized") is None:
        raise gdb.GdbError("no debug information of the library: build it as RelWithDebInfo, or install libsvs0-dbgsym")
    found = list(active_runs())
    if not found:
        print("no graph runs")
    return found


def name_of(task):
    return text(task["type"]["name"])


def list_of(tasks):
    return [tasks["items"][i] for i in range(int(tasks["count"]))]


def domains_of(run):
    count = int(run["graph"]["tasks"]["count"])
    return [run["domains"][i] for i in range(count + 1)]


def words_of(stage):
    """How many instances a stage has, and how many of them are claimed (sched.P6)."""
    width, claimed = number(stage["width"]), number(stage["claim"]) & 0xFFFFFFFF
    if width & 1 << 31:
        claimed = (claimed >> 16) + (claimed & 0xFFFF)
    return width & 0x7FFFFFFF, claimed


def head_of(run):
    graph, env = run["graph"], run["env"]
    state = ", cancelled" if number(env["cancelled"]) else ""
    return f"graph {graph['name'].string()}: run {int(env['number'])}, iteration {int(env['iteration'])}{state}"


class Command(gdb.Command):
    """Commands for SvS: tasks, holders, waiters."""

    def __init__(self):
        super().__init__("svs", gdb.COMMAND_STATUS, prefix=True)


class Tasks(gdb.Command):
    """svs tasks: the tasks of the graphs that run, with what is left of each."""

    def __init__(self):
        super().__init__("svs tasks", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        for run in runs():
            print(head_of(run))
            node = gdb.lookup_type("svs__node").pointer()
            for task in list_of(run["graph"]["tasks"]):
                child = run["children"][int(task.cast(node)["position"])]
                state = "open" if child["open"] else f"closed, behind {int(child['parents'])} others"
                outstanding = number(task["lead"]["outstanding"])
                if outstanding == 0:
                    state = "ended"
                waiting = number(task["inbox"]["waiting"])
                print(f"  {name_of(task)}: {state}; {outstanding & 0xFFFFFFFF} outstanding, {waiting} items not taken")


class Holders(gdb.Command):
    """svs holders: the instances that run, and the stages and holds that keep others away."""

    def __init__(self):
        super().__init__("svs holders", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        for run in runs():
            env = run["env"]
            print(head_of(run))
            for worker in range(int(env["threads"])):
                self.show_instance(env["contexts"][worker], worker)
            for domain in domains_of(run):
                self.show_stage(domain)
            admission = env["admission"]
            print(f"  the world has {int(admission['holders'])} holds, {'a' if int(admission['lease']) else 'no'} lease, "
                  f"{'a' if int(admission['reserver']) else 'no'} reservation")

    def show_instance(self, context, worker):
        task = number(context["task"])
        if task == 0:
            return
        task = gdb.Value(task).cast(gdb.lookup_type("svs_task").pointer())
        item = int(context["holder"]["item"])
        if item:
            print(f"  worker {worker} runs {name_of(task)} {order_of(seed_of(item)):016x}")

    def show_stage(self, domain):
        stage = domain["stage"]
        left = number(stage["left"])
        if left == 0:
            return
        only = int(stage["only"])
        of = f" of {name_of(stage['only'])}" if only else ""
        width, claimed = words_of(stage)
        print(f"  a stage{of} ({text(domain['algorithm']['name'])}): {width} instances, {min(claimed, width)} begun or claimed")


class Waiters(gdb.Command):
    """svs waiters [COUNT]: the instances that were deferred, and what they have met."""

    def __init__(self):
        super().__init__("svs waiters", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        most = int(argument or 20)
        for run in runs():
            print(head_of(run))
            for domain in domains_of(run):
                self.show(domain, most)

    def show(self, domain, most):
        pending, shown = domain["pending"], 0
        count = number(pending["count"])
        for bucket in range(1 << int(pending["bits"])):
            record = pending["buckets"][bucket]["first"] if int(pending["buckets"]) else pending["one"]["first"]
            while int(record) and shown < most:
                self.show_record(record)
                record = record["next"]
                shown += 1
        if count > shown:
            print(f"  and {count - shown} more")
        if domain["algorithm"]["name"].string() in ("windowed", "in order"):
            windows = domain["state"].cast(gdb.lookup_type("svs__windows").pointer())
            left = number(windows["left_count"])
            if left:
                print(f"  {left} for the next window")

    def show_record(self, record):
        task, met = batch_of(int(record["item"]))["task"], int(record["blocked"]) & 0x07
        mode = "write" if int(record["blocked"]) & 0x08 else "read"
        what = MET[met] if met < len(MET) else "?"
        print(f"  {name_of(task)} {order_of(seed_of(int(record['item']))):016x}: refused {int(record['tries'])} times, last by {what} "
              f"({mode}, key {int(record['blocked_key']):08x})")


Command()
Tasks()
Holders()
Waiters()
