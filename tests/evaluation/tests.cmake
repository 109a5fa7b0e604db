# The evaluation: what it is made of, and a small one of everything. No time is judged here.
if(NOT TARGET bench_evaluation)
    return()
endif()

add_executable(evaluation_machinery "${CMAKE_CURRENT_LIST_DIR}/machinery.c")
target_link_libraries(evaluation_machinery PRIVATE evaluation PkgConfig::cmocka)
set_target_properties(evaluation_machinery PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
add_test(NAME evaluation.machinery COMMAND evaluation_machinery)
svs_set_test_properties(evaluation.machinery bench 120)

if(NOT EXISTS "${SVS_DATA_DIR}/fluidanimate/in_5K.fluid.xz")
    message(STATUS "tests/evaluation: PARSEC's inputs are not in ${SVS_DATA_DIR}; the small evaluation is left out")
    return()
endif()
if(NOT TARGET netgen) # makes the small netlist
    message(STATUS "tests/evaluation: the small evaluation is left out, as the examples are not built")
    return()
endif()
find_program(SVS_PYTHON python3 DOC "Python, to look at JSON with")
find_program(SVS_VALGRIND valgrind DOC "valgrind, which counts instructions")
find_program(SVS_GNUPLOT gnuplot DOC "gnuplot, which draws the evaluation's plots")
find_program(SVS_CHROMIUM NAMES chromium chromium-browser google-chrome google-chrome-stable
    DOC "A browser that can do without a window, to open pages with")
mark_as_advanced(SVS_PYTHON SVS_VALGRIND SVS_GNUPLOT SVS_CHROMIUM)
set(evaluation_variables "-DSVS_EVALUATION=$<TARGET_FILE:bench_evaluation>"
    "-DSVS_WORK_DIR=${PROJECT_BINARY_DIR}/tests/evaluation")
foreach(found IN ITEMS SVS_PYTHON SVS_VALGRIND SVS_GNUPLOT SVS_CHROMIUM)
    if(${found})
        list(APPEND evaluation_variables "-D${found}=${${found}}")
    endif()
endforeach()
add_test(NAME evaluation.report COMMAND ${CMAKE_COMMAND} ${evaluation_variables} -P "${CMAKE_CURRENT_LIST_DIR}/report.cmake")
svs_set_test_properties(evaluation.report bench 600)
