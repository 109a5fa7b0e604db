# Shows: the shared library through ctypes, with bodies in Python. Run: python3 examples/bind.py build/release/libsvs.so
import ctypes as c
import sys

svs = c.CDLL(sys.argv[1])
svs.svs_status_name.restype = c.c_char_p
svs.svs_async_spawn.argtypes = [c.c_void_p, c.c_void_p, c.c_void_p, c.c_size_t]
svs.svs_finish_run.argtypes = [c.c_void_p, c.c_void_p, c.c_void_p]
svs.svs_footprint_add_access.argtypes = [c.c_void_p, c.c_void_p]
ASYNC = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)
TOUCH = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)
RUN = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_void_p)


class Access(c.Structure):
    _fields_ = [("what", c.c_void_p), ("index", c.c_uint64), ("limit", c.c_uint32), ("kind", c.c_uint8),
                ("mode", c.c_uint8), ("extent", c.c_uint8), ("reserved", c.c_uint8)]


class TaskType(c.Structure):
    _fields_ = [("name", c.c_char_p), ("item_size", c.c_size_t), ("item_alignment", c.c_size_t), ("run", RUN),
                ("touch", TOUCH), ("links", c.c_void_p), ("link_count", c.c_uint32), ("flags", c.c_uint32),
                ("loops", c.c_void_p), ("facts", c.c_void_p)]


INDEX, WRITE = 2, 1  # SVS_KIND_INDEX, SVS_MODE_WRITE
runtime, world, graph, task, space = (c.c_void_p() for _ in range(5))
spawned, visits = [], [0] * 10


def must(status):
    if status:
        sys.exit(svs.svs_status_name(status).decode())


def number_at(item):
    return c.cast(item, c.POINTER(c.c_uint64)).contents.value


def touch(footprint, item):
    access = Access(space, number_at(item) % 10, 0, INDEX, WRITE, 0, 0)
    svs.svs_footprint_add_access(footprint, c.byref(access))


def visit(_context, item):
    number = number_at(item)
    visits[number % 10] += 1
    return 7 if number == 1000 else 0


def spawn_three(context, first):
    for number in range(first, first + 3):
        value = c.c_uint64(number)
        svs.svs_async_spawn(context, leaf, c.byref(value), 8)


leaf = ASYNC(lambda _context, item: spawned.append(number_at(item)))
body = ASYNC(spawn_three)
root = ASYNC(lambda context, first: svs.svs_finish_run(context, body, first))
kind = TaskType(b"visit", 8, 8, RUN(visit), TOUCH(touch), None, 0, 0)

must(svs.svs_start(2, c.byref(world)))
svs.svs_world_runtime.restype = c.c_void_p
runtime = c.c_void_p(svs.svs_world_runtime(world))
for first in range(1, 301, 3):
    must(svs.svs_async_run(runtime, root, c.c_void_p(first)))
if sorted(spawned) != list(range(1, 301)):
    sys.exit("not each async has run once")

must(svs.svs_space_new(world, b"cells", c.c_uint64(10), c.byref(space)))
must(svs.svs_graph_new(world, None, c.byref(graph)))
must(svs.svs_graph_add_itemizer(graph, c.byref(kind), None, c.byref(task)))
items = (c.c_uint64 * 1000)(*range(1000))
must(svs.svs_graph_send(graph, task, items, c.c_size_t(1000), c.c_size_t(8)))
must(svs.svs_graph_run_sized(graph, 1, None, c.c_size_t(0)))
if visits != [100] * 10:
    sys.exit(f"not each item has run once: {visits}")
must(svs.svs_for_each(world, c.byref(kind), items, c.c_size_t(1000)))
failing = c.c_uint64(1000)
must(svs.svs_graph_send(graph, task, c.byref(failing), c.c_size_t(1), c.c_size_t(8)))
if svs.svs_graph_run_sized(graph, 1, None, c.c_size_t(0)) != 7:
    sys.exit("the run does not return the status of its body")
must(svs.svs_graph_free(graph))
must(svs.svs_space_free(space))
must(svs.svs_stop(world))
