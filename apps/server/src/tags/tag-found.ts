import type { Commit } from '@stithy/git'
import type { TagReleaseRow } from '@stithy/store'

/** A tag with everything that is shown of it. */
export interface FoundTag {
  name: string
  /** What the ref holds. */
  oid: string
  /** Null for a lightweight tag. */
  message: string | null
  /** Undefined where the tag stands for something that is no commit. */
  commit: Commit | undefined
  release: TagReleaseRow | undefined
  protected: boolean
}
