import type { ReportType } from '@stithy/core'

/** The next bytes of a report; none after its end. */
export interface ReportRequest {
  /** Tells reports apart. */
  id: string
  reportType: ReportType
  bytes?: Uint8Array
}

/** What a report holds up to where it was read. */
export type ReportPart =
  /** The vulnerabilities, some in each text, which is JSON as `insertVulnerabilities` takes it. */
  | { rows: readonly string[]; count: number }
  /** After its end: some solutions of vulnerabilities; none after the last. */
  | { solutions: readonly { fingerprint: string; solution: string }[] }
  /** What is wrong with it. */
  | { problem: string }
