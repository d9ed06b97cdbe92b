const mebibyte = 1024 * 1024

/** What one request may cost that reads code; git is ended when it comes to more. */
export interface CodeLimits {
  archive: {
    timeoutMs: number
    /** Bytes of all files, unpacked. */
    maxBytes: number
  }
  blame: { timeoutMs: number; maxOutputBytes: number }
  compare: { maxCommits: number; maxFiles: number }
  contributors: { timeoutMs: number; maxOutputBytes: number }
  /** Of one answer; a diff whose files do not fit into `maxListBytes` is refused. */
  diff: { timeoutMs: number; maxFileBytes: number; maxTotalBytes: number; maxListBytes: number }
}

/** Far above what source code needs. An archive takes as long as its reader does. */
export const standardCodeLimits: CodeLimits = {
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
