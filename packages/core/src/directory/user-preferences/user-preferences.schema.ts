import { z } from 'zod'

/** How a user sees diffs on web pages. */
export const UserPreferences = z.object({
  id: z.int(),
  user_id: z.int(),
  view_diffs_file_by_file: z.boolean(),
  show_whitespace_in_diffs: z.boolean(),
})
export type UserPreferences = z.output<typeof UserPreferences>
