# Async-finish, under both policies: through the generic calls, at its limits, and by random programs.
set(async_dir "${CMAKE_CURRENT_LIST_DIR}")
set(async_programs programs.c programs_parallel.c programs_serial.c)
foreach(part generic runs cancel deep wide)
    svs_add_test(NAME unit_async_${part} LABEL unit SOURCES ${part}.c)
endforeach()
svs_add_test(NAME property_async_oracle LABEL property SOURCES oracle.c ${async_programs})
svs_add_test(NAME property_async_phases LABEL property SOURCES phases.c ${async_programs})

# By programs that see the public headers only, against the shared library: what it exports is enough.
svs_add_test(NAME unit_async_face_c LABEL unit SOURCES face.c LIBRARY svs::svs)
if(CMAKE_CXX_COMPILER)
    svs_as_cpp(face.c async_face_cpp)
    svs_add_test(NAME unit_async_face_cpp LABEL unit SOURCES "${async_face_cpp}" LIBRARY svs::svs)
endif()

# The same with the switch by ucontext, which other machines have. It stands before the library's own, which is then not
# linked. In a coverage build, nothing of it would be counted.
if(NOT SVS_COVERAGE)
    add_library(svs_ucontext OBJECT "${PROJECT_SOURCE_DIR}/src/worksteal/switch_ucontext.c")
    target_compile_definitions(svs_ucontext PRIVATE SVS_SWITCH_UCONTEXT)
    target_link_libraries(svs_ucontext PUBLIC svs_internal_archive)
    svs_add_test(NAME unit_async_ucontext_face LABEL unit SOURCES face.c LIBRARY svs_ucontext)
    foreach(part deep wide)
        svs_add_test(NAME unit_async_ucontext_${part} LABEL unit SOURCES ${part}.c LIBRARY svs_ucontext)
        if(TEST unit_async_ucontext_${part}) # each such switch makes system calls: a tenth of the loads above
            list(TRANSFORM svs_test_environment REPLACE "^SVS_TEST_SCALE=100$" "SVS_TEST_SCALE=10" OUTPUT_VARIABLE async_environment)
            set_tests_properties(unit_async_ucontext_${part} PROPERTIES ENVIRONMENT "${async_environment}")
        endif()
    endforeach()
    svs_add_test(NAME property_async_ucontext_oracle LABEL property SOURCES oracle.c ${async_programs} LIBRARY svs_ucontext)
endif()

# The tests below look at plain machine code, without instrumentation.
if(SVS_SANITIZE OR SVS_CHECK_MODE OR SVS_COVERAGE)
    return()
endif()

# Both compilers, and each level of optimisation by one of them at least; the flags that distributions add are those of level 2.
# Level 1 is that of the presets dev and tsan.
get_target_property(async_sources svs SOURCES)
list(FILTER async_sources INCLUDE REGEX "/src/(base|hooks|worksteal)/")
set(async_levels_gcc O0 O3 hardened)
set(async_levels_clang Os O3 hardened)
set(async_flags_hardened -O2 -D_FORTIFY_SOURCE=2 -fstack-protector-all -fstack-clash-protection -fcf-protection -fPIE)
foreach(compiler IN ITEMS gcc clang)
    if(NOT header_path_${compiler})
        message(STATUS "${compiler} was not found: async-finish is not tested with it")
        continue()
    endif()
    string(REPLACE "gcc" "g++" cxx "${compiler}")
    string(REPLACE "clang" "clang++" cxx "${cxx}")
    foreach(level IN LISTS async_levels_${compiler})
        if(NOT level STREQUAL "hardened")
            set(async_flags_${level} "-${level}")
        endif()
        add_test(NAME async.levels.${compiler}.${level} COMMAND ${CMAKE_COMMAND}
            "-DC=${header_path_${compiler}}" "-DCXX=${header_path_${cxx}}" "-DFLAGS=${async_flags_${level}}"
            "-DSOURCES=${async_sources}" "-DINCLUDES=-I${PROJECT_SOURCE_DIR}/include;-I${PROJECT_SOURCE_DIR}/src"
            "-DFACE=${async_dir}" "-DWORK=${CMAKE_CURRENT_BINARY_DIR}/levels/${compiler}_${level}"
            -P "${async_dir}/levels.cmake")
        svs_set_test_properties(async.levels.${compiler}.${level} unit 300)
    endforeach()
endforeach()

find_program(SVS_VALGRIND valgrind)
mark_as_advanced(SVS_VALGRIND)
if(SVS_VALGRIND)
    add_test(NAME async.valgrind COMMAND "${SVS_VALGRIND}" --quiet --error-exitcode=9 --fair-sched=yes
        $<TARGET_FILE:test_unit_async_face_c> 1 2)
    svs_set_test_properties(async.valgrind unit 300)
else()
    message(STATUS "valgrind was not found: async-finish is not tested with it")
endif()

# A debugger sees the spawners, through the stacks of tasks.
find_program(SVS_GDB gdb)
mark_as_advanced(SVS_GDB)
if(SVS_GDB)
    add_executable(test_async_backtrace "${async_dir}/backtrace.c")
    target_link_libraries(test_async_backtrace PRIVATE svs::svs)
    target_compile_options(test_async_backtrace PRIVATE -g)
    set_target_properties(test_async_backtrace PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    foreach(policy IN ITEMS help-first work-first)
        string(COMPARE EQUAL "${policy}" work-first async_is_work_first)
        add_test(NAME async.backtrace.${policy} COMMAND "${SVS_GDB}" -batch -nx -ex "set confirm off" -ex "set breakpoint pending on"
            -ex "break stop_here" -ex run -ex backtrace --args $<TARGET_FILE:test_async_backtrace> ${async_is_work_first})
        svs_set_test_properties(async.backtrace.${policy} unit 120)
        set_tests_properties(async.backtrace.${policy} PROPERTIES PASS_REGULAR_EXPRESSION
            "stop_here.* the_child .*the_typed_body_.*the_typed_body_.*the_typed_body_.* the_root .*svs_async_run.* main ")
    endforeach()
    set_tests_properties(async.backtrace.work-first PROPERTIES PASS_REGULAR_EXPRESSION
        "stop_here.* the_child .*run_child.* the_spawner .*the_typed_body_.*run_child.*the_typed_body_.*run_child.*the_typed_body_.* the_root .*run_root.*svs_async_run.* main ")
else()
    message(STATUS "gdb was not found: backtraces through stacks of tasks are not tested")
endif()
