/**
 * Who holds the mutex of the writers next, of those that wait. The log comes first, as all others
 * make it longer; transactions have 0.
 */
export const checkpointPriority = 2

/** Merges of full-text tables, which a write would have to do later. */
export const mergePriority = 1
