import type { Limit } from './limit.ts'

const mebibyte = 1024 * 1024

/** The limits of searches, of code but for `totalMs`. */
export const searchLimitTable = {
  concurrent: {
    value: 8,
    unit: 'requests',
    meaning: 'Searches of code, wikis and commits at a time.',
    outcome: 'The request waits; 429 if the queue is full.',
  },
  concurrentPerUser: {
    value: 4,
    unit: 'requests',
    meaning: 'Those of one user.',
    outcome: 'The same.',
  },
  waiting: {
    value: 128,
    unit: 'requests',
    meaning: 'Those that wait, a quarter of them of one user.',
    outcome: '429, with `Retry-After`.',
  },
  maxFileBytes: {
    value: 1 * mebibyte,
    unit: 'bytes',
    meaning: 'A file whose contents are searched.',
    outcome: 'A larger file is found by its path.',
  },
  maxChanges: {
    value: 100_000,
    unit: 'files',
    meaning: 'The files that a push changes, if the index is to follow it file by file.',
    outcome: 'The repository is indexed anew, unless it exceeds the limits of a list.',
  },
  stepFiles: {
    value: 2048,
    unit: 'files',
    meaning: 'The files that are indexed in one transaction.',
    outcome: 'Others follow in another transaction.',
  },
  stepBytes: {
    value: 8 * mebibyte,
    unit: 'bytes',
    meaning: 'The contents that are indexed in one transaction, without the last file of them.',
    outcome: 'The same.',
  },
  maxResults: {
    value: 1000,
    unit: 'entries',
    meaning: 'What all pages of a search of code have together.',
    outcome: 'Further pages are empty.',
  },
  totalMs: {
    value: 30,
    unit: 'milliseconds',
    meaning:
      'The time that a page of found issues, merge requests or comments waits for its total.',
    outcome: 'The page comes without a total.',
  },
  timeoutMs: {
    value: 15_000,
    unit: 'milliseconds',
    meaning: 'The time that git takes to search a commit or history that is not in the index.',
    outcome: 'The files that were found until then; 503 for commits.',
  },
  maxCandidates: {
    value: 200_000,
    unit: 'entries',
    meaning: 'The files or commits that a search looks up in the index.',
    outcome: 'No further results.',
  },
  maxReads: {
    value: 5000,
    unit: 'entries',
    meaning: 'The files or commits that a search reads, since they have the letters of the text.',
    outcome: 'No further results.',
  },
  engineStateMs: {
    value: 5000,
    unit: 'milliseconds',
    meaning: 'The time that an external search engine takes to say how far a project is indexed.',
    outcome: 'The project is searched by git.',
  },
  engineSearchMs: {
    value: 15_000,
    unit: 'milliseconds',
    meaning: 'The time that it takes for a part of a search.',
    outcome: '503; a project is searched by git.',
  },
  engineWriteMs: {
    value: 60_000,
    unit: 'milliseconds',
    meaning: 'The time that it takes to write a part of the index.',
    outcome: 'The job is repeated later.',
  },
  engineAnswerBytes: {
    value: 8 * mebibyte,
    unit: 'bytes',
    meaning: 'A response of an external search engine.',
    outcome: 'As without a response.',
  },
} as const satisfies Record<string, Limit>
