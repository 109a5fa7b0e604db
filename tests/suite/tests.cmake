# suite.py, which runs all tests, and counts them.
find_program(SVS_SUITE_PYTHON python3 DOC "Python, for tests/suite")
mark_as_advanced(SVS_SUITE_PYTHON)
if(SVS_CHECK_MODE OR CMAKE_CROSSCOMPILING OR NOT SVS_SUITE_PYTHON)
    return()
endif()
add_test(NAME suite.counts COMMAND "${SVS_SUITE_PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/test.py" "${PROJECT_BINARY_DIR}/tests/suite")
svs_set_test_properties(suite.counts unit 120)
