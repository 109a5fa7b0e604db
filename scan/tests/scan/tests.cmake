# svs scan. Its tests need clang; without it they are left out.
find_program(SVS_SCAN_CLANG NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14
    DOC "clang, with which svs scan reads sources")
if(NOT TARGET svs_command OR NOT SVS_SCAN_CLANG OR NOT SVS_PYTHON)
    message(STATUS "scan/tests/scan: left out, as clang, python3 or the command svs is missing")
    return()
endif()
set(scan_work "${PROJECT_BINARY_DIR}/tests/scan")
set(scan_flags "")
set(scan_random 100)  # programs; scan.drawn has thousands
set(scan_damaged 100) # inputs, of each program and kind
if(SVS_SANITIZE)
    set(scan_random 50)
    set(scan_damaged 50)
    set(scan_flags "--flags=-fsanitize=${SVS_SANITIZE}" "--flags=-fno-sanitize=signed-integer-overflow,shift")
elseif(NOT SVS_COVERAGE)
    set(scan_flags "--flags=-fsanitize=address,undefined" "--flags=-fno-sanitize=signed-integer-overflow,shift")
endif()

# clang, which reads the sample of each scan once.
add_executable(scan_clang "${CMAKE_CURRENT_LIST_DIR}/clang.c")
target_compile_definitions(scan_clang PRIVATE _GNU_SOURCE "CLANG=\"${SVS_SCAN_CLANG}\"" "KEPT=\"${scan_work}/sample\"")
set(scan_clang $<TARGET_FILE:scan_clang>)

# Sanitized random programs compile in half the time with clang, if its sanitizers are installed.
set(scan_cc ${CMAKE_C_COMPILER})
if(NOT SVS_SANITIZE AND NOT SVS_COVERAGE)
    file(WRITE "${scan_work}/empty.c" "int main(void) { return 0; }\n")
    execute_process(COMMAND ${SVS_SCAN_CLANG} -fsanitize=address,undefined "${scan_work}/empty.c" -o "${scan_work}/empty"
        RESULT_VARIABLE scan_status OUTPUT_QUIET ERROR_QUIET)
    if(scan_status EQUAL 0)
        set(scan_cc ${SVS_SCAN_CLANG})
    endif()
endif()

# What the scan finds reaches the library: fewer implicit dependencies, and refusals.
foreach(program IN ITEMS six touch)
    add_executable(scan_pairs_${program} "${CMAKE_CURRENT_LIST_DIR}/pairs/${program}.c")
    target_link_libraries(scan_pairs_${program} PRIVATE svs::svs)
    svs_add_tasks(scan_pairs_${program} SOURCES "${CMAKE_CURRENT_LIST_DIR}/pairs/${program}.c")
    add_test(NAME scan.pairs_${program} COMMAND scan_pairs_${program})
    svs_set_test_properties(scan.pairs_${program} unit 60)
endforeach()

# A build that compares: the bytes that a body accesses, and its footprint names no place of, are reported with their line.
if(TARGET svs::check)
    foreach(program IN ITEMS right damaged)
        add_executable(scan_translated_${program} "${CMAKE_CURRENT_LIST_DIR}/translated.c")
        target_link_libraries(scan_translated_${program} PRIVATE svs::svs)
        svs_add_tasks(scan_translated_${program} SOURCES "${CMAKE_CURRENT_LIST_DIR}/translated.c" COMPARE)
    endforeach()
    target_compile_definitions(scan_translated_damaged PRIVATE DAMAGED)
    if(NOT SVS_CHECK_MODE)
        add_test(NAME scan.translated_right COMMAND ${CMAKE_COMMAND} -DSTATUS=0 "-DOUTPUT=^64" "-DERROR=^$"
            -P "${PROJECT_SOURCE_DIR}/cmake/expect.cmake" -- $<TARGET_FILE:scan_translated_right>)
        svs_set_test_properties(scan.translated_right unit 60)
        add_test(NAME scan.translated_damaged COMMAND ${CMAKE_COMMAND} -DSTATUS=66 "-DOUTPUT=^64"
            "-DERROR=writes, in run.*step_run .*translated.c:13.*bytes 56 to 63 of the variable cells" -P "${PROJECT_SOURCE_DIR}/cmake/expect.cmake"
            -- $<TARGET_FILE:scan_translated_damaged>)
        svs_set_test_properties(scan.translated_damaged unit 60)
    endif()
endif()

# The race check changes nothing in the tool.
if(SVS_CHECK_MODE)
    return()
endif()

# Random programs are the acceptance test: what the bodies access lies in what the generated touch functions name.
if(NOT SVS_SANITIZE MATCHES "thread")
    add_test(NAME scan.random COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/random_programs.py"
        --svs $<TARGET_FILE:svs_command> --clang ${scan_clang} --cc ${scan_cc}
        --include "${PROJECT_SOURCE_DIR}/include" --library $<TARGET_FILE_DIR:svs> --work "${scan_work}/random"
        --count ${scan_random} ${scan_flags})
    svs_set_test_properties(scan.random property 600)
endif()

# Programs drawn from the grammar of C, and code of Debian's source packages: the compiled bodies log their bytes. Both are
# compiled by clang, with sanitizers of their own; the library is linked as it is.
if(NOT SVS_SANITIZE AND NOT SVS_COVERAGE AND NOT SVS_CHECK_MODE)
    add_test(NAME scan.drawn COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/drawn.py"
        --svs $<TARGET_FILE:svs_command> --clang ${scan_clang} --include "${PROJECT_SOURCE_DIR}/include"
        --library $<TARGET_FILE_DIR:svs> --work "${scan_work}/drawn" --count 5000 --batch 100 --jobs 1)
    svs_set_test_properties(scan.drawn property 900) # on one processor, alongside other tests
    add_test(NAME scan.real COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/real.py"
        --svs $<TARGET_FILE:svs_command> --clang ${scan_clang} --include "${PROJECT_SOURCE_DIR}/include"
        --library $<TARGET_FILE_DIR:svs> --work "${scan_work}/real")
    svs_set_test_properties(scan.real property 900)
endif()

# One construct each: the touch function that comes of it, or the message, with its place.
add_test(NAME scan.cases COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/cases.py"
    --svs $<TARGET_FILE:svs_command> --clang ${scan_clang} --cc ${CMAKE_C_COMPILER}
    --include "${PROJECT_SOURCE_DIR}/include" --work "${scan_work}/cases")
svs_set_test_properties(scan.cases unit 300)

# The table of constructs: the page has it, the code follows it, and each row counts.
add_executable(scan_rows "${CMAKE_CURRENT_LIST_DIR}/rows.c" "${CMAKE_CURRENT_LIST_DIR}/main.c"
    "$<FILTER:$<FILTER:$<TARGET_OBJECTS:svs_command>,INCLUDE,/scan/>,EXCLUDE,/kinds[.]>")
target_compile_definitions(scan_rows PRIVATE _GNU_SOURCE)
target_include_directories(scan_rows PRIVATE "${PROJECT_SOURCE_DIR}/scan/src" "${PROJECT_SOURCE_DIR}/tools")
if(NOT SVS_SANITIZE AND NOT SVS_COVERAGE)
    add_test(NAME scan.table COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/table.py"
        --rows $<TARGET_FILE:scan_rows> --clang ${scan_clang} --include "${PROJECT_SOURCE_DIR}/include"
        --page "${PROJECT_SOURCE_DIR}/scan/docs/scan.md" --work "${scan_work}/table")
    svs_set_test_properties(scan.table unit 900)
endif()

# Hand-written touch functions: what is missing, and what is not.
add_test(NAME scan.held COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/held.py"
    --svs $<TARGET_FILE:svs_command> --clang ${scan_clang} --cc ${CMAKE_C_COMPILER}
    --include "${PROJECT_SOURCE_DIR}/include" --work "${scan_work}/held")
svs_set_test_properties(scan.held unit 300)

# The points-to solver, against the rules of the thesis one by one, and as SWI-Prolog applies them.
find_program(SVS_PROLOG swipl DOC "SWI-Prolog, with which the points-to analysis of svs scan is compared")
set(scan_prolog "")
if(SVS_PROLOG)
    set(scan_prolog --prolog ${SVS_PROLOG})
else()
    message(STATUS "scan/tests/scan: the points-to analysis is not compared with SWI-Prolog, as there is no swipl")
endif()
add_executable(scan_points "${CMAKE_CURRENT_LIST_DIR}/points.c" "${PROJECT_SOURCE_DIR}/scan/src/scan/points/points.c"
    "${PROJECT_SOURCE_DIR}/scan/src/scan/base.c")
svs_configure_library(scan_points PRIVATE)
target_include_directories(scan_points PRIVATE "${PROJECT_SOURCE_DIR}/scan/src" "${PROJECT_SOURCE_DIR}/tools")
add_test(NAME scan.points COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/points.py" --solver $<TARGET_FILE:scan_points>
    --work "${scan_work}/points" ${scan_prolog})
svs_set_test_properties(scan.points property 300)

# Pairs of tasks: independent, or why not.
add_test(NAME scan.pairs COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/pairs.py"
    --svs $<TARGET_FILE:svs_command> --clang ${scan_clang} --cc ${CMAKE_C_COMPILER}
    --include "${PROJECT_SOURCE_DIR}/include" --work "${scan_work}/pairs")
svs_set_test_properties(scan.pairs unit 300)

# Faults in hand-written touch functions: told by the scan, or in a build that compares.
if(NOT SVS_SANITIZE AND NOT SVS_COVERAGE)
    foreach(programs IN ITEMS lessons quakesquad canneal fluidanimate)
        add_test(NAME scan.written_${programs} COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/written.py"
            --svs $<TARGET_FILE:svs_command> --clang ${scan_clang} --cc ${CMAKE_C_COMPILER}
            --include "${PROJECT_SOURCE_DIR}/include" --library $<TARGET_FILE_DIR:svs>
            --work "${scan_work}/written_${programs}" --examples "${PROJECT_SOURCE_DIR}/examples" --only ${programs})
        svs_set_test_properties(scan.written_${programs} property 600)
    endforeach()
endif()

# The touch functions of the ports that are written by hand, beside the slices in each instance: nothing is reported.
if(SVS_BUILD_EXAMPLES)
    add_test(NAME scan.compared COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/compared.py"
        --programs $<TARGET_FILE_DIR:scan_compare_quakesquad> --work "${scan_work}/compared")
    svs_set_test_properties(scan.compared property 300)
endif()

# The accesses of the lessons' footprints, by hand and by the slice, as scan/docs/scan.md has them.
if(SVS_BUILD_EXAMPLES)
    add_test(NAME scan.counts COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/counts.py"
        --programs $<TARGET_FILE_DIR:scan_compare_01_hello> --page "${PROJECT_SOURCE_DIR}/scan/docs/scan.md")
    svs_set_test_properties(scan.counts property 300)
endif()

# The same of each clang that is found.
add_test(NAME scan.clangs COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/clangs.py"
    --svs $<TARGET_FILE:svs_command> --clang ${SVS_SCAN_CLANG} --include "${PROJECT_SOURCE_DIR}/include"
    --examples "${PROJECT_SOURCE_DIR}/examples" --work "${scan_work}/clangs")
svs_set_test_properties(scan.clangs property 300)

# A large program: the memory of each process, and the same result at once and in steps.
if(NOT SVS_SANITIZE AND NOT SVS_COVERAGE)
    add_test(NAME scan.large COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/large.py"
        --svs $<TARGET_FILE:svs_command> --clang ${SVS_SCAN_CLANG}
        --include "${PROJECT_SOURCE_DIR}/include" --work "${scan_work}/large")
    svs_set_test_properties(scan.large property 300)
endif()

# The touch functions of the ports that are written by hand, held against the bodies: none misses an access, and what
# quakesquad's blast reaches is proved.
function(scan_hold name output)
    list(TRANSFORM ARGN PREPEND "${PROJECT_SOURCE_DIR}/examples/${name}/")
    file(MAKE_DIRECTORY "${scan_work}/held_${name}")
    add_test(NAME scan.held_${name} COMMAND ${CMAKE_COMMAND} -DSTATUS=0 "-DOUTPUT=${output}" "-DERROR=^$"
        -P "${PROJECT_SOURCE_DIR}/cmake/expect.cmake" -- $<TARGET_FILE:svs_command> scan --notes --clang ${scan_clang}
        -o "${scan_work}/held_${name}" ${ARGN} -- "-I${PROJECT_SOURCE_DIR}/include" "-I${PROJECT_BINARY_DIR}/include"
        "-I${PROJECT_SOURCE_DIR}/examples" "-I${PROJECT_SOURCE_DIR}/examples/${name}" -D_GNU_SOURCE)
    svs_set_test_properties(scan.held_${name} unit 300)
endfunction()
scan_hold(quakesquad "blast: proved" engine_svs.c blast.c plan.c sight.c step.c world.c)
scan_hold(canneal "swap: not proved" engine_svs.c annealing.c placement.c)
scan_hold(fluidanimate "gather: not proved" engine_svs.c advance.c fluid.c pairs.c rebuild.c)

# A clang that is missing or too old, and trees that break off.
add_test(NAME scan.front COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/front.py"
    --svs $<TARGET_FILE:svs_command> --clang ${SVS_SCAN_CLANG}
    --include "${PROJECT_SOURCE_DIR}/include" --work "${scan_work}/front")
svs_set_test_properties(scan.front unit 300)

# Damaged trees and facts.
add_executable(scan_damaged "${CMAKE_CURRENT_LIST_DIR}/damaged.c"
    "$<FILTER:$<FILTER:$<TARGET_OBJECTS:svs_command>,INCLUDE,/scan/>,EXCLUDE,/clang_find[.]>")
target_compile_definitions(scan_damaged PRIVATE _GNU_SOURCE)
target_include_directories(scan_damaged PRIVATE "${PROJECT_SOURCE_DIR}/scan/src" "${PROJECT_SOURCE_DIR}/tools")
add_test(NAME scan.damaged COMMAND ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/damaged.py"
    --svs $<TARGET_FILE:svs_command> --damaged $<TARGET_FILE:scan_damaged> --clang ${SVS_SCAN_CLANG}
    --include "${PROJECT_SOURCE_DIR}/include" --work "${scan_work}/damaged" --count ${scan_damaged})
svs_set_test_properties(scan.damaged unit 300)

# Builds of a project with svs_add_tasks(): what is scanned again, and a build without scanning.
if(NOT SVS_SANITIZE)
    foreach(generator IN ITEMS "Ninja" "Unix Makefiles")
        string(MAKE_C_IDENTIFIER "${generator}" name)
        add_test(NAME scan.build_${name} COMMAND ${CMAKE_COMMAND} "-DGENERATOR=${generator}"
            "-DSOURCE=${CMAKE_CURRENT_LIST_DIR}/project" "-DPACKAGE=${PROJECT_BINARY_DIR}" "-DWORK=${scan_work}/${name}"
            -P "${CMAKE_CURRENT_LIST_DIR}/build.cmake")
        svs_set_test_properties(scan.build_${name} install 300)
    endforeach()
endif()

# Faults in the rules of the slice (tests/mutants/scan.diff): random programs must find each of them.
if(SVS_BUILD_MUTANTS AND NOT SVS_SANITIZE AND NOT SVS_COVERAGE)
    include("${PROJECT_SOURCE_DIR}/tests/mutants/sources.cmake")
    file(GLOB_RECURSE scan_sources RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/scan/src/scan/*.c")
    set(scan_mutated "")
    foreach(line IN LISTS svs_mutants)
        separate_arguments(line UNIX_COMMAND "${line}")
        list(POP_FRONT line name kind net what)
        if(kind STREQUAL "scan")
            list(APPEND scan_mutated ${line})
            set(script random_programs --library $<TARGET_FILE_DIR:svs> --count 600 --batch 5 ${scan_flags})
            if(net MATCHES "^(held|cases)$")
                set(script ${net})
            endif()
            list(POP_FRONT script file)
            add_test(NAME mutant_${name}.${net} COMMAND ${SVS_PYTHON} "${svs_mutants_script}" run ${name} ${net} ${what}
                ${SVS_PYTHON} "${CMAKE_CURRENT_LIST_DIR}/${file}.py"
                --svs $<TARGET_FILE:mutants_scan> --clang ${scan_clang} --cc ${scan_cc}
                --include "${PROJECT_SOURCE_DIR}/include" --work "${scan_work}/${name}" ${script})
            svs_set_test_properties(mutant_${name}.${net} property 900)
        endif()
    endforeach()
    list(REMOVE_DUPLICATES scan_mutated)
    list(REMOVE_ITEM scan_sources ${scan_mutated})
    list(TRANSFORM scan_sources PREPEND "${PROJECT_SOURCE_DIR}/")
    add_executable(mutants_scan "${svs_mutants_dir}/switch.c" "${CMAKE_CURRENT_LIST_DIR}/main.c" ${scan_sources})
    foreach(file IN LISTS scan_mutated)
        svs_write_mutated("${svs_mutants_dir}/${file}" source "${file}")
        target_sources(mutants_scan PRIVATE "${svs_mutants_dir}/${file}")
    endforeach()
    target_compile_definitions(mutants_scan PRIVATE _GNU_SOURCE)
    target_compile_options(mutants_scan PRIVATE -w)
    target_include_directories(mutants_scan PRIVATE "${PROJECT_SOURCE_DIR}/scan/src" "${PROJECT_SOURCE_DIR}/tools" "${PROJECT_SOURCE_DIR}/src")
    set_target_properties(mutants_scan PROPERTIES OUTPUT_NAME svs_scan RUNTIME_OUTPUT_DIRECTORY "${svs_mutants_dir}")
endif()
