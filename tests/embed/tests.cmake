# SvS inside of other programs. The shared library is loaded at run time: by itself, below a plugin, and by a binding of
# another language. The sources are built by one command, and as a subproject.
get_target_property(svs_embed_type svs TYPE)
if(NOT svs_embed_type STREQUAL "SHARED_LIBRARY")
    message(STATUS "tests/embed is left out, as the library is static")
    return()
endif()
find_program(SVS_READELF NAMES readelf llvm-readelf)

add_executable(embed_load "${CMAKE_CURRENT_LIST_DIR}/load.c")
target_compile_features(embed_load PRIVATE c_std_11)
target_compile_definitions(embed_load PRIVATE _GNU_SOURCE)
target_include_directories(embed_load PRIVATE $<TARGET_PROPERTY:svs,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(embed_load PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
add_library(embed_plugin MODULE "${CMAKE_CURRENT_LIST_DIR}/plugin.c")
target_link_libraries(embed_plugin PRIVATE svs)
set_target_properties(embed_load embed_plugin PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")

add_test(NAME embed.library COMMAND embed_load library $<TARGET_FILE:svs>)
svs_set_test_properties(embed.library install 60)
add_test(NAME embed.plugin COMMAND embed_load plugin $<TARGET_FILE:embed_plugin>)
svs_set_test_properties(embed.plugin install 300)

# These do not allow for the additions of a sanitizer or of the coverage counters to the library.
if(SVS_SANITIZE OR SVS_COVERAGE)
    message(STATUS "the other tests of tests/embed are left out, as the library is instrumented")
    return()
endif()
if(SVS_READELF)
    add_test(NAME embed.tls COMMAND ${CMAKE_COMMAND} "-DLIBRARY=$<TARGET_FILE:svs>" "-DREADELF=${SVS_READELF}"
        -P "${CMAKE_CURRENT_LIST_DIR}/tls.cmake")
    svs_set_test_properties(embed.tls install 60)
else()
    message(STATUS "embed.tls is left out, as there is no readelf")
endif()
if(SVS_PYTHON)
    add_test(NAME embed.python COMMAND "${SVS_PYTHON}" "${PROJECT_SOURCE_DIR}/examples/bind.py" $<TARGET_FILE:svs>)
    svs_set_test_properties(embed.python install 60)
else()
    message(STATUS "embed.python is left out, as there is no python3")
endif()
foreach(step IN ITEMS one_line subproject)
    add_test(NAME embed.${step} COMMAND ${CMAKE_COMMAND} -DSTEP=${step} "-DSOURCE=${PROJECT_SOURCE_DIR}"
        "-DWORK=${PROJECT_BINARY_DIR}/tests/embed" "-DCOMPILER=${CMAKE_C_COMPILER}" "-DGENERATOR=${CMAKE_GENERATOR}"
        -P "${CMAKE_CURRENT_LIST_DIR}/embed.cmake")
    svs_set_test_properties(embed.${step} install 600)
endforeach()
