import type { Visibility } from '@stithy/core'
import type { Generated } from 'kysely'

export interface SnippetsTable {
  id: Generated<number>
  /** Null for personal snippets. */
  projectId: number | null
  authorId: number
  title: string
  fileName: string
  description: string | null
  content: string
  visibility: Visibility
  createdAt: number
  updatedAt: number
}
