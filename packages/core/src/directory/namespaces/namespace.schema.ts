import { z } from 'zod'

/** A namespace as nested in other resources. */
export const NamespaceRef = z.object({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  kind: z.enum(['user', 'group']),
  full_path: z.string(),
  parent_id: z.int().nullable(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
})
export type NamespaceRef = z.output<typeof NamespaceRef>

/** A namespace that contains projects: a group, or the personal namespace of a user. */
export const Namespace = NamespaceRef.extend({
  /** For groups that the caller owns: number of members of the group and its descendants. */
  members_count_with_descendants: z.int().optional(),
  /** For administrators of the namespace in a paid tier: name of the tier. */
  plan: z.string().optional(),
})
export type Namespace = z.output<typeof Namespace>
