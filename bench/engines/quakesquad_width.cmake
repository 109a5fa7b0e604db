# Compares the mean width of the stages of engine svs with that of greedy colouring (quakesquad_greedy.c), in each quest.
function(width_of engine quest width)
    execute_process(COMMAND "${PROGRAM}" --engine ${engine} --quest ${quest} --threads 2 --frames 40 --settle 400
        RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE error)
    message(STATUS "${output}${error}")
    if(NOT status EQUAL 0 OR NOT output MATCHES " width=([0-9]+)\\.([0-9]) ")
        message(FATAL_ERROR "status ${status}, or no width")
    endif()
    set(${width} ${CMAKE_MATCH_1}${CMAKE_MATCH_2} PARENT_SCOPE) # tenths
endfunction()

foreach(quest IN ITEMS none centre quadrants moving)
    width_of(svs ${quest} width)
    width_of(greedy ${quest} best)
    math(EXPR percent "100 * ${width} / ${best}")
    if(percent LESS 90)
        message(FATAL_ERROR "${quest}: ${percent} percent of the width of greedy colouring, and not 90")
    endif()
    if(quest STREQUAL "none" AND width LESS 1000)
        message(FATAL_ERROR "a width below 100")
    endif()
endforeach()
