# The Cilk suite: each program at its small size, under each policy and several numbers of workers; and its driver.
# It belongs to the benchmarks, and is tested when they are built.
if(NOT TARGET cilk_driver)
    return()
endif()

set(cilk_expect "${PROJECT_SOURCE_DIR}/cmake/expect.cmake")

# cilk_test(name status output error command...): output and error are regular expressions.
function(cilk_test name status output error)
    add_test(NAME cilk.${name} COMMAND ${CMAKE_COMMAND}
        "-DSTATUS=${status}" "-DOUTPUT=${output}" "-DERROR=${error}" -P "${cilk_expect}" -- ${ARGN})
    svs_set_test_properties(cilk.${name} cilk 120)
endfunction()

# cilk_after(name suffix ...): cilk_test(name.suffix ...) of the trace that test NAME has written.
function(cilk_after name suffix)
    cilk_test(${name}.${suffix} ${ARGN})
    set_tests_properties(cilk.${name}.${suffix} PROPERTIES FIXTURES_REQUIRED cilk.${name})
endfunction()

# cilk_traced(program policy): the trace of a run is consistent, and is repeated, as fast as can be and timed.
function(cilk_traced program policy)
    set(name ${program}.${policy}.traced)
    set(trace "${CMAKE_CURRENT_BINARY_DIR}/${name}.svstrace")
    cilk_test(${name} 0 "verified=yes steals=[0-9]+ trace_bytes=[1-9]" "^$"
        $<TARGET_FILE:cilk_${program}> --small --verify --policy ${policy} --threads 8 --trace "${trace}" --measure)
    set_tests_properties(cilk.${name} PROPERTIES FIXTURES_SETUP cilk.${name})
    if(TARGET svs_command)
        cilk_after(${name} checked 0 "consistent" "^$" $<TARGET_FILE:svs_command> trace verify "${trace}")
        cilk_after(${name} predicted 0 "work +W = [^\n]*, measured: .*\n +8 [^\n]*traced.svstrace" "^$"
            $<TARGET_FILE:svs_command> trace predict "${trace}")
    endif()
    set(again "policy=${policy} threads=8 .* verified=yes steals=[0-9]+ trace_bytes=[1-9]")
    cilk_after(${name} replayed 0 "${again}" "^$"
        $<TARGET_FILE:cilk_${program}> --small --verify --repeat 3 --replay "${trace}" --trace "${trace}.again")
    cilk_after(${name} timed 0 "${again}" "^$"
        $<TARGET_FILE:cilk_${program}> --small --verify --replay "${trace}" --timed)
endfunction()

get_property(cilk_programs GLOBAL PROPERTY CILK_PROGRAMS)
foreach(program IN LISTS cilk_programs)
    add_executable(cilk_judge_${program} "${CMAKE_CURRENT_LIST_DIR}/judge.c" $<TARGET_OBJECTS:cilk_${program}_serial>)
    target_link_libraries(cilk_judge_${program} PRIVATE cilk_driver svs_cases)
    set_target_properties(cilk_judge_${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    add_test(NAME cilk.${program}.judge COMMAND cilk_judge_${program})
    svs_set_test_properties(cilk.${program}.judge cilk 120)
    foreach(policy IN ITEMS help-first work-first)
        foreach(threads IN ITEMS 1 2 8)
            cilk_test(${program}.${policy}.${threads} 0
                "\nprogram=${program} policy=${policy} threads=${threads} seconds=[0-9.]+ serial_seconds=[0-9.]+ verified=yes [^\n]*\n$" "^$"
                $<TARGET_FILE:cilk_${program}> --small --verify --repeat 3 --policy ${policy} --threads ${threads})
        endforeach()
        cilk_traced(${program} ${policy})
    endforeach()
endforeach()

# A wrong answer is an error.
cilk_program(wrong "${CMAKE_CURRENT_LIST_DIR}/wrong.c")
set_target_properties(cilk_wrong PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
cilk_test(wrong.right 0 "equal to .*verified=yes" "^$" $<TARGET_FILE:cilk_wrong> --verify --size 0)
cilk_test(wrong.different 1 "NOT .*verified=no" "^$" $<TARGET_FILE:cilk_wrong> --verify --size 1)
cilk_test(wrong.both 1 "equal to .*TOO LARGE.*verified=no" "^$" $<TARGET_FILE:cilk_wrong> --verify --size 2)
cilk_test(wrong.unseen 0 "verified=skipped" "^$" $<TARGET_FILE:cilk_wrong> --size 1)

# An option with an error stops the program before it runs anything.
cilk_test(options.help 0 "--policy=NAME.*--size=NUMBERS.*43" "^$" $<TARGET_FILE:cilk_fib> --help)
cilk_test(options.unknown 2 "^$" "unrecognized option" $<TARGET_FILE:cilk_fib> --frob)
cilk_test(options.policy 2 "^$" "--policy: 'both' is not one of help-first, work-first" $<TARGET_FILE:cilk_fib> --policy both)
cilk_test(options.measure 2 "^$" "--measure: there is no --trace" $<TARGET_FILE:cilk_fib> --measure)
cilk_test(options.threads 2 "^$" "--threads: '0' is not a whole number from 1" $<TARGET_FILE:cilk_fib> --threads 0)
cilk_test(options.argument 2 "^$" "unexpected argument '3'" $<TARGET_FILE:cilk_fib> 3)
cilk_test(options.size 2 "^$" "--size: N is a whole number from 0 to 60" $<TARGET_FILE:cilk_fib> --size 61)
cilk_test(options.sizes 2 "^$" "no more than 3 numbers" $<TARGET_FILE:cilk_heat> --size 9,9,9,9)
cilk_test(options.power 2 "^$" "N is no power of two" $<TARGET_FILE:cilk_fft> --size 100)
cilk_test(options.call 2 "^$" "unrecognized option" $<TARGET_FILE:cilk_heat> --call typed)
# Numbers parted by commas or by spaces; what is left out is as usual, or as --small has it.
cilk_test(options.commas 0 " size=20,30,2 " "^$" $<TARGET_FILE:cilk_heat> --size 20,30,2)
cilk_test(options.spaces 0 " size=20,30,2 " "^$" $<TARGET_FILE:cilk_heat> --size 20 30 2)
cilk_test(options.some 0 " size=20,300,10 " "^$" $<TARGET_FILE:cilk_heat> --size 20 --small)
foreach(policy IN ITEMS help-first work-first)
    cilk_test(fib.generic.${policy} 0 "verified=yes .* call=generic" "^$"
        $<TARGET_FILE:cilk_fib> --small --verify --repeat 3 --call generic --policy ${policy} --threads 2)
endforeach()

# Replays that are refused or part from the trace: another tree, another runtime, no trace.
foreach(policy IN ITEMS help-first work-first)
    set(name fib.${policy}.traced)
    set(trace "${CMAKE_CURRENT_BINARY_DIR}/${name}.svstrace")
    cilk_after(${name} parted 1 "^$" "--replay: phase [0-9]+ of worker [0-9]+"
        $<TARGET_FILE:cilk_fib> --size 27 --replay "${trace}")
    cilk_after(${name} threads 1 "^$" "--replay: .*8 workers"
        $<TARGET_FILE:cilk_fib> --small --threads 3 --replay "${trace}")
endforeach()
cilk_after(fib.help-first.traced policy 1 "^$" "--replay: .*help-first"
    $<TARGET_FILE:cilk_fib> --small --policy work-first --replay "${CMAKE_CURRENT_BINARY_DIR}/fib.help-first.traced.svstrace")
cilk_test(replay.nothing 1 "^$" "--replay: .*no_such_file" $<TARGET_FILE:cilk_fib> --small --replay no_such_file)
cilk_test(replay.other 1 "^$" "--replay: byte" $<TARGET_FILE:cilk_fib> --small --replay $<TARGET_FILE:cilk_fib>)
cilk_test(replay.untimed 2 "^$" "--timed: there is no --replay" $<TARGET_FILE:cilk_fib> --small --timed)
cilk_test(trace.nowhere 1 "" "--trace: .*no_such_folder" $<TARGET_FILE:cilk_fib> --small --trace no_such_folder/trace)
