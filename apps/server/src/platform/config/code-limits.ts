const mebibyte = 1024 * 1024

/** Limits of one request that reads code; a git process that exceeds them is killed. */
export interface CodeLimits {
  archive: {
    timeoutMs: number
    /** Total size of all files, uncompressed, in bytes. */
    maxBytes: number
  }
  blame: { timeoutMs: number; maxOutputBytes: number }
  compare: { maxCommits: number; maxFiles: number }
  contributors: { timeoutMs: number; maxOutputBytes: number }
  /** Per response; a diff whose list of files exceeds `maxListBytes` is rejected. */
  diff: { timeoutMs: number; maxFileBytes: number; maxTotalBytes: number; maxListBytes: number }
}

/** Far above what source code needs. The time of an archive depends on the client's speed. */
export const defaultCodeLimits: CodeLimits = {
  archive: { timeoutMs: 3_600_000, maxBytes: 16 * 1024 * mebibyte },
  blame: { timeoutMs: 60_000, maxOutputBytes: 32 * mebibyte },
  compare: { maxCommits: 5000, maxFiles: 1000 },
  contributors: { timeoutMs: 60_000, maxOutputBytes: 256 * mebibyte },
  diff: {
    timeoutMs: 30_000,
    maxFileBytes: 200 * 1024,
    maxTotalBytes: 5 * mebibyte,
    maxListBytes: 32 * mebibyte,
  },
}
