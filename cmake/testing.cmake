# Functions that declare tests, and what all tests need.

# Python of the system, for which ./dev installs packages, before another one in the path.
find_program(SVS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH DOC "Python 3, for tests")
find_program(SVS_PYTHON python3)
mark_as_advanced(SVS_PYTHON)

# cmocka, and tests/case.h.
add_library(svs_cases INTERFACE)
if(CMAKE_CROSSCOMPILING) # there is no cmocka for the other processor
    target_include_directories(svs_cases INTERFACE "${PROJECT_SOURCE_DIR}/tests/cross")
else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
    target_link_libraries(svs_cases INTERFACE PkgConfig::cmocka)
endif()
target_include_directories(svs_cases INTERFACE "${PROJECT_SOURCE_DIR}/tests")

# Loads are scaled so that a test takes about as long with sanitizers, or with coverage counters and slow checks (./dev
# coverage), as without.
if(SVS_SANITIZE MATCHES "thread" OR SVS_CHECK_MODE OR SVS_COVERAGE)
    set(svs_test_scale 3)
elseif(SVS_SANITIZE MATCHES "address")
    set(svs_test_scale 10)
else()
    set(svs_test_scale 100)
endif()
set(svs_test_environment
    "SVS_TEST_SCALE=${svs_test_scale}"
    "SVS_DATA_DIR=${SVS_DATA_DIR}"
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1"
    "ASAN_OPTIONS=halt_on_error=1:detect_leaks=1"
    "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1")

# What a test costs (costs.txt), what the short run of `./dev test` leaves to `--all`, and what runs with sanitizers leave out.
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/suite/costs.txt")
file(STRINGS "${PROJECT_SOURCE_DIR}/tests/suite/costs.txt" svs_costs REGEX "^[^#]")
foreach(line IN LISTS svs_costs)
    string(REGEX MATCH "^([^ ]+) +([0-9.]+)" line "${line}")
    set(svs_cost_of_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
endforeach()
include("${PROJECT_SOURCE_DIR}/tests/suite/left_out.cmake")

# Sets the properties that all tests share. The dearest tests start first, so that no processor idles at the end.
function(svs_set_test_properties name label timeout)
    if(NOT TEST ${name}) # left out of this build
        return()
    endif()
    if(DEFINED svs_cost_of_${name})
        set(cost ${svs_cost_of_${name}})
    else()
        math(EXPR cost "${timeout} / 300")
    endif()
    svs_matches_any(${name} left ${svs_left_to_all})
    if(NOT left)
        list(APPEND label short)
    endif()
    svs_matches_any(${name} left ${svs_left_to_plain})
    if(left)
        list(APPEND label plain)
    endif()
    set(environment "${svs_test_environment}")
    if(name MATCHES "^mutant_") # it dies by some seed of the whole load
        list(APPEND environment "SVS_TEST_SHARE=100")
    endif()
    set_tests_properties(${name} PROPERTIES
        LABELS "${label}" TIMEOUT ${timeout} COST ${cost} ENVIRONMENT "${environment}")
endfunction()

# In a build with assertions, compiles a target in half the time; what it links is optimised as elsewhere. Where each access
# is instrumented, also of what a register would hold, it would run longer than that.
function(svs_compile_fast target)
    if(NOT SVS_CHECK_MODE AND NOT SVS_SANITIZE MATCHES "thread")
        target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O0>)
    endif()
endfunction()

# svs_add_test(NAME n LABEL unit|property|stress|schedule|install|example SOURCES ...
#              [ARGS ...] [LIBRARIES ...] [LINK_OPTIONS ...] [LIBRARY l] [TIMEOUT seconds])
# A program on cmocka and the library with all its symbols; LIBRARY takes its place. SOURCES are relative
# to the file that calls, or to tests/.
function(svs_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 TEST "" "NAME;LABEL;LIBRARY;TIMEOUT" "SOURCES;ARGS;LIBRARIES;LINK_OPTIONS")
    if(TEST_UNPARSED_ARGUMENTS OR NOT TEST_NAME OR NOT TEST_SOURCES)
        message(FATAL_ERROR "svs_add_test(${ARGV}): unknown arguments: ${TEST_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT TEST_LABEL MATCHES "^(unit|property|stress|schedule|install|example)$")
        message(FATAL_ERROR "svs_add_test: ${TEST_NAME} has the unknown label '${TEST_LABEL}'")
    endif()
    if(NOT TEST_LIBRARY AND TEST_LINK_OPTIONS MATCHES "--wrap")
        set(TEST_LIBRARY svs_internal_archive)
    elseif(NOT TEST_LIBRARY)
        set(TEST_LIBRARY svs_internal)
    endif()
    if(NOT TEST_TIMEOUT)
        set(TEST_TIMEOUT 300)
    endif()

    if(SVS_CHECK_MODE)
        svs_check_reason(TESTS "${TEST_NAME}" reason)
        if(reason) # nor built
            list(TRANSFORM TEST_SOURCES PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
            set_property(GLOBAL APPEND PROPERTY SVS_CHECK_NAMED ${TEST_SOURCES})
            add_test(NAME ${TEST_NAME} COMMAND unused) # which notes it
            return()
        endif()
    endif()

    set(target "test_${TEST_NAME}")
    set(sources "")
    foreach(source IN LISTS TEST_SOURCES)
        if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/${source}")
            set(source "${CMAKE_CURRENT_LIST_DIR}/${source}")
        endif()
        list(APPEND sources "${source}")
    endforeach()
    add_executable(${target} ${sources})
    target_link_libraries(${target} PRIVATE ${TEST_LIBRARY} svs_cases ${TEST_LIBRARIES})
    target_link_options(${target} PRIVATE ${TEST_LINK_OPTIONS})
    if(TEST_LABEL STREQUAL "unit") # they take longer to compile than to run
        svs_compile_fast(${target})
    endif()
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")

    add_test(NAME ${TEST_NAME} COMMAND ${target} ${TEST_ARGS})
    svs_set_test_properties(${TEST_NAME} ${TEST_LABEL} ${TEST_TIMEOUT})
endfunction()

# svs_as_cpp(source result): a file with the same text as a C++ program.
function(svs_as_cpp source result)
    cmake_path(GET source STEM name)
    set(path "${PROJECT_BINARY_DIR}/tests/as_cpp/${name}.cpp")
    file(CONFIGURE OUTPUT "${path}" CONTENT "#include \"${CMAKE_CURRENT_LIST_DIR}/${source}\"\n" @ONLY)
    set(${result} "${path}" PARENT_SCOPE)
endfunction()
