# Programs that only the race check's build runs as tests; elsewhere they are only installed or measured.
set(mode_tests "${PROJECT_SOURCE_DIR}/tests")

svs_add_test(NAME headers.run_c LABEL unit SOURCES "${mode_tests}/headers/macros.c" LIBRARY svs::svs)
if(CMAKE_CXX_COMPILER)
    svs_as_cpp(../../headers/macros.c mode_macros_cpp)
    svs_add_test(NAME headers.run_cpp LABEL unit SOURCES "${mode_macros_cpp}" LIBRARY svs::svs)
endif()

set(mode_traces "${PROJECT_BINARY_DIR}/tests/tools")
file(MAKE_DIRECTORY "${mode_traces}")
svs_add_test(NAME tools_record LABEL example SOURCES "${mode_tests}/tools/record.c" ARGS "${mode_traces}")

# mode_program(name SOURCES ... ARGUMENTS ...): a program that is linked as users do.
function(mode_program name)
    cmake_parse_arguments(PARSE_ARGV 1 PROGRAM "" "" "SOURCES;ARGUMENTS")
    list(TRANSFORM PROGRAM_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/examples/")
    add_executable(${name} ${PROGRAM_SOURCES})
    target_link_libraries(${name} PRIVATE svs::svs)
    add_test(NAME example.${name} COMMAND ${name} ${PROGRAM_ARGUMENTS})
    svs_set_test_properties(example.${name} example 60)
endfunction()
mode_program(standalone SOURCES standalone/main.c)
mode_program(compare SOURCES standalone/compare/compare.c standalone/compare/yours.c ARGUMENTS --threads 2 --rounds 1)

# The Cilk suite at sizes at which each program still divides its work.
foreach(size IN ITEMS fib=20 allqueens=8 cholesky=150 fft=4096 heat=64,64,4 lu=150 matmul=128 nbody=200,1 strassen=128)
    string(REGEX MATCH "^([a-z]+)=(.*)$" size "${size}")
    set(program ${CMAKE_MATCH_1})
    set(size "${CMAKE_MATCH_2}")
    foreach(policy IN ITEMS help-first work-first)
        add_test(NAME cilk.${program}.${policy} COMMAND cilk_${program}
            --size ${size} --repeat 1 --policy ${policy} --threads 3 --verify)
        svs_set_test_properties(cilk.${program}.${policy} cilk 60)
    endforeach()
endforeach()

# PARSEC's smallest fluid.
if(EXISTS "${SVS_DATA_DIR}/fluidanimate/in_5K.fluid.xz")
    foreach(algorithm IN ITEMS default staged progressive)
        add_test(NAME example.fluidanimate.5K.${algorithm} COMMAND fluidanimate
            --frames 2 --threads 3 --algorithm ${algorithm} "${SVS_DATA_DIR}/fluidanimate/in_5K.fluid.xz")
        svs_set_test_properties(example.fluidanimate.5K.${algorithm} example 120)
    endforeach()
else()
    message(STATUS "PARSEC's fluids are not in ${SVS_DATA_DIR}: a small one of our own is checked")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/mutants.cmake")
