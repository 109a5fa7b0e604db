# cmake -DSVS_PROGRAM=p -DSVS_EXPECTED=file -P compare_output.cmake: runs the program and compares its output.
file(READ "${SVS_EXPECTED}" expected)
execute_process(COMMAND "${SVS_PROGRAM}" OUTPUT_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${SVS_PROGRAM} ended with ${result}, after it had printed:\n${output}")
endif()
if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${SVS_PROGRAM} printed\n${output}\ninstead of\n${expected}")
endif()
