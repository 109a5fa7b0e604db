# cmake -DGENERATOR=g -DSOURCE=project -DPACKAGE=build -DWORK=folder -P build.cmake: builds the project, and counts what is
# scanned and compiled when nothing, a source or a header has changed, and what is noted; then a build without scanning.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${WORK}")
file(COPY "${SOURCE}/" DESTINATION "${WORK}/source")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${PACKAGE}" --prefix "${WORK}/prefix" OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)

# configure(folder arguments...)
function(configure folder)
    execute_process(COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${WORK}/source" -B "${WORK}/${folder}"
        "-DCMAKE_PREFIX_PATH=${WORK}/prefix" ${ARGN}
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "configuring failed:\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# build(folder scans links compilations): how often each must occur.
function(build folder scans links compilations)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${WORK}/${folder}"
        OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "the build failed:\n${output}")
    endif()
    foreach(pair IN ITEMS "Scanning [a-z]+[.]c=${scans}" "Making touch functions=${links}"
            "Building C object=${compilations}")
        string(REGEX REPLACE "=.*" "" pattern "${pair}")
        string(REGEX REPLACE ".*=" "" wanted "${pair}")
        string(REGEX MATCHALL "${pattern}" found "${output}")
        list(LENGTH found count)
        if(NOT count EQUAL wanted)
            message(FATAL_ERROR "'${pattern}' occurs ${count} times instead of ${wanted}:\n${output}")
        endif()
    endforeach()
    execute_process(COMMAND "${WORK}/${folder}/program" OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    if(NOT said STREQUAL "sum 0, 4000 moves, 501\n")
        message(FATAL_ERROR "the program says: ${said}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# edit(file text): a later modification time than everything that was built
function(edit file text)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E sleep 1.1)
    file(APPEND "${WORK}/source/${file}" "${text}\n")
endfunction()

configure(scanned)
build(scanned 2 1 2)
file(READ "${WORK}/scanned/program.scanned/main.c.svs.h" header)
if(NOT header MATCHES "svs_writes[(]f, item->from[)]" OR header MATCHES "everything")
    message(FATAL_ERROR "the helper in the other file is not in the footprint:\n${header}")
endif()
build(scanned 0 0 0)
edit(more.c "/* one more line */")
build(scanned 1 1 1)
edit(shared.h "/* one more line */")
build(scanned 2 1 2)
build(scanned 0 0 0)
file(READ "${WORK}/source/more.c" text)
string(REPLACE "static svs_status" "static account *last;\nstatic svs_status" text "${text}")
string(REPLACE "account_add(v->visited" "last = v->visited;\n    account_add(last" text "${text}")
file(WRITE "${WORK}/source/more.c" "${text}")
edit(more.c "")
build(scanned 1 1 1)
if(NOT output MATCHES "more[.]c:[0-9]+:[0-9]+: note: visit: names everything")
    message(FATAL_ERROR "the notes do not have the address that is not known:\n${output}")
endif()

configure(alone -DSVS_SCAN=OFF)
if(NOT output MATCHES "the scanned tasks of program run alone")
    message(FATAL_ERROR "nothing is said of tasks that run alone:\n${output}")
endif()
build(alone 0 0 2)
