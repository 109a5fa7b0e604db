# The shared library through ctypes: python3 bind.py libsvs.so
import ctypes
import sys

svs = ctypes.CDLL(sys.argv[1])
ROOT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
runs = []
root = ROOT(lambda context, argument: runs.append(argument))
runtime = ctypes.c_void_p()


def must(status):
    svs.svs_status_name.restype = ctypes.c_char_p
    if status:
        sys.exit(svs.svs_status_name(status).decode())


must(svs.svs_runtime_new(None, ctypes.byref(runtime)))
must(svs.svs_runtime_start(runtime))
for number in range(1, 101):
    must(svs.svs_async_run(runtime, root, ctypes.c_void_p(number)))
must(svs.svs_runtime_free(runtime))
if sorted(runs) != list(range(1, 101)):
    sys.exit("not each root has run once")
