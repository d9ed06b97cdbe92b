import { z } from 'zod'

/** A change of lines that a comment on a diff suggests. */
export const Suggestion = z.object({
  id: z.int(),
  /** The lines that it replaces, in the latest version of the file that has them unchanged. */
  from_line: z.int(),
  to_line: z.int(),
  /** False once it is applied or outdated, and for one that changes nothing. */
  appliable: z.boolean(),
  applied: z.boolean(),
  from_content: z.string(),
  to_content: z.string(),
})
export type Suggestion = z.output<typeof Suggestion>
