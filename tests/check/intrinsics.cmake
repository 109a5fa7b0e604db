# Runs the table of vector accesses at each level, and compares what a check sees of them with SVS_EXPECTED, which says
# what docs/race-check.md says. A compiler that tells of more, or of less, than that is a reason to change both.
cmake_minimum_required(VERSION 3.25)
file(READ "${SVS_EXPECTED}" expected)
set(ENV{SVS_CHECK_OPTIONS} "start=0")
foreach(level IN ITEMS O0 O2 O3)
    execute_process(COMMAND "${SVS_PROGRAM}_${level}" RESULT_VARIABLE status OUTPUT_VARIABLE printed ERROR_VARIABLE said TIMEOUT 60)
    set(here "${expected}")
    if(level STREQUAL "O0") # where nothing is made of a loop
        string(REGEX REPLACE "loop_omp_simdlen: [a-z ]+\n" "" here "${expected}")
    endif()
    if(status EQUAL 77)
        message(STATUS "left out: this machine has no AVX2")
        return()
    endif()
    if(NOT status EQUAL 0 OR NOT printed STREQUAL here)
        message(FATAL_ERROR "${level}: status ${status}; what is seen is not what the documentation says, but:\n${printed}${said}")
    endif()
endforeach()
