# cmake -DINCLUDE=dir -DTO=dir -P grown.cmake: writes the headers of the next version to TO, in which each struct that may
# grow has one more member at its end.
set(structs
    runtime.h svs_runtime_options runtime.h svs_worker_statistics world.h svs_world_options world.h svs_world_statistics
    graph.h svs_graph_options graph.h svs_graph_statistics graph.h svs_report
    graph.h svs_for_each_options
    trace.h svs_trace_options trace.h svs_trace_statistics trace.h svs_replay_options retain.h svs_retained_statistics
    check.h svs_check_options check.h svs_check_summary)
set(headers ${structs})
list(FILTER headers INCLUDE REGEX "\\.h$")
list(REMOVE_DUPLICATES headers)
foreach(header IN LISTS headers)
    file(READ "${INCLUDE}/svs/${header}" text_${header})
endforeach()
while(structs)
    list(POP_FRONT structs header struct)
    string(REPLACE "\n} ${struct};" "\n    uint64_t added_later[4];\n} ${struct};" grown "${text_${header}}")
    if(grown STREQUAL text_${header})
        message(FATAL_ERROR "${struct} was not found in ${header}")
    endif()
    set(text_${header} "${grown}")
endwhile()
foreach(header IN LISTS headers)
    file(WRITE "${TO}/svs/${header}" "${text_${header}}")
endforeach()
