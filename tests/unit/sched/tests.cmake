foreach(room dense gate harmless pending refined)
    svs_add_test(NAME unit_sched_${room} LABEL unit SOURCES ${room}.c)
endforeach()
