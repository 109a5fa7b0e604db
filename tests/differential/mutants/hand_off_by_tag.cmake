include("${CMAKE_CURRENT_LIST_DIR}/../../explore/mutants/hand_off_by_tag.cmake")
set(DIFFERENTIAL foreign)
