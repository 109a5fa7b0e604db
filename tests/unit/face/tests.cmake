# The library through its public face.
foreach(room admission asyncs for_each singles width extents fresh order refinement failure memory repeat runs)
    svs_add_test(NAME unit_face_${room} LABEL unit SOURCES ${room}.c)
endforeach()
