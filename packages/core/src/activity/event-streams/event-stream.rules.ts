/** The longest time that a stream of events stays open, in seconds. */
export const maxStreamSeconds = 3600
