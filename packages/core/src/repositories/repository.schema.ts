import { z } from 'zod'

/** An entry of a directory (catalogue: repository, 1); `commit` is a submodule. */
export const TreeEntry = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['tree', 'blob', 'commit']),
  /** From the root of the repository. */
  path: z.string(),
  /** Six digits: `100644`, `040000`. */
  mode: z.string(),
})
export type TreeEntry = z.output<typeof TreeEntry>
