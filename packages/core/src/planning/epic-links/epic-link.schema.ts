import { z } from 'zod'

/** A new child epic. */
export const LinkedEpic = z.object({
  id: z.int(),
  iid: z.int(),
  title: z.string(),
  group_id: z.int(),
  parent_id: z.int().nullable(),
  has_children: z.boolean(),
  has_issues: z.boolean(),
  /** `&5` */
  reference: z.string(),
  /** Its page. */
  url: z.string(),
  /** The link to its parent, in the API. */
  relation_url: z.string(),
})
export type LinkedEpic = z.output<typeof LinkedEpic>
