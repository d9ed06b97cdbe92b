/** The most levels of epics, from one without a parent to one without children. */
export const maxEpicLevels = 5
