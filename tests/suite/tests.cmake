# suite.py, which runs all tests, and counts them.
if(SVS_CHECK_MODE OR CMAKE_CROSSCOMPILING OR NOT SVS_PYTHON)
    return()
endif()
add_test(NAME suite.counts COMMAND "${SVS_PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/test.py" "${PROJECT_BINARY_DIR}/tests/suite")
svs_set_test_properties(suite.counts unit 120)
