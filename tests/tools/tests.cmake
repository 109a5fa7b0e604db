# The command svs, and its parts.
if(NOT TARGET svs_command)
    message(STATUS "tests/tools: left out, as the command svs is not built (SVS_BUILD_TOOLS)")
    return()
endif()

svs_add_test(NAME unit_tools_format LABEL unit SOURCES format.c ../../tools/format.c)
svs_add_test(NAME unit_tools_span LABEL unit LIBRARIES m
    SOURCES span.c ../../tools/graphs.c ../../tools/span.c ../../tools/view.c ../../tools/command.c)
svs_add_test(NAME unit_tools_schedule LABEL unit LIBRARIES m SOURCES schedule.c ../../tools/schedule.c)
foreach(test IN ITEMS format schedule span)
    target_include_directories(test_unit_tools_${test} PRIVATE "${PROJECT_SOURCE_DIR}/tools")
endforeach()

# Traces are recorded, and the command is run on them.
set(tools_dir "${PROJECT_BINARY_DIR}/tests/tools")
file(MAKE_DIRECTORY "${tools_dir}")
svs_add_test(NAME tools_record LABEL example SOURCES record.c ARGS "${tools_dir}" TIMEOUT 60)
set_tests_properties(tools_record PROPERTIES FIXTURES_SETUP svs_tools_traces)

find_program(SVS_DOT dot DOC "Graphviz, to try the steal tree with")
find_program(SVS_CHROMIUM NAMES chromium chromium-browser google-chrome google-chrome-stable
    DOC "A browser that can do without a window, to open pages with")
mark_as_advanced(SVS_DOT SVS_CHROMIUM)
set(tools_variables "-DSVS_COMMAND=$<TARGET_FILE:svs_command>" "-DSVS_WORK_DIR=${tools_dir}"
    "-DSVS_CHECKS_DIR=${CMAKE_CURRENT_LIST_DIR}" "-DSVS_VERSION=${PROJECT_VERSION}")
foreach(found IN ITEMS SVS_DOT SVS_PYTHON SVS_CHROMIUM)
    if(${found})
        list(APPEND tools_variables "-D${found}=${${found}}")
    endif()
endforeach()

foreach(step IN ITEMS usage files verify info dot chrome predict html)
    add_test(NAME tools_${step} COMMAND
        ${CMAKE_COMMAND} -DSVS_STEP=${step} ${tools_variables} -P "${CMAKE_CURRENT_LIST_DIR}/command.cmake")
    svs_set_test_properties(tools_${step} example 300)
    set_tests_properties(tools_${step} PROPERTIES FIXTURES_REQUIRED svs_tools_traces)
endforeach()

add_test(NAME tools_page COMMAND ${CMAKE_COMMAND} ${tools_variables} -P "${CMAKE_CURRENT_LIST_DIR}/page.cmake")
svs_set_test_properties(tools_page example 600)
set_tests_properties(tools_page PROPERTIES
    FIXTURES_REQUIRED svs_tools_traces SKIP_REGULAR_EXPRESSION "skipped: there is no browser")
