import { type Limit, refused, tooSlow } from './limit.ts'

const mebibyte = 1024 * 1024
const second = 1000

/** The limits of archives, whose slots are those of all long outputs of git. */
export const archiveLimitTable = {
  timeoutMs: {
    value: 3600 * second,
    unit: 'milliseconds',
    meaning: "The time of an archive, which depends on the client's speed.",
    outcome: 'The connection is closed before the end of the archive.',
  },
  checkTimeoutMs: {
    value: 15 * second,
    unit: 'milliseconds',
    meaning: 'The part of it that may pass before the first byte.',
    outcome: tooSlow,
  },
  stallMs: {
    value: 60 * second,
    unit: 'milliseconds',
    meaning: 'The time in which a client reads nothing of an archive, or of a file of over 8 MiB.',
    outcome: 'The connection is closed before the end.',
  },
  perClient: {
    value: 8,
    unit: 'processes',
    meaning:
      'Archives, and files of over 8 MiB, of one user at a time, or of one project for all without an account.',
    outcome: 'The request waits; 429 if as many wait already that the queue is full.',
  },
  total: {
    value: 16,
    unit: 'processes',
    meaning:
      'Archives, and files of over 8 MiB, at a time, half of them of clients without an account.',
    outcome: 'The request waits; 429 if the queue is full.',
  },
  queue: {
    value: 128,
    unit: 'requests',
    meaning: 'Those that wait for their turn, a quarter of them of one client.',
    outcome: '429, with `Retry-After`.',
  },
  maxBytes: {
    value: 4096 * mebibyte,
    unit: 'bytes',
    meaning: 'The size of all files, uncompressed.',
    outcome: `${refused} If it shows only while packing, the connection is closed.`,
  },
  maxEntries: {
    value: 1_000_000,
    unit: 'entries',
    meaning: 'The files and folders.',
    outcome: refused,
  },
  cpuSeconds: {
    value: 300,
    unit: 'seconds',
    meaning: 'The processor time of packing, and that of compressing.',
    outcome: 'The connection is closed before the end of the archive.',
  },
} as const satisfies Record<string, Limit>

/** The limits of diffs and patches as text. */
export const rawDiffLimitTable = {
  timeoutMs: {
    value: 600 * second,
    unit: 'milliseconds',
    meaning: "The time of a raw diff or of patches, which depends on the client's speed.",
    outcome: 'The connection is closed before the end.',
  },
  maxBytes: {
    value: 256 * mebibyte,
    unit: 'bytes',
    meaning: 'A raw diff, or all patches of a merge request; they share the slots of archives.',
    outcome: 'The connection is closed before the end.',
  },
  cpuSeconds: {
    value: 60,
    unit: 'seconds',
    meaning: 'The processor time of it.',
    outcome: `${tooSlow} If it shows only later, the connection is closed.`,
  },
} as const satisfies Record<string, Limit>
