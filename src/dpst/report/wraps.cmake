# Calls of these functions by the program's own code go through src/dpst/report: wraps_*.c and new.c. base/c_library.def says of
# which svs scan knows what they access.
set(svs_c_library "${CMAKE_CURRENT_LIST_DIR}/../../base/c_library.def")
file(STRINGS "${svs_c_library}" svs_check_wraps REGEX "^WRAPPED\\(")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${svs_c_library}")
list(TRANSFORM svs_check_wraps REPLACE "^WRAPPED\\(([^,]+),.*$" "\\1")
list(APPEND svs_check_wraps
    __memcpy_chk __memmove_chk __memset_chk __strcpy_chk __strncpy_chk __strcat_chk qsort mmap mmap64 munmap mremap
    __printf_chk __vprintf_chk __fprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk __sprintf_chk __vsprintf_chk
    __snprintf_chk __vsnprintf_chk __asprintf_chk __vasprintf_chk pthread_once call_once __cxa_guard_acquire
    __cxa_guard_release __cxa_guard_abort _exit sigaction signal __sysv_signal longjmp siglongjmp __longjmp_chk
    pthread_mutex_lock pthread_mutex_trylock pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_spin_lock sem_wait
    svs_check_stop_sized svs_object_new
    _Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZnwmSt11align_val_t _ZnamSt11align_val_t
    _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdaPvSt11align_val_t
    _ZdlPvmSt11align_val_t _ZdaPvmSt11align_val_t)
