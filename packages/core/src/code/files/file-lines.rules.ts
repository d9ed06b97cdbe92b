/** What is shown of a file as lines. */
export const fileLineLimits = {
  /** Bytes of the largest text that is shown. */
  bytes: 1024 * 1024,
  /** Lines, from the first. */
  lines: 10_000,
  /** Characters of a line, from the first. */
  lineLength: 2000,
} as const
