// The same program, as C++17.
#include "face.c"
