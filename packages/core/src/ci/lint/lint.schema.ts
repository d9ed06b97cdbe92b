import { z } from 'zod'

/** What the check of a CI configuration file found. */
export const LintResult = z.object({
  status: z.enum(['valid', 'invalid']),
  /** The first error; empty when the file is valid. */
  errors: z.array(z.string()),
})
export type LintResult = z.output<typeof LintResult>
