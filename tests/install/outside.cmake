# One step of the installation test: install into a fresh prefix, then use the copy from outside in two ways.
set(prefix "${SVS_WORK_DIR}/prefix")

function(run)
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "failed (${result}): ${ARGV}")
    endif()
endfunction()

# The same, whatever comes of it: the caller's `result` and `output`.
macro(try)
    file(REMOVE_RECURSE "${SVS_WORK_DIR}/${SVS_STEP}")
    execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()

# Runs the built example and looks at what it says.
function(run_example program)
    execute_process(COMMAND ${ARGV} OUTPUT_VARIABLE output RESULT_VARIABLE result)
    message(STATUS "${program} says: ${output}")
    if(NOT result EQUAL 0 OR NOT output MATCHES "svs ${SVS_VERSION}: 1000 of 1000")
        message(FATAL_ERROR "${program}: status ${result}, and not what the example should say")
    endif()
endfunction()

if(SVS_STEP STREQUAL "install")
    file(REMOVE_RECURSE "${SVS_WORK_DIR}")
    run("${CMAKE_COMMAND}" --install "${SVS_BINARY_DIR}" --prefix "${prefix}")
    # With each page, its pictures, and the headers of include/svs that the pages name.
    set(installed "${prefix}/share/doc/svs")
    file(GLOB pages RELATIVE "${SVS_PROJECT_DIR}" "${SVS_PROJECT_DIR}/docs/*.md" "${SVS_PROJECT_DIR}/ranks/docs/*.md"
        "${SVS_PROJECT_DIR}/scan/docs/*.md")
    foreach(page IN LISTS pages)
        file(READ "${SVS_PROJECT_DIR}/${page}" text)
        string(REGEX MATCHALL "include/svs/[a-z_/]+\\.hp?p?" named "${text}")
        string(REGEX MATCHALL "\\([a-z-]+\\.(png|svg)" pictures "${text}") # a bracket would join items
        get_filename_component(folder "${page}" DIRECTORY)
        list(TRANSFORM named PREPEND "${prefix}/")
        list(TRANSFORM pictures REPLACE ".(.*)" "${installed}/${folder}/\\1")
        foreach(file IN LISTS named pictures ITEMS "${installed}/${page}")
            if(NOT EXISTS "${file}")
                message(FATAL_ERROR "${file} is not installed; ${page} names it")
            endif()
        endforeach()
    endforeach()
    if(NOT pages)
        message(FATAL_ERROR "no page was looked at")
    endif()
elseif(SVS_STEP STREQUAL "find_package")
    set(build "${SVS_WORK_DIR}/find_package")
    run("${CMAKE_COMMAND}" -S "${SVS_EXAMPLE_DIR}" -B "${build}" "-DCMAKE_PREFIX_PATH=${prefix}"
        "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}" "-DCMAKE_C_FLAGS=${SVS_FLAGS}" "-DCMAKE_BUILD_TYPE=${SVS_CONFIG}")
    # Not some other installation of this machine.
    file(STRINGS "${build}/CMakeCache.txt" found REGEX "^svs_DIR:")
    if(NOT found MATCHES "${prefix}")
        message(FATAL_ERROR "found ${found} instead of what is in ${prefix}")
    endif()
    run("${CMAKE_COMMAND}" --build "${build}")
    run_example("${build}/standalone")
elseif(SVS_STEP STREQUAL "pkg_config")
    set(build "${SVS_WORK_DIR}/pkg_config")
    # A moved copy: what is installed must not depend on where it was put first.
    file(REMOVE_RECURSE "${build}")
    file(COPY "${SVS_EXAMPLE_DIR}/" DESTINATION "${build}/source")
    file(COPY "${prefix}/" DESTINATION "${build}/moved")
    set(libraries "${build}/moved/${SVS_LIBDIR}")
    set(ENV{PKG_CONFIG_PATH} "${libraries}/pkgconfig")
    run(make -C "${build}/source" "CC=${SVS_C_COMPILER}" "CFLAGS=-O1 -g ${SVS_FLAGS}")
    run_example("${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${libraries}" "${build}/source/build/standalone")
    file(GLOB sources RELATIVE "${SVS_EXAMPLE_DIR}" "${SVS_EXAMPLE_DIR}/*")
    file(GLOB left RELATIVE "${build}/source" "${build}/source/*")
    list(REMOVE_ITEM left ${sources} build)
    if(left)
        message(FATAL_ERROR "make leaves files among the sources: ${left}")
    endif()
elseif(SVS_STEP STREQUAL "pkg_config_check")
    # The race check without CMake: compiled and linked in two commands, it finds the race of the example.
    set(build "${SVS_WORK_DIR}/race_check")
    file(MAKE_DIRECTORY "${build}")
    set(ENV{PKG_CONFIG_PATH} "${prefix}/${SVS_LIBDIR}/pkgconfig")
    set(ENV{LD_LIBRARY_PATH} "${prefix}/${SVS_LIBDIR}")
    run(sh -ec "'${SVS_C_COMPILER}' -O1 $(pkg-config --cflags svs-check) -c '${SVS_PROJECT_DIR}/examples/07_find_a_race.c' -o '${build}/race.o'
        '${SVS_C_COMPILER}' '${build}/race.o' $(pkg-config --libs svs-check) -o '${build}/race'")
    try("${build}/race" racy)
    if(NOT result EQUAL 66 OR NOT output MATCHES "race 1 of 1: two writes of counts.*07_find_a_race.c:[0-9]+")
        message(FATAL_ERROR "the race is not found: ${result}\n${output}")
    endif()
elseif(SVS_STEP STREQUAL "check_component")
    # A project that asks for the race check in a build with the compiler's own checker is refused, with the cure.
    try("${CMAKE_COMMAND}" -S "${SVS_CHECK_DIR}" -B "${SVS_WORK_DIR}/check_component" "-DCMAKE_PREFIX_PATH=${prefix}"
        "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}" "-DCMAKE_C_FLAGS=-fsanitize=thread")
    string(REGEX REPLACE "[ \n]+" " " output "${output}")
    if(result EQUAL 0 OR NOT output MATCHES "CMAKE_C_FLAGS has -fsanitize=thread.*take -fsanitize=thread out of CMAKE_C_FLAGS")
        message(FATAL_ERROR "not refused as it should be: ${result}\n${output}")
    endif()
elseif(SVS_STEP STREQUAL "check_notice")
    # A project that does not ask for it gets a notice and goes on.
    try("${CMAKE_COMMAND}" -S "${SVS_EXAMPLE_DIR}" -B "${SVS_WORK_DIR}/check_notice" "-DCMAKE_PREFIX_PATH=${prefix}"
        "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}" "-DCMAKE_C_FLAGS=-fsanitize=thread")
    if(NOT result EQUAL 0 OR NOT output MATCHES "CMAKE_C_FLAGS has -fsanitize=thread")
        message(FATAL_ERROR "no notice, or no success: ${result}\n${output}")
    endif()
elseif(SVS_STEP STREQUAL "check_left_out")
    # The project itself with such flags has no race check, and says why.
    try("${CMAKE_COMMAND}" -S "${SVS_PROJECT_DIR}" -B "${SVS_WORK_DIR}/check_left_out" -DSVS_BUILD_TESTS=OFF
        -DSVS_BUILD_EXAMPLES=OFF -DSVS_BUILD_BENCH=OFF -DSVS_BUILD_TOOLS=OFF
        "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}" "-DCMAKE_C_FLAGS=-fsanitize=thread")
    if(NOT result EQUAL 0 OR NOT output MATCHES "svs::check is left out: CMAKE_C_FLAGS has -fsanitize=thread")
        message(FATAL_ERROR "not left out, or no reason: ${result}\n${output}")
    endif()
elseif(SVS_STEP STREQUAL "ranks")
    # The distributed half, by find_package and by pkg-config.
    set(build "${SVS_WORK_DIR}/ranks")
    set(hello "${SVS_PROJECT_DIR}/ranks/examples/01_hello.c")
    string(REPLACE "," ";" mpis "${SVS_MPIS}")
    set(mpi_program "${SVS_PROJECT_DIR}/ranks/tests/transport/mpi.c")
    run("${CMAKE_COMMAND}" -S "${SVS_RANKS_DIR}" -B "${build}" "-DHELLO=${hello}" "-DCMAKE_PREFIX_PATH=${prefix}"
        "-DMPIS=${SVS_MPIS}" "-DMPI_PROGRAM=${mpi_program}"
        "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}" "-DCMAKE_C_FLAGS=${SVS_FLAGS}" "-DCMAKE_BUILD_TYPE=${SVS_CONFIG}")
    run("${CMAKE_COMMAND}" --build "${build}")
    set(ENV{PKG_CONFIG_PATH} "${prefix}/${SVS_LIBDIR}/pkgconfig")
    run(sh -c "${SVS_C_COMPILER} ${SVS_FLAGS} -std=c11 $(pkg-config --cflags svs-ranks) -o ${build}/by_pkg_config ${hello} $(pkg-config --libs svs-ranks) -pthread")
    foreach(program IN ITEMS hello by_pkg_config)
        execute_process(COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${prefix}/${SVS_LIBDIR}"
            "${build}/${program}" --transport local:4 OUTPUT_VARIABLE output RESULT_VARIABLE result)
        if(NOT result EQUAL 0 OR NOT output STREQUAL "rank 0 of 4 has heard 333 multiples of 3\n")
            message(FATAL_ERROR "${program}: status ${result}, and not what the example should say: ${output}")
        endif()
    endforeach()
    foreach(mpi IN LISTS mpis)
        run(sh -c "${SVS_C_COMPILER} ${SVS_FLAGS} -std=gnu11 $(pkg-config --cflags svs-ranks-${mpi}) -o ${build}/by_pkg_config_${mpi} ${mpi_program} $(pkg-config --libs svs-ranks-${mpi}) -pthread")
        foreach(program IN ITEMS over_${mpi} by_pkg_config_${mpi})
            execute_process(COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${prefix}/${SVS_LIBDIR}"
                bash "${SVS_PROJECT_DIR}/ranks/ranks.sh" ${mpi} 2 "${build}/${program}" OUTPUT_VARIABLE output RESULT_VARIABLE result)
            if(NOT result EQUAL 0 OR NOT output MATCHES "2 ranks: SVS_OK, 0 faults")
                message(FATAL_ERROR "${program}: status ${result}: ${output}")
            endif()
        endforeach()
    endforeach()
elseif(SVS_STEP STREQUAL "components")
    # A component that is not there is refused by its name, and with what to do. The second installation has the library alone.
    set(lone "${SVS_WORK_DIR}/lone")
    file(REMOVE_RECURSE "${lone}")
    file(COPY "${prefix}/${SVS_LIBDIR}/cmake" DESTINATION "${lone}/${SVS_LIBDIR}")
    file(GLOB targets "${lone}/${SVS_LIBDIR}/cmake/svs/svsTargets*.cmake")
    file(REMOVE ${targets})
    file(WRITE "${lone}/${SVS_LIBDIR}/cmake/svs/svsTargets.cmake" "add_library(svs::svs INTERFACE IMPORTED)\n")
    foreach(row IN ITEMS
            "${prefix}|rank|svs has no component 'rank': the components are check, ranks, ranks_openmpi, ranks_mpich and ranks_mpi"
            "${lone}|check|component 'check' of svs is not in this installation.*-DBUILD_SHARED_LIBS=ON -DSVS_BUILD_CHECK=ON"
            "${lone}|ranks|component 'ranks' of svs is not in this installation.*-DSVS_BUILD_RANKS=ON"
            "${lone}|ranks_openmpi|component 'ranks_openmpi' of.*libopenmpi-dev.*-DSVS_BUILD_MPI=ON"
            "${lone}|ranks_mpich|component 'ranks_mpich' of.*libmpich-dev.*-DSVS_BUILD_MPI=ON"
            "${lone}|ranks_mpi|component 'ranks_mpi' of.*libopenmpi-dev or libmpich-dev.*-DSVS_BUILD_MPI=ON")
        string(REPLACE "|" ";" row "${row}")
        list(POP_FRONT row where component words)
        try("${CMAKE_COMMAND}" -S "${SVS_COMPONENT_DIR}" -B "${SVS_WORK_DIR}/components" "-DCMAKE_PREFIX_PATH=${where}"
            "-DCOMPONENT=${component}" "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}")
        string(REGEX REPLACE "[ \n]+" " " output "${output}")
        if(result EQUAL 0 OR NOT output MATCHES "${words}")
            message(FATAL_ERROR "${component}: not refused as it should be: ${result}\n${output}")
        endif()
    endforeach()
    try("${CMAKE_COMMAND}" -S "${SVS_COMPONENT_DIR}" -B "${SVS_WORK_DIR}/components" "-DCMAKE_PREFIX_PATH=${lone}"
        "-DOPTIONAL=ranks" "-DCMAKE_C_COMPILER=${SVS_C_COMPILER}")
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "an optional component is missing, and the package is not found: ${output}")
    endif()
else()
    message(FATAL_ERROR "unknown step '${SVS_STEP}'")
endif()
