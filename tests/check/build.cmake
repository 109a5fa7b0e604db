# Configures and builds the outside project with one pair of compilers.
function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "failed (${result}): ${ARGV}")
    endif()
endfunction()

file(REMOVE_RECURSE "${SVS_BUILD}")
run("${CMAKE_COMMAND}" -S "${SVS_SOURCE}" -B "${SVS_BUILD}" "-DCMAKE_PREFIX_PATH=${SVS_PREFIX}"
    "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}" "-DCMAKE_CXX_COMPILER=${SVS_CXX_COMPILER}")
run("${CMAKE_COMMAND}" --build "${SVS_BUILD}" -j 2)
