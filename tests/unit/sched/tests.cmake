foreach(room dense freed gate harmless pending refined reserved turns)
    svs_add_test(NAME unit_sched_${room} LABEL unit SOURCES ${room}.c)
endforeach()
