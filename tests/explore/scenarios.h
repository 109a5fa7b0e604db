/* All scenarios, for whoever defines EXPLORE_SCENARIO(name). */
EXPLORE_SCENARIO(lock)
EXPLORE_SCENARIO(parking)
EXPLORE_SCENARIO(deque)
EXPLORE_SCENARIO(finish)
EXPLORE_SCENARIO(finish_nested)
EXPLORE_SCENARIO(workfirst)
EXPLORE_SCENARIO(runtime)
