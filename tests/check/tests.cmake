# The race check as users have it: an outside project, built against a fresh installation by gcc and by clang at -O0, -O2
# and -O3. Each case says which lines race, in which object.
if(NOT TARGET svs_check)
    message(STATUS "tests/check is left out, as svs::check is")
    return()
endif()

if(SVS_CHECK_MODE)
    include("${CMAKE_CURRENT_LIST_DIR}/mode/programs.cmake")
    return()
endif()

set(check_dir "${CMAKE_CURRENT_LIST_DIR}")
set(check_work "${PROJECT_BINARY_DIR}/tests/check")
set(check_compilers "")
foreach(pair IN ITEMS "gcc;g++" "clang;clang++")
    list(GET pair 0 c)
    list(GET pair 1 cxx)
    find_program(SVS_CHECK_${c} ${c})
    find_program(SVS_CHECK_${cxx} ${cxx})
    if(NOT SVS_CHECK_${c})
        message(STATUS "tests/check: no ${c}, so nothing is built by it")
        continue()
    endif()
    if(NOT SVS_CHECK_${cxx})
        message(STATUS "tests/check: no ${cxx}, so ${c} builds no program in C++")
        set(SVS_CHECK_${cxx} "")
    endif()
    set(check_cxx_of_${c} "${SVS_CHECK_${cxx}}")
    list(APPEND check_compilers ${c})
    add_test(NAME check.${c}.build COMMAND ${CMAKE_COMMAND}
        "-DSVS_SOURCE=${check_dir}/programs" "-DSVS_BUILD=${check_work}/${c}" "-DSVS_PREFIX=${PROJECT_BINARY_DIR}/tests/install/prefix"
        "-DSVS_C_COMPILER=${SVS_CHECK_${c}}" "-DSVS_CXX_COMPILER=${check_cxx_of_${c}}" -P "${check_dir}/build.cmake")
    svs_set_test_properties(check.${c}.build check 300)
    set_tests_properties(check.${c}.build PROPERTIES FIXTURES_REQUIRED svs_installed FIXTURES_SETUP svs_check_${c})
endforeach()

# svs_check_case(NAME case [PROGRAM cases_cpp] [PAIRS a:b ...] [OBJECT kind[:name]] [RANGES offset+bytes ...] [STATUS s]
#                [OPTIONS o] [SAYS regex] [SOME] [SILENT] [BY_PROCESS] [AS name] [MARKS case]): see case.cmake. One test for each compiler runs it at
# each level.
function(svs_check_case)
    cmake_parse_arguments(PARSE_ARGV 0 CASE "SOME;SILENT;BY_PROCESS" "NAME;PROGRAM;OBJECT;STATUS;OPTIONS;SAYS;AS;MARKS" "PAIRS;RANGES")
    if(CASE_UNPARSED_ARGUMENTS OR NOT CASE_NAME)
        message(FATAL_ERROR "svs_check_case(${ARGV}): not understood: ${CASE_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT CASE_PROGRAM)
        set(CASE_PROGRAM cases)
    endif()
    set(source ${CASE_PROGRAM}.c)
    if(CASE_PROGRAM STREQUAL "cases_cpp")
        set(source cases_cpp.cpp)
    endif()
    if(NOT CASE_AS)
        set(CASE_AS ${CASE_NAME})
    endif()
    if(NOT CASE_MARKS)
        set(CASE_MARKS ${CASE_NAME})
    endif()
    string(REPLACE ";" "," pairs "${CASE_PAIRS}") # one argument of the test
    set(variables "-DSVS_CASE=${CASE_NAME}" "-DSVS_MARKS=${CASE_MARKS}" "-DSVS_SOURCES=${check_dir}/programs/${source}" "-DSVS_PAIRS=${pairs}"
        "-DSVS_OBJECT=${CASE_OBJECT}" "-DSVS_RANGES=${CASE_RANGES}" "-DSVS_OPTIONS=${CASE_OPTIONS}"
        "-DSVS_SAYS=${CASE_SAYS}" "-DSVS_SOME=${CASE_SOME}" "-DSVS_SILENT=${CASE_SILENT}" "-DSVS_BY_PROCESS=${CASE_BY_PROCESS}" "-DSVS_AS=${CASE_AS}")
    if(DEFINED CASE_STATUS)
        list(APPEND variables "-DSVS_STATUS=${CASE_STATUS}")
    endif()
    foreach(compiler IN LISTS check_compilers)
        if(CASE_PROGRAM STREQUAL "cases_cpp" AND NOT check_cxx_of_${compiler})
            continue()
        endif()
        add_test(NAME check.${compiler}.${CASE_AS} COMMAND ${CMAKE_COMMAND}
            "-DSVS_PROGRAM=${check_work}/${compiler}/bin/${CASE_PROGRAM}" ${variables} -P "${check_dir}/case.cmake")
        svs_set_test_properties(check.${compiler}.${CASE_AS} check 300)
        set_tests_properties(check.${compiler}.${CASE_AS} PROPERTIES FIXTURES_REQUIRED svs_check_${compiler})
    endforeach()
endfunction()

# Programs without a race.
svs_check_case(NAME neighbours)
svs_check_case(NAME block_reuse)
svs_check_case(NAME stack_reuse)
svs_check_case(NAME finish_orders)
svs_check_case(NAME typed)
svs_check_case(NAME atomics SAYS "tasks used atomics")
svs_check_case(NAME vectors_apart)
svs_check_case(NAME ignored)
svs_check_case(NAME own_allocator)
svs_check_case(NAME lists PROGRAM cases_cpp)
svs_check_case(NAME texts PROGRAM cases_cpp)
svs_check_case(NAME shapes PROGRAM cases_cpp)
svs_check_case(NAME made_once PROGRAM cases_cpp AS cpp_made_once)
svs_check_case(NAME shared_counts PROGRAM cases_cpp SAYS "tasks used atomics")
svs_check_case(NAME errno_apart PROGRAM cases_libc)
svs_check_case(NAME mapping_reuse PROGRAM cases_libc)
svs_check_case(NAME made_once PROGRAM cases_libc)
svs_check_case(NAME printed_part PROGRAM cases_libc)

# Races, and their lines.
svs_check_case(NAME same_byte PAIRS a:b OBJECT variable:bytes RANGES 3+1)
svs_check_case(NAME wide_narrow PAIRS a:b OBJECT variable:wide RANGES 13+1)
svs_check_case(NAME far_apart PAIRS a:b OBJECT variable:spread RANGES 0+8)
svs_check_case(NAME unaligned PAIRS a:b OBJECT variable:odd RANGES 8+1)
svs_check_case(NAME parents_local PAIRS a:b OBJECT elsewhere)
svs_check_case(NAME bit_fields PAIRS a:b OBJECT variable:bits)
svs_check_case(NAME memcpy_constant PAIRS a:b OBJECT variable:target RANGES 24+8)
svs_check_case(NAME struct_copy PAIRS a:b OBJECT variable:source RANGES 32+8)
svs_check_case(NAME strings PAIRS a:b OBJECT variable:text)
svs_check_case(NAME vectors PAIRS a:a OBJECT variable:floats RANGES 2000+40)
svs_check_case(NAME block PAIRS a:b OBJECT block RANGES 16+8)
svs_check_case(NAME use_after_free PAIRS a:b)
svs_check_case(NAME use_after_renewal MARKS use_after_free PAIRS b:c)
svs_check_case(NAME escape PAIRS a:b OBJECT variable:words RANGES 4+4)
svs_check_case(NAME told PAIRS a:b OBJECT variable:words RANGES 32+4)
svs_check_case(NAME hasty_result PAIRS a:b OBJECT elsewhere)
svs_check_case(NAME atomic_plain PAIRS a:b OBJECT variable:counter RANGES 0+4)
svs_check_case(NAME atomic_read PAIRS a:b OBJECT variable:counter RANGES 0+4)
svs_check_case(NAME locked PAIRS a:a OBJECT variable:guarded SAYS "tasks used locks: ")
svs_check_case(NAME locked_too MARKS locked PAIRS a:a OBJECT variable:guarded SAYS "tasks used atomics and locks: ")
svs_check_case(NAME new_block PROGRAM cases_cpp PAIRS a:b OBJECT block RANGES 0+8)
svs_check_case(NAME thrown_new PROGRAM cases_cpp PAIRS a:b OBJECT block RANGES 0+8)
svs_check_case(NAME virtual_call PROGRAM cases_cpp SOME)
svs_check_case(NAME copied_in_header PROGRAM cases_cpp PAIRS a:b)
svs_check_case(NAME behind_once PROGRAM cases_cpp AS cpp_behind_once PAIRS a:a OBJECT variable)
svs_check_case(NAME own_thread_local PROGRAM cases_libc PAIRS a:a)
svs_check_case(NAME unmapped PROGRAM cases_libc PAIRS a:b)
svs_check_case(NAME behind_once PROGRAM cases_libc PAIRS a:a OBJECT variable:used RANGES 0+4)
svs_check_case(NAME printed_text PROGRAM cases_libc PAIRS a:b OBJECT variable:text RANGES 5+1)
svs_check_case(NAME printed_list PROGRAM cases_libc PAIRS a:b OBJECT variable:text RANGES 5+1)
svs_check_case(NAME put PROGRAM cases_libc PAIRS a:b OBJECT variable:text RANGES 5+1)
svs_check_case(NAME printed_into PROGRAM cases_libc PAIRS a:b OBJECT variable:printed RANGES 5+1)

foreach(name IN ITEMS printed_text printed_list put printed_into) # innermost is a line of the C library's headers
    svs_check_case(NAME ${name} PROGRAM cases_fortified AS ${name}_fortified STATUS 66 SILENT SAYS ", 1 races")
endforeach()

# Which accesses of vectors are seen, as docs/race-check.md has it.
foreach(compiler IN LISTS check_compilers)
    add_test(NAME check.${compiler}.intrinsics COMMAND ${CMAKE_COMMAND}
        "-DSVS_PROGRAM=${check_work}/${compiler}/bin/intrinsics" "-DSVS_EXPECTED=${check_dir}/intrinsics_${compiler}.txt"
        -P "${check_dir}/intrinsics.cmake")
    svs_set_test_properties(check.${compiler}.intrinsics check 60)
    set_tests_properties(check.${compiler}.intrinsics PROPERTIES FIXTURES_REQUIRED svs_check_${compiler})
endforeach()

# Undeclared accesses of a graph's instances.
svs_check_case(NAME declared PROGRAM cases_graph)
svs_check_case(NAME undeclared PROGRAM cases_graph PAIRS a OBJECT object:cell
    SAYS "undeclared access 1 of 1: a write of cell.*Task change, .*0 races, 1 undeclared accesses")
svs_check_case(NAME reads_only PROGRAM cases_graph PAIRS a OBJECT object:cell SAYS "0 races, 1 undeclared accesses")

# The report of an undeclared access counts the races that follow from it; the JSON lists them.
svs_check_case(NAME undeclared_twice PROGRAM cases_graph MARKS undeclared PAIRS a a:a OBJECT object:cell
    SAYS "undeclared access 1 of 1: .*allocated at:[^#]*#0 run_changes .*Follow from it: 1 races, ")

# Accesses of two instances under one guard, of any kind, are an order.
foreach(guard IN ITEMS address index object)
    svs_check_case(NAME guarded_by_${guard} PROGRAM cases_graph SAYS "chooses an order 1 times.*0 races")
endforeach()
svs_check_case(NAME unguarded PROGRAM cases_graph PAIRS a:a OBJECT variable:guarded SAYS "1 races")

# Two instances that may come in either order: reported, and an error by option.
svs_check_case(NAME either_order PROGRAM cases_graph SAYS "chooses an order 1 times, of change and change for cell, say")
svs_check_case(NAME either_order PROGRAM cases_graph AS order_is_error MARKS reads_only PAIRS a:a OBJECT object:cell
    OPTIONS "order_is_error=1" SAYS "order 1 of 1: .*0 races, 1 orders")

# Options, suppressions, and how a process ends.
file(WRITE "${check_work}/suppress_file.txt" "\n  file:cases.c  \n")
file(WRITE "${check_work}/suppress_function.txt" "# A function on either stack.\nfunction:byte_*\n")
file(WRITE "${check_work}/suppress_object.txt" "object:b?tes\nobject:byt*s\n")
file(WRITE "${check_work}/suppress_wrong.txt" "# A kind that there is not.\nrace:byte_a\n")
svs_check_case(NAME same_byte AS exit_status PAIRS a:b STATUS 7 OPTIONS "exit=7")
svs_check_case(NAME same_byte AS immediate PAIRS a:b OPTIONS "immediate=1" SAYS "svs check: race: [^ ]*cases.c:[0-9]+ and ")
svs_check_case(NAME same_byte AS walk PAIRS a:b OPTIONS "lca=walk compare=1 yield_one_in=2:seed=5")
svs_check_case(NAME same_byte AS without_symbols STATUS 66 OPTIONS "symbols=0" SILENT SAYS "1 races")
svs_check_case(NAME same_byte AS not_started STATUS 0 OPTIONS "start=0" SILENT)
svs_check_case(NAME same_byte AS wrong_option STATUS 2 OPTIONS "jsn=x" SILENT SAYS "'jsn' is not one of")
svs_check_case(NAME same_byte AS wrong_value STATUS 2 OPTIONS "exit=256" SILENT SAYS "'256' cannot be exit")
svs_check_case(NAME same_byte AS wrong_file STATUS 2 OPTIONS "suppressions=/nowhere" SILENT SAYS "/nowhere cannot be read")
svs_check_case(NAME same_byte AS unwritten_file STATUS 66 OPTIONS "json=/nowhere/races" SILENT SAYS "/nowhere/races cannot be written")
svs_check_case(NAME same_byte AS file_by_process PAIRS a:b BY_PROCESS)
svs_check_case(NAME same_byte AS suppressed_function OPTIONS "suppressions=${check_work}/suppress_function.txt" SAYS "0 races .and 1 suppressed")
svs_check_case(NAME same_byte AS suppressed_file OPTIONS "suppressions=${check_work}/suppress_file.txt" SAYS "0 races .and 1 suppressed")
svs_check_case(NAME same_byte AS suppressed_object OPTIONS "suppressions=${check_work}/suppress_object.txt" SAYS "0 races .and 1 suppressed")
svs_check_case(NAME wide_narrow AS not_suppressed PAIRS a:b OPTIONS "suppressions=${check_work}/suppress_object.txt")
svs_check_case(NAME same_byte AS wrong_suppression STATUS 2 OPTIONS "suppressions=${check_work}/suppress_wrong.txt" SILENT
    SAYS "suppress_wrong.txt:2: 'race:byte_a' is not")
svs_check_case(NAME forks SAYS "race 1 of 1: two writes of bytes.*, 1 races.*, 0 races")
svs_check_case(NAME ends_by_exit MARKS same_byte PAIRS a:b)
svs_check_case(NAME ends_by_exits MARKS same_byte PAIRS a:b)
svs_check_case(NAME ends_by_abort MARKS same_byte PAIRS a:b STATUS "Subprocess aborted|Aborted|SIGABRT")
svs_check_case(NAME ends_by_assert MARKS same_byte PAIRS a:b STATUS "Subprocess aborted|Aborted|SIGABRT")
# In the midst of a step, the accesses of which are compared later, as a rule.
foreach(how IN ITEMS exits leaves)
    svs_check_case(NAME ${how}_in_loop MARKS ends_in_loop PAIRS a:b OBJECT variable:many RANGES 0+400)
endforeach()
foreach(how IN ITEMS aborts asserts)
    svs_check_case(NAME ${how}_in_loop MARKS ends_in_loop PAIRS a:b OBJECT variable:many RANGES 0+400
        STATUS "Subprocess aborted|Aborted|SIGABRT")
endforeach()
svs_check_case(NAME crashes_in_loop SILENT STATUS "Subprocess killed|Killed|SIGKILL" OPTIONS "immediate=1"
    SAYS "svs check: race: [^ ]*cases.c:[0-9]+ and [^ ]*cases.c:[0-9]+")

# Programs of examples/, linked with the check: they run tasks, and nothing is found. The build of SVS_CHECK_MODE does so with
# everything; these find most faults of the examples (tests/mutants/examples.diff) in this one.
# checked_program(name FROM targets... OPTIONS of the check ARGUMENTS ...): the sources of an example and of the libraries that it consists of.
function(checked_program name)
    cmake_parse_arguments(PARSE_ARGV 1 PROGRAM "" "OPTIONS" "FROM;ARGUMENTS")
    set(target checked_${name})
    set(all "")
    set(includes "${PROJECT_SOURCE_DIR}/examples")
    foreach(from IN LISTS PROGRAM_FROM)
        get_target_property(sources ${from} SOURCES)
        get_target_property(folder ${from} SOURCE_DIR)
        list(APPEND includes "${folder}")
        list(TRANSFORM sources PREPEND "${folder}/")
        list(APPEND all ${sources})
    endforeach()
    add_executable(${target} ${all})
    svs_compile_fast(${target})
    target_include_directories(${target} PRIVATE ${includes})
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_link_libraries(${target} PRIVATE svs::check m)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    add_test(NAME check.example.${name} COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DOPTIONS=${PROGRAM_OPTIONS}" "-DREPORTS=${check_work}/examples"
        "-DPROGRAM=$<TARGET_FILE:${target}>" -P "${check_dir}/mode/run.cmake" -- ${target} ${PROGRAM_ARGUMENTS})
    svs_set_test_properties(check.example.${name} check 120)
endfunction()
if(SVS_BUILD_EXAMPLES)
    foreach(lesson IN ITEMS 01_hello 02_links 03_objects_by_index 05_errors 06_async 15_how_far 16_which_first
            17_stop_a_search 18_lists)
        checked_program(${lesson} FROM ${lesson})
    endforeach()
    checked_program(04_graph FROM 04_graph OPTIONS order_is_error=1) # its orders are declared
    checked_program(quakesquad FROM quakesquad quakesquad_core example_common example_scheduled ARGUMENTS --size 128
        --citizens 60 --techs 10 --bombs 10 --walls 6 --frames 8 --settle 2 --threads 3)
endif()
