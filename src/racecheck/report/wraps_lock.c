/* What orders steps besides asyncs and finishes: the check does not know such orders, and says so
 * when it has seen any (wraps.h). */
#include "racecheck/report/start.h"
#include "racecheck/report/wraps.h"
#include <semaphore.h>

#define LOCKS(name, parameters)                                                                    \
    WRAP(int, name, parameters) {                                                                  \
        if (svs__check_self->step != 0) svs__check_saw_lock();                                     \
        return svs__real_##name(lock);                                                             \
    }
LOCKS(pthread_mutex_lock, (pthread_mutex_t * lock))
LOCKS(pthread_mutex_trylock, (pthread_mutex_t * lock))
LOCKS(pthread_rwlock_rdlock, (pthread_rwlock_t * lock))
LOCKS(pthread_rwlock_wrlock, (pthread_rwlock_t * lock))
LOCKS(pthread_spin_lock, (pthread_spinlock_t * lock))
LOCKS(sem_wait, (sem_t * lock))
