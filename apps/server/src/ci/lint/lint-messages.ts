/** A configuration file to check. */
export interface LintRequest {
  content: string
}

/** Its first error, if it has one. */
export interface LintAnswer {
  error: string | undefined
}
