# The project examples/standalone/compare, built against a fresh installation, compares; and says so when results differ.
set(SVS_WORK_DIR "${SVS_WORK_DIR}/compare")
set(build "${SVS_WORK_DIR}/build")
file(REMOVE_RECURSE "${SVS_WORK_DIR}")
file(COPY "${SVS_EXAMPLE_DIR}/compare/" DESTINATION "${SVS_WORK_DIR}/source")

function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "failed (${result}): ${ARGV}\n${output}")
    endif()
endfunction()

# compare(status output arguments...): builds what is in source/, and looks at what it says.
function(compare status expected)
    run("${CMAKE_COMMAND}" -S "${SVS_WORK_DIR}/source" -B "${build}" "-DCMAKE_PREFIX_PATH=${SVS_PREFIX}"
        "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}" "-DCMAKE_C_FLAGS=${SVS_FLAGS} -Wall -Wextra -pedantic -Werror")
    run("${CMAKE_COMMAND}" --build "${build}")
    execute_process(COMMAND "${build}/compare" ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE error)
    message(STATUS "${output}${error}")
    if(NOT result EQUAL status OR NOT "${output}${error}" MATCHES "${expected}")
        message(FATAL_ERROR "status ${result}, not ${status} and '${expected}'")
    endif()
endfunction()

set(number "[0-9]+\\.[0-9]+")
compare(0 "2 threads, 7 rounds.*locked +${number} ms.*svs +${number} ms.*ratio +${number} +\\(95% interval ${number} to ${number}\\): .*results agree in all rounds"
    --threads 2 --rounds 7)
compare(0 "1 threads, 2 rounds in turns.*ratio +${number}\nresults agree" --threads 1 --rounds 2)
compare(2 "usage" --threads 0)
compare(2 "usage" --rounds)

# A task that does something else is found out.
file(READ "${SVS_WORK_DIR}/source/yours.c" text)
string(REPLACE "move(t->from, t->to, t->amount)" "move(t->from, t->to, t->amount + 1)" changed "${text}")
if(changed STREQUAL text)
    message(FATAL_ERROR "yours.c has no such call to change")
endif()
file(WRITE "${SVS_WORK_DIR}/source/yours.c" "${changed}")
compare(1 "results DIFFER in 2 of 2 rounds" --threads 2 --rounds 2)
