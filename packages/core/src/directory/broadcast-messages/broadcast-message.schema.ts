import { z } from 'zod'
import { timestamp } from '../../platform/contract/fields.ts'

/** A message that the pages of the server show to everyone, from one time until another. */
export const BroadcastMessage = z.object({
  id: z.int(),
  message: z.string(),
  starts_at: timestamp,
  ends_at: timestamp,
  /** Of the background, `#rrggbb` or `#rgb`. */
  color: z.string(),
  /** Of the text, `#rrggbb` or `#rgb`. */
  font: z.string(),
  /** Whether it is shown now. */
  active: z.boolean(),
})
export type BroadcastMessage = z.output<typeof BroadcastMessage>
