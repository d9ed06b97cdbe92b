import type { ProcessLimits } from '../broker/limits.ts'
import { textLimits } from '../parsing/commit-parser.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/** What is read of objects, whoever asks. */
export const readLimits = {
  /** Bytes of an object that is held in memory: `streamBlob` reads larger blobs. */
  objectBytes: 8 * mebibyte,
  /** Bytes of the message of a commit or tag, unless all of it is asked for. */
  listedMessageBytes: 10 * kibibyte,
  /** Bytes of a message that is read as a whole. */
  messageBytes: mebibyte,
  /** Parents of a commit. */
  parents: textLimits.parents,
  /** Characters of a name, an e-mail address or a title. */
  fieldLength: textLimits.fieldLength,
  /** Slow reads of one repository at a time. */
  slowReads: 4,
  /** Bytes of memory of a git that reads trees, diffs or histories for one request. */
  processMemoryBytes: 512 * mebibyte,
  /** Milliseconds that counting the changed lines of a page of commits may take. */
  statsMs: 10_000,
  /** Seconds of processor time of such a git, where its limit of time is longer or has none. */
  processSeconds: 300,
} as const

/** What each git that reads trees, diffs or histories for one request may use. */
export const slowProcess: ProcessLimits = {
  memoryBytes: readLimits.processMemoryBytes,
  cpuSeconds: readLimits.processSeconds,
}
