# The proof that the nets catch: faults in the library, of which a test must find each (mutants.py). The mutated sources are
# compiled once for the explorer, and once for the nets with real threads. Assertions must be on.
if(NOT SVS_BUILD_MUTANTS OR SVS_COVERAGE OR SVS_CHECK_MODE OR NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    return()
endif()
find_program(SVS_MUTANTS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH DOC "Python, for tests/mutants")
find_program(SVS_MUTANTS_PYTHON python3 REQUIRED)
set(svs_mutants_script "${CMAKE_CURRENT_LIST_DIR}/mutants.py")
set(svs_mutants_dir "${PROJECT_BINARY_DIR}/tests/mutants")
file(GLOB svs_mutants_rules CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.diff" "${CMAKE_CURRENT_LIST_DIR}/*/*.diff")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${svs_mutants_script}" ${svs_mutants_rules})
execute_process(COMMAND ${SVS_MUTANTS_PYTHON} "${svs_mutants_script}" list
    OUTPUT_VARIABLE svs_mutants COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" svs_mutants "${svs_mutants}")

# svs_write_mutated(to command [source]): a command that writes a mutated source, or the switch.
function(svs_write_mutated to)
    add_custom_command(OUTPUT "${to}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMENT "" VERBATIM
        COMMAND ${SVS_MUTANTS_PYTHON} "${svs_mutants_script}" ${ARGN} "${to}"
        DEPENDS "${svs_mutants_script}" ${svs_mutants_rules} $<$<BOOL:${ARGV2}>:${PROJECT_SOURCE_DIR}/${ARGV2}>)
endfunction()

# The sources of each kind of net, and the tests. A scenario of a mutant in a header is compiled again.
set(svs_mutated switch.c)
svs_write_mutated("${svs_mutants_dir}/switch.c" switch)
foreach(line IN LISTS svs_mutants)
    separate_arguments(line UNIX_COMMAND "${line}")
    list(POP_FRONT line name kind net what)
    if(kind STREQUAL "explorer" AND SVS_SANITIZE)
        continue()
    endif()
    foreach(file IN LISTS line)
        if(NOT file IN_LIST svs_mutated)
            list(APPEND svs_mutated "${file}")
            svs_write_mutated("${svs_mutants_dir}/${file}" source "${file}")
        endif()
        list(APPEND svs_mutants_of_${kind} "${svs_mutants_dir}/${file}")
        if(file MATCHES "\\.h$")
            list(APPEND svs_mutants_of_${kind} "${PROJECT_SOURCE_DIR}/tests/explore/scenarios/${what}.c")
        endif()
    endforeach()
    set(test mutant_${name}.${net}_${what})
    add_test(NAME ${test} COMMAND ${SVS_MUTANTS_PYTHON} "${svs_mutants_script}" run ${name} ${net} ${what}
        "${svs_mutants_dir}/${net}")
    string(REGEX REPLACE "differential" "stress" label ${net})
    svs_set_test_properties(${test} ${label} 600)
endforeach()

# svs_add_mutants(kind library net test...): the mutated sources, and programs of them and the objects of each net's test.
function(svs_add_mutants kind library)
    list(REMOVE_DUPLICATES svs_mutants_of_${kind})
    add_library(svs_mutants_of_${kind} OBJECT "${svs_mutants_dir}/switch.c" ${svs_mutants_of_${kind}})
    target_compile_options(svs_mutants_of_${kind} PRIVATE -O0 -g0 -w)
    target_include_directories(svs_mutants_of_${kind} BEFORE PRIVATE "${svs_mutants_dir}/src")
    target_link_libraries(svs_mutants_of_${kind} PRIVATE ${library})
    foreach(test IN LISTS ARGN)
        string(REGEX REPLACE "test_|_s1_mixed" "" net "${test}")
        add_executable(mutants_${net} $<TARGET_OBJECTS:${test}> $<TARGET_OBJECTS:svs_mutants_of_${kind}>)
        target_link_libraries(mutants_${net} PRIVATE ${library})
        set_target_properties(mutants_${net} PROPERTIES LINKER_LANGUAGE C
            OUTPUT_NAME ${net} RUNTIME_OUTPUT_DIRECTORY "${svs_mutants_dir}")
    endforeach()
endfunction()
svs_add_mutants(threads svs_internal test_differential test_stress_s1_mixed)
if(NOT SVS_SANITIZE)
    svs_add_mutants(explorer svs_explore_scenarios explore)
    # With no fault switched on, the same program finds none.
    add_test(NAME mutant_none.explore COMMAND mutants_explore --runs 100)
    svs_set_test_properties(mutant_none.explore explore 300)
endif()
