# The commands of gdb (tools/gdb/svs.py), on a graph that stands still.
find_program(SVS_GDB gdb DOC "gdb, to try its commands with")
mark_as_advanced(SVS_GDB)
if(NOT SVS_GDB OR SVS_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Release")
    message(STATUS "tests/gdb is left out: it needs gdb, debug information, and no sanitizer")
    return()
endif()
execute_process(COMMAND "${SVS_GDB}" -batch -nx -ex "python print(6 * 7)" OUTPUT_VARIABLE svs_gdb_python ERROR_QUIET)
if(NOT svs_gdb_python MATCHES "42")
    message(STATUS "tests/gdb is left out: this gdb has no Python")
    return()
endif()
add_executable(test_gdb_scene "${CMAKE_CURRENT_LIST_DIR}/scene.c")
target_link_libraries(test_gdb_scene PRIVATE svs::svs)
target_compile_options(test_gdb_scene PRIVATE -g)
set_target_properties(test_gdb_scene PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
# The same program with the library that install.preset has installed, whose functions are inlined into each other.
if(NOT SVS_CHECK_MODE AND NOT SVS_COVERAGE)
    set(svs_gdb_dir "${PROJECT_BINARY_DIR}/tests/gdb")
    set(svs_gdb_prefix "${PROJECT_BINARY_DIR}/tests/install_preset/prefix")
    file(MAKE_DIRECTORY "${svs_gdb_dir}")
    add_test(NAME gdb.install COMMAND "${CMAKE_C_COMPILER}" -std=c11 -O1 -g "-I${svs_gdb_prefix}/include"
        "${CMAKE_CURRENT_LIST_DIR}/scene.c" -o "${svs_gdb_dir}/scene" "-L${svs_gdb_prefix}/${CMAKE_INSTALL_LIBDIR}"
        "-Wl,-rpath,${svs_gdb_prefix}/${CMAKE_INSTALL_LIBDIR}" -lsvs)
    svs_set_test_properties(gdb.install install 60)
    set_tests_properties(gdb.install PROPERTIES FIXTURES_REQUIRED svs_preset_installed FIXTURES_SETUP svs_gdb_installed)
endif()

# svs_add_gdb_test(name label program script): starts the program and stops it, by `scene` and `stop`, and tries `command`.
macro(svs_add_gdb_test name label program script)
    set(start "")
    if(stop)
        set(start -ex "break ${stop}" -ex "run ${scene}")
    endif()
    add_test(NAME ${name} COMMAND "${SVS_GDB}" -batch -nx -ex "set confirm off" -ex "set breakpoint pending on"
        -ex "set auto-load no" -ex "set debuginfod enabled off" -ex "source ${script}" ${start}
        -ex "svs ${command}" -ex kill "${program}")
    svs_set_test_properties(${name} ${label} 120)
    set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${expected}"
        FAIL_REGULAR_EXPRESSION "Python Exception|Error occurred")
endmacro()

foreach(row IN ITEMS
        "tasks|stand_still|tasks||graph scene: run 1, iteration 0.*work: open. 5 outstanding, 0 items not taken.*after: closed, behind 1 others"
        "holders|stand_still|holders||graph scene.*worker [01] runs work [0-9a-f]+.*a stage .staged.: 1 instances, 1 begun or claimed.*1 holds, no lease"
        "holders.wide|stand_still|holders|wide|graph scene.*a stage of work .windowed.: 300 instances, [1-9][0-9]* begun or claimed"
        "waiters|stand_still|waiters||graph scene.*(work [0-9a-f]+: refused 1 times, last by an element .write, key [0-9a-f]+.[^w]*)+"
        "no_run|svs_graph_free|waiters||no graph runs"
        "no_program||tasks||no program runs: start it")
    string(REPLACE "|" ";" row "${row}")
    list(POP_FRONT row name stop command scene expected)
    svs_add_gdb_test(gdb.${name} example $<TARGET_FILE:test_gdb_scene> "${PROJECT_SOURCE_DIR}/tools/gdb/svs.py")
    if(TEST gdb.install)
        svs_add_gdb_test(gdb.installed.${name} install "${svs_gdb_dir}/scene" "${svs_gdb_prefix}/share/svs/gdb/svs.py")
        set_tests_properties(gdb.installed.${name} PROPERTIES FIXTURES_REQUIRED svs_gdb_installed)
    endif()
endforeach()
