# The library through its public face.
foreach(room admission extents fresh order refinement)
    svs_add_test(NAME unit_face_${room} LABEL unit SOURCES ${room}.c)
endforeach()
