import type { ReportType } from '@stithy/core'
import type { Generated } from 'kysely'

/** A security report of a project, with the vulnerabilities that refer to it. */
export interface SecurityReportsTable {
  id: Generated<number>
  projectId: number
  /** Short name of a branch or tag. */
  ref: string
  reportType: ReportType
  sha: string
  /**
   * `pending` while its vulnerabilities are being stored, `current` if it is the latest of its type on
   * the ref, `replaced` if only resolved vulnerabilities may be left of it.
   */
  state: 'pending' | 'current' | 'replaced'
  vulnerabilitiesCount: Generated<number>
  createdAt: number
}

/** What a scanner found. */
export interface VulnerabilitiesTable {
  id: Generated<number>
  projectId: number
  reportId: number
  /** 40 hexadecimal digits; unique in its report. */
  fingerprint: string
  /** The place in lists; see `rankOf`. */
  rank: number
  name: string
  description: string | null
  solution: string | null
  /** JSON. */
  scanner: string
  /** JSON. */
  identifiers: string
  /** JSON. */
  links: string
  /** JSON. */
  location: string
  /** When a later report lacked it. */
  resolvedAt: number | null
}

/** How many vulnerabilities of a report that isn't replaced have a rank. */
export interface VulnerabilityCountsTable {
  id: Generated<number>
  reportId: number
  rank: number
  total: number
}

/** The issue that was created for the vulnerabilities with a fingerprint in a project. */
export interface VulnerabilityIssuesTable {
  id: Generated<number>
  projectId: number
  fingerprint: string
  issueId: number
  createdAt: number
}

/** Dismissals of vulnerabilities: of all with a fingerprint in a project. */
export interface VulnerabilityDismissalsTable {
  id: Generated<number>
  projectId: number
  fingerprint: string
  authorId: number
  comment: string | null
  createdAt: number
}
