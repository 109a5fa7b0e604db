# The proof that race checks find faults: mutants/ has small ones, each a text that is replaced in one source
# of an example. A check must find each, with the right verdict at the right line, however sets are compared; and nothing
# in the programs as they are.
set(mutants_dir "${PROJECT_BINARY_DIR}/tests/check_mutants")
set(mutants_source "${CMAKE_CURRENT_LIST_DIR}")
file(MAKE_DIRECTORY "${mutants_dir}")

# Small inputs.
add_executable(mode_make_drop "${PROJECT_SOURCE_DIR}/tests/faults/make_drop.c")
target_link_libraries(mode_make_drop PRIVATE fluidanimate_core)
add_custom_command(OUTPUT "${mutants_dir}/small.nets" COMMAND netgen --elements 60 > "${mutants_dir}/small.nets" VERBATIM)
add_custom_command(OUTPUT "${mutants_dir}/small.fluid" COMMAND mode_make_drop "${mutants_dir}/small.fluid" VERBATIM)
add_custom_target(mode_inputs ALL DEPENDS "${mutants_dir}/small.nets" "${mutants_dir}/small.fluid")

set(mutants_examples "${PROJECT_SOURCE_DIR}/examples")
set(mutants_arguments_quakesquad --size 128 --citizens 60 --techs 10 --bombs 10 --walls 6 --frames 8 --settle 2 --threads 3)
set(mutants_arguments_canneal --exact --threads 3 --steps 3 --swaps 300 --chunk 4 "${mutants_dir}/small.nets")
set(mutants_arguments_fluidanimate --threads 3 --frames 2 "${mutants_dir}/small.fluid")
set(mutants_sources_quakesquad main.c engines.c)
# An annealing with checked locations: with --exact all are declared.
set(mutants_sources_canneal main.c engines.c annealing.c placement.c engine_svs.c)
set(mutants_sources_fluidanimate main.c engines.c)

# svs_add_mutant(name program mutated FILE): mutated stands for FILE; empty: none does.
function(svs_add_mutant name program mutated file)
    set(target mutant_${name})
    add_executable(${target} "${mutants_source}/world.c")
    if(TARGET ${program}_core)
        foreach(source IN LISTS mutants_sources_${program})
            if(NOT file STREQUAL "examples/${program}/${source}")
                target_sources(${target} PRIVATE "${mutants_examples}/${program}/${source}")
            endif()
        endforeach()
        target_link_libraries(${target} PRIVATE ${program}_core)
    elseif(NOT mutated)
        target_sources(${target} PRIVATE "${mutants_examples}/${program}.c")
    endif()
    target_sources(${target} PRIVATE ${mutated})
    target_include_directories(${target} PRIVATE "${mutants_examples}")
    if(program STREQUAL "canneal")
        target_compile_options(${target} PRIVATE -include "${mutants_source}/plain_fields.h")
    endif()
    target_link_libraries(${target} PRIVATE svs_internal)
    target_link_options(${target} PRIVATE "-Wl,--wrap=svs_world_new,--wrap=svs_runtime_new")
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
    _add_test(NAME check_finds.${name} COMMAND ${CMAKE_COMMAND} "-DRUN=$<TARGET_FILE:${target}>" "-DRULES=${ARGN}"
        "-DARGUMENTS=${mutants_arguments_${program}}" "-DSOURCES=${PROJECT_SOURCE_DIR}" "-DMUTATED=${mutated}"
        "-DREPORT=${mutants_dir}/${name}.json" -P "${mutants_source}/finds.cmake")
    svs_set_test_properties(check_finds.${name} check 120)
endfunction()

foreach(program IN ITEMS 01_hello 02_links 03_objects_by_index 04_graph 05_errors 06_async quakesquad canneal fluidanimate)
    svs_add_mutant(nothing_in_${program} ${program} "" "")
endforeach()

if(NOT SVS_BUILD_MUTANTS)
    return()
endif()
file(GLOB mutants CONFIGURE_DEPENDS "${mutants_source}/mutants/*.cmake")
foreach(rules IN LISTS mutants)
    cmake_path(GET rules STEM name)
    include("${rules}")
    svs_mutate("${rules}" mutated)
    svs_add_mutant(${name} ${PROGRAM} "${mutated}" "${FILE}" "${rules}")
endforeach()
