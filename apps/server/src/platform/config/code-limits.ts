import { readLimits } from '@stithy/git'
import { type Limit, refused, tooSlow } from './limit.ts'
import { archiveLimitTable, rawDiffLimitTable } from './output-limits.ts'
import { searchLimitTable } from './search-limits.ts'
import { walkLimitTable } from './walk-limits.ts'
import { wikiLimitTable } from './wiki-limits.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const second = 1000

const tooMuchMemory = '422, which is remembered: the next call costs nothing.'

/**
 * Every limit of a request or job that reads code, by what is read. They are far above what source
 * code needs: a few objects can stand for a tree, a diff or a history of any size.
 */
export const codeLimitTable = {
  object: {
    maxBytes: {
      value: readLimits.objectBytes,
      unit: 'bytes',
      meaning: 'A commit, tag or folder, and a file that is read into memory.',
      outcome: 'The start of a commit or tag, 413 for a folder; a larger file is streamed.',
    },
    listedMessageBytes: {
      value: readLimits.listedMessageBytes,
      unit: 'bytes',
      meaning: 'The message of each commit or tag in a list, a comparison or a blame.',
      outcome: 'The start of the message, and an ellipsis.',
    },
    messageBytes: {
      value: readLimits.messageBytes,
      unit: 'bytes',
      meaning: 'The message of a commit or tag that is requested alone.',
      outcome: 'The start of the message, and an ellipsis.',
    },
    fieldLength: {
      value: readLimits.fieldLength,
      unit: 'characters',
      meaning: 'The name and e-mail address of a person, and the title of a commit.',
      outcome: 'The start of the text, and an ellipsis.',
    },
    parents: {
      value: readLimits.parents,
      unit: 'parents',
      meaning: 'The parents of a commit.',
      outcome: 'The first ones.',
    },
  },
  process: {
    memoryBytes: {
      value: readLimits.processMemoryBytes,
      unit: 'bytes',
      meaning: 'The memory of each git process that reads trees, diffs or histories.',
      outcome: tooMuchMemory,
    },
    cpuSeconds: {
      value: readLimits.processSeconds,
      unit: 'seconds',
      meaning: 'The processor time of such a process.',
      outcome: tooSlow,
    },
    perRepository: {
      value: readLimits.slowReads,
      unit: 'processes',
      meaning: 'Such processes in one repository at a time; equal requests share one.',
      outcome: 'The request waits.',
    },
  },
  stats: {
    timeoutMs: {
      value: readLimits.statsMs,
      unit: 'milliseconds',
      meaning: 'The time of counting the changed lines of one commit, or of a page of commits.',
      outcome: 'No `stats` of the commits that are left.',
    },
  },
  ...walkLimitTable,
  tree: {
    timeoutMs: {
      value: 30 * second,
      unit: 'milliseconds',
      meaning: 'The time of listing a folder recursively, and of reading languages.',
      outcome: tooSlow,
    },
    maxEntries: {
      value: 1_000_000,
      unit: 'entries',
      meaning: 'Files and folders of a recursive list, and of the files whose languages are read.',
      outcome: refused,
    },
    maxOutputBytes: {
      value: 128 * mebibyte,
      unit: 'bytes',
      meaning: 'All paths of such a list, and about 60 bytes for each.',
      outcome: refused,
    },
  },
  file: {
    maxEncodedBytes: {
      value: 32 * mebibyte,
      unit: 'bytes',
      meaning: 'A file or blob in base64.',
      outcome: '413; the raw endpoints stream a file of any size.',
    },
  },
  archive: archiveLimitTable,
  blame: {
    timeoutMs: {
      value: 30 * second,
      unit: 'milliseconds',
      meaning: 'The time of a blame.',
      outcome: tooSlow,
    },
    maxOutputBytes: {
      value: 32 * mebibyte,
      unit: 'bytes',
      meaning: 'The lines of the file, and about 60 bytes for each.',
      outcome: refused,
    },
    maxCommitBytes: {
      value: 64 * mebibyte,
      unit: 'bytes',
      meaning: 'The commits of the lines, each once; and their messages, each for every range.',
      outcome: '413.',
    },
  },
  compare: {
    maxCommits: {
      value: 5000,
      unit: 'commits',
      meaning: 'The commits of a comparison.',
      outcome: 'The newest, with `compare_timeout`.',
    },
    maxCommitBytes: {
      value: 16 * mebibyte,
      unit: 'bytes',
      meaning: 'The commits of a comparison as git stores them.',
      outcome: 'The newest, with `compare_timeout`.',
    },
    maxFiles: {
      value: 1000,
      unit: 'files',
      meaning: 'The changed files of a comparison.',
      outcome: 'The first, with `compare_timeout`.',
    },
  },
  contributors: {
    timeoutMs: {
      value: 60 * second,
      unit: 'milliseconds',
      meaning: 'The time of reading the authors of all commits.',
      outcome: tooSlow,
    },
    maxOutputBytes: {
      value: 2048 * mebibyte,
      unit: 'bytes',
      meaning: 'The authors of all commits, at most 550 bytes for each.',
      outcome: refused,
    },
    maxContributors: {
      value: 50_000,
      unit: 'contributors',
      meaning: 'Different e-mail addresses.',
      outcome: refused,
    },
  },
  diff: {
    timeoutMs: {
      value: 15 * second,
      unit: 'milliseconds',
      meaning: 'The time of a diff, and that of finding which files changed.',
      outcome: `${tooSlow} A comparison has what was read so far, with \`compare_timeout\`.`,
    },
    maxFileBytes: {
      value: 500 * kibibyte,
      unit: 'bytes',
      meaning: 'The diff of one file; the instance setting `diff_max_patch_bytes` is lower.',
      outcome: 'No diff of this file, and `too_large`.',
    },
    maxTotalBytes: {
      value: 5 * mebibyte,
      unit: 'bytes',
      meaning: 'All diffs of a response.',
      outcome: 'No diffs of the files after it, and `collapsed`.',
    },
    maxListBytes: {
      value: 32 * mebibyte,
      unit: 'bytes',
      meaning: 'The list of all changed files, of which one takes about 150 bytes.',
      outcome: refused,
    },
  },
  rawDiff: rawDiffLimitTable,
  rebase: {
    maxCommits: {
      value: 1000,
      unit: 'commits',
      meaning: 'The commits of a rebase, without merges.',
      outcome: 'The rebase fails; `merge_error` says the limit.',
    },
    timeoutMs: {
      value: 300 * second,
      unit: 'milliseconds',
      meaning: 'The time of a rebase.',
      outcome: 'The rebase fails, with a `merge_error`.',
    },
  },
  wiki: wikiLimitTable,
  search: searchLimitTable,
} as const satisfies Record<string, Record<string, Limit>>

type Table = typeof codeLimitTable

/** The values of the limits. */
export type CodeLimits = {
  [Group in keyof Table]: { [Name in keyof Table[Group]]: number }
}

/** The values of `codeLimitTable`. */
export const defaultCodeLimits = Object.fromEntries(
  Object.entries(codeLimitTable).map(([group, limits]) => [
    group,
    Object.fromEntries(Object.entries(limits).map(([name, { value }]) => [name, value])),
  ]),
) as CodeLimits
