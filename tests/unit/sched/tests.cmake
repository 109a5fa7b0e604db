foreach(room dense gate harmless pending refined reserved)
    svs_add_test(NAME unit_sched_${room} LABEL unit SOURCES ${room}.c)
endforeach()
