# The evaluation: what it is made of, its page from recorded rows, and a small one of everything. No time is judged here.
if(NOT TARGET bench_evaluation)
    return()
endif()
# Debian's Python, which has Debian's packages, or else any.
if(NOT SVS_PYTHON)
    message(STATUS "tests/evaluation: left out, as there is no python3")
    return()
endif()

# evaluation_test(name timeout arguments...): run.py skips with 77 where matplotlib or jinja2 is absent.
function(evaluation_test name timeout)
    add_test(NAME evaluation.${name}
        COMMAND "${SVS_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/evaluation/run.py" test_${name} ${ARGN})
    svs_set_test_properties(evaluation.${name} evaluation ${timeout})
    set_tests_properties(evaluation.${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
evaluation_test(rows 60)
evaluation_test(measure 120)
evaluation_test(page 240)

if(NOT EXISTS "${SVS_DATA_DIR}/fluidanimate/in_5K.fluid.xz")
    message(STATUS "left out: test evaluation.tiny: PARSEC's inputs are not in SVS_DATA_DIR (${SVS_DATA_DIR})")
    return()
endif()
if(NOT TARGET netgen) # makes the small netlist
    message(STATUS "tests/evaluation: the small evaluation is left out, as the examples are not built")
    return()
endif()
find_program(SVS_CHROMIUM NAMES chromium chromium-browser google-chrome google-chrome-stable
    DOC "A browser that can do without a window, to open pages with")
mark_as_advanced(SVS_CHROMIUM)
evaluation_test(tiny 900 "${CMAKE_BINARY_DIR}/bin" "${PROJECT_BINARY_DIR}/tests/evaluation" "${SVS_CHROMIUM}")
