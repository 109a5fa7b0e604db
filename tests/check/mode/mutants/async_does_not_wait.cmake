# The program does not wait for the squares.
set(PROGRAM 06_async)
set(FILE examples/06_async.c)
set(OLD [==[
    svs_finish(async, square_all, numbers); /* all ten have ended when it returns */
]==])
set(NEW [==[
    square_all(async, numbers);
]==])
set(FINDS "race|examples/06_async.c|*number *= *number")
