# Runs a program: cmake -DSTATUS=n -DOUTPUT=regex -DERROR=regex -P expect.cmake -- program arguments...
# STATUS: what it must exit with; OUTPUT and ERROR: what its stdout and stderr must match.
set(command "")
set(begun FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    if(begun)
        list(APPEND command "${CMAKE_ARGV${i}}")
    elseif(CMAKE_ARGV${i} STREQUAL "--")
        set(begun TRUE)
    endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE error)
string(REGEX REPLACE "svs check: [^\n]*\n" "" error "${error}") # what a race check says at the end of each program
if(NOT status STREQUAL STATUS OR NOT output MATCHES "${OUTPUT}" OR NOT error MATCHES "${ERROR}")
    message(FATAL_ERROR "expected status ${STATUS}, stdout '${OUTPUT}', stderr '${ERROR}'; "
        "got status ${status}, stdout:\n${output}\nstderr:\n${error}")
endif()
