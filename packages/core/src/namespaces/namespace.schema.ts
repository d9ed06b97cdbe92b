import { z } from 'zod'

/** A namespace inside another thing (document 1; catalogue: projects, Shapes). */
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

/** Where projects live: a group, or the personal namespace of a user (catalogue: projects, Namespaces). */
export const Namespace = NamespaceRef.extend({
  /** Only for groups that the caller owns: users who are members of the group or of one below it. */
  members_count_with_descendants: z.int().optional(),
  /** Only for callers who administer the namespace, in a paid tier: the name of the tier. */
  plan: z.string().optional(),
})
export type Namespace = z.output<typeof Namespace>
