# Misuse that a program can commit, as tables that docs/misuse.md repeats. The cases that pass NULL are made from the public
# headers.
if(NOT SVS_PYTHON)
    return()
endif()
set(misuse_headers)
foreach(header IN ITEMS async explain graph measure object observe retain runtime task trace world)
    list(APPEND misuse_headers "${PROJECT_SOURCE_DIR}/include/svs/${header}.h")
endforeach()
set(misuse_nulls "${CMAKE_CURRENT_BINARY_DIR}/misuse_nulls.c")
add_custom_command(OUTPUT "${misuse_nulls}" COMMAND "${SVS_PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/nulls.py" ${misuse_headers}
    > "${misuse_nulls}" DEPENDS "${CMAKE_CURRENT_LIST_DIR}/nulls.py" ${misuse_headers} VERBATIM)
svs_add_test(NAME misuse LABEL unit SOURCES main.c setting.c runtimes.c asyncs.c worlds.c objects.c graphs.c bodies.c footprints.c
    ranks.c stealers.c bipartite.c events.c object_layers.c "${misuse_nulls}"
    ARGS "${PROJECT_SOURCE_DIR}/docs/misuse.md")
target_include_directories(test_misuse PRIVATE "${CMAKE_CURRENT_LIST_DIR}" "${PROJECT_SOURCE_DIR}/ranks/include")
