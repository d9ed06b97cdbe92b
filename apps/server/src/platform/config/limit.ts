/** What a limit counts. */
export type LimitUnit =
  | 'bytes'
  | 'characters'
  | 'commits'
  | 'contributors'
  | 'entries'
  | 'files'
  | 'levels'
  | 'milliseconds'
  | 'pages'
  | 'parents'
  | 'parts'
  | 'processes'
  | 'requests'
  | 'seconds'
  | 'values'

/** One limit of what a request may make the server read from a repository. */
export interface Limit {
  value: number
  unit: LimitUnit
  /** What is limited. */
  meaning: string
  /** What the caller gets beyond it. */
  outcome: string
}

/** Outcomes that several limits share. */
export const refused = '413, which is remembered: the next call costs nothing.'
export const tooSlow = '422, which is remembered for ten minutes.'
