#include "worksteal/place.h"
#include <pthread.h>

/* ThreadSanitizer keeps abandoned frames, two or three for each call, and has room for 65,536 in a
 * fiber; its reports list some of them below the running frames. Making a new fiber takes
 * milliseconds. */
#define CALLS_OF_FIBER 4096u

void svs__place_of_thread(svs__place *place) {
    (void)place;
#if defined(SVS__ADDRESS_SANITIZER)
    pthread_attr_t attributes;
    void *low = NULL;
    size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        (void)pthread_attr_getstack(&attributes, &low, &bytes);
        (void)pthread_attr_destroy(&attributes);
    }
    if (place->low != low || place->bytes != bytes) {
        svs__place_detach(place);
        if (low != NULL) __lsan_register_root_region(low, bytes);
    }
    place->low = low;
    place->bytes = bytes;
#endif
    if (SVS__PLACE_HAS_FIBER()) place->fiber = svs__program_fiber_self();
}

void svs__place_detach(svs__place *place) {
    (void)place;
#if defined(SVS__ADDRESS_SANITIZER)
    if (place->low != NULL) __lsan_unregister_root_region(place->low, place->bytes);
    place->low = NULL;
    place->bytes = 0;
#endif
}

void svs__place_init(svs__place *place, void *low, size_t bytes) {
    (void)low, (void)bytes;
#if defined(SVS__ADDRESS_SANITIZER)
    place->low = low;
    place->bytes = bytes;
    __lsan_register_root_region(low, bytes);
#endif
    place->abandoned = 0;
    place->fiber = place->own_fiber = NULL;
}

void svs__place_clean_up(svs__place *place) {
    svs__place_detach(place);
    if (SVS__PLACE_HAS_FIBER() && place->own_fiber != NULL)
        svs__program_fiber_free(place->own_fiber);
}

void svs__place_abandon(svs__place *place, void *low, size_t bytes) {
    (void)place, (void)low, (void)bytes;
#if defined(SVS__ADDRESS_SANITIZER)
    __asan_unpoison_memory_region(low, bytes);
#endif
    if (!SVS__PLACE_HAS_FIBER()) return;
    if (++place->abandoned == CALLS_OF_FIBER) {
        svs__program_fiber_free(place->own_fiber);
        place->own_fiber = NULL;
        place->abandoned = 0;
    }
    place->fiber = place->own_fiber;
}
