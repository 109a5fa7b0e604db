# Each source of these folders is a test of its own, unit_FOLDER_SOURCE, with the options that are given for it here.
# async/ and dpst/ have lists of their own.
set(unit_options_stealtree_file ARGS "${PROJECT_SOURCE_DIR}/docs/trace-format.md")
set(unit_sources_stealtree_replay stealtree/lingering.c async/programs.c async/programs_serial.c)
# These tests have a clock of their own.
set(unit_options_stealtree_measure LINK_OPTIONS "-Wl,--wrap=svs__time_ns")
set(unit_options_sched_serial_runs LINK_OPTIONS "-Wl,--wrap=svs__time_ns")
set(unit_options_sched_strips LINK_OPTIONS "-Wl,--wrap=svs__time_ns")
set(unit_options_sched_mesh LINK_OPTIONS "-Wl,--wrap=svs__time_ns")
set(unit_options_sched_priorities LINK_OPTIONS "-Wl,--wrap=svs__time_ns")
set(unit_options_worksteal_pauses LINK_OPTIONS "-Wl,--wrap=svs__time_ns")
# It takes all memory from calloc, through __wrap_calloc().
set(unit_options_memobj_types LINK_OPTIONS "-Wl,--wrap=calloc")
# The two switches of stacks are hidden, as a call through the table of a shared library may change registers.
set(unit_options_worksteal_switch LIBRARY svs_internal_archive)
# It makes pthread_create fail at each call in turn, through __wrap_pthread_create().
set(unit_options_worksteal_runtime LINK_OPTIONS "-Wl,--wrap=pthread_create")
# From some allocation on all fail, the system's stacks included, for the first, the second ... of a run of asyncs.
set(unit_options_oom_asyncs LINK_OPTIONS "-Wl,--wrap=mmap" TIMEOUT 600)

# Code with the check's instrumentation would tell ThreadSanitizer of each switch, which is not there.
set(unit_left_out oom/oom.c stealtree/lingering.c stealtree/theorem.c)
if(SVS_CHECK_MODE)
    list(APPEND unit_left_out worksteal/switch.c)
endif()

foreach(folder IN ITEMS base face memobj oom sched stealtree worksteal)
    file(GLOB unit_sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/${folder}/*.c")
    list(REMOVE_ITEM unit_sources ${unit_left_out})
    foreach(source IN LISTS unit_sources)
        cmake_path(GET source STEM stem)
        string(REPLACE / _ name "${folder}/${stem}")
        svs_add_test(NAME unit_${name} LABEL unit SOURCES ${source} ${unit_sources_${name}} ${unit_options_${name}})
    endforeach()
endforeach()

# Out of memory: every allocation of the core fails in turn.
svs_add_test(NAME unit_oom LABEL unit SOURCES oom/oom.c TIMEOUT 600)
# Theorems 5.8 and 6.3: real runs of random programs.
svs_add_test(NAME property_stealtree_theorem LABEL property SOURCES stealtree/theorem.c)
# The face in C++.
if(CMAKE_CXX_COMPILER)
    svs_add_test(NAME unit_face_cpp LABEL unit SOURCES face/cpp.cpp LIBRARY svs::svs)
endif()
