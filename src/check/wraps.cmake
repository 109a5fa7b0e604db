# The functions whose calls by the program's own code go through src/check: wraps_*.c and new.c.
set(svs_check_wraps
    memcpy memmove mempcpy memset bzero memcmp bcmp memchr __memcpy_chk __memmove_chk __memset_chk
    strlen strnlen strcpy stpcpy strncpy strcat strncat __strcpy_chk __strncpy_chk __strcat_chk
    strcmp strncmp strchr strrchr strstr strdup strndup
    qsort fread fwrite read write snprintf vsnprintf
    abort __assert_fail exit _exit
    sigaction signal __sysv_signal longjmp siglongjmp __longjmp_chk
    pthread_mutex_lock pthread_mutex_trylock pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_spin_lock sem_wait
    svs_check_stop_sized
    _Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZnwmSt11align_val_t _ZnamSt11align_val_t
    _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZdlPvSt11align_val_t _ZdaPvSt11align_val_t
    _ZdlPvmSt11align_val_t _ZdaPvmSt11align_val_t)
