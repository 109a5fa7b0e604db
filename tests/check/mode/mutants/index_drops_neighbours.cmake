# Dropped declarations, of indices: drops that wet one cell race.
set(PROGRAM 03_objects_by_index)
set(FILE examples/03_objects_by_index.c)
set(OLD [==[
    for (int k = 0; k < 9; k++) svs_writes_at(]==])
set(NEW [==[
    for (int k = 0; k < 1; k++) svs_writes_at(]==])
set(FINDS "race|examples/03_objects_by_index.c|water@cell(d, k % 3 - 1, k / 3 - 1)@++")
