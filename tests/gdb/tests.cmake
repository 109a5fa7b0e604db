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
foreach(row IN ITEMS
        "tasks||graph scene: run 1, iteration 0.*work: open. 5 outstanding, 0 items not taken.*after: closed, behind 1 others"
        "holders||graph scene.*worker [01] runs work [0-9a-f]+.*a stage .staged.: 1 instances, 1 begun or claimed.*1 holds, no lease"
        "holders|wide|graph scene.*a stage of work .windowed.: 300 instances, [1-9][0-9]* begun or claimed"
        "waiters||graph scene.*(work [0-9a-f]+: refused 1 times, last by an element .write, key [0-9a-f]+.[^w]*)+")
    string(REPLACE "|" ";" row "${row}")
    list(POP_FRONT row command scene expected)
    set(name gdb.${command})
    if(scene)
        string(APPEND name .${scene})
    endif()
    add_test(NAME ${name} COMMAND "${SVS_GDB}" -batch -nx -ex "set confirm off" -ex "set breakpoint pending on"
        -ex "set auto-load no" -ex "set debuginfod enabled off" -ex "source ${PROJECT_SOURCE_DIR}/tools/gdb/svs.py" -ex "break stand_still" -ex "run ${scene}"
        -ex "svs ${command}" -ex kill $<TARGET_FILE:test_gdb_scene>)
    svs_set_test_properties(${name} example 120)
    set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${expected}"
        FAIL_REGULAR_EXPRESSION "Python Exception|Error occurred")
endforeach()
