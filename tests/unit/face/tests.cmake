# The library through its public face.
foreach(room admission asyncs body_asyncs for_each singles width extents fresh order ownership refinement failure memory
    repeat runs)
    svs_add_test(NAME unit_face_${room} LABEL unit SOURCES ${room}.c)
endforeach()
if(CMAKE_CXX_COMPILER)
    svs_add_test(NAME unit_face_cpp LABEL unit SOURCES cpp.cpp LIBRARY svs::svs)
endif()
