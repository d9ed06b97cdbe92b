import type { Limit } from './limit.ts'

const mebibyte = 1024 * 1024
const second = 1000

/** The limits of walks through the history that calls don't wait for to the end. */
export const walkLimitTable = {
  lastCommits: {
    waitMs: {
      value: second / 2,
      unit: 'milliseconds',
      meaning: 'The time that a call waits for the last commits of the entries of a folder.',
      outcome: 'Entries that were not found have none; the search goes on for later calls.',
    },
    timeoutMs: {
      value: 20 * second,
      unit: 'milliseconds',
      meaning: 'The time of that search.',
      outcome: 'The other entries have none for ten minutes.',
    },
    maxOutputBytes: {
      value: 256 * mebibyte,
      unit: 'bytes',
      meaning: 'The changes that it reads, about 150 bytes for each of a file or folder.',
      outcome: 'The other entries have none.',
    },
  },
  divergence: {
    waitMs: {
      value: second / 2,
      unit: 'milliseconds',
      meaning: 'The time that a call waits for how far branches are from the default branch.',
      outcome: 'No counts for those that are left; counting goes on for later calls.',
    },
    timeoutMs: {
      value: 10 * second,
      unit: 'milliseconds',
      meaning: 'The time of counting one of them.',
      outcome: 'No counts of it for ten minutes.',
    },
  },
} as const satisfies Record<string, Record<string, Limit>>
