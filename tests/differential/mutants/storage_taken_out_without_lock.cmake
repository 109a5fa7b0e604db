include("${CMAKE_CURRENT_LIST_DIR}/../../explore/mutants/storage_taken_out_without_lock.cmake")
set(DIFFERENTIAL outside)
