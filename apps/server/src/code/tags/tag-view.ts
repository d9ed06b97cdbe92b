import type { Commit } from '@stithy/git'
import type { ReleaseRow } from '@stithy/store'

/** The release of a tag, as the tag shows it. */
export type TagReleaseView = Pick<ReleaseRow, 'tag' | 'description'>

/** A tag with everything that views of it contain. */
export interface TagView {
  name: string
  /** The object id that the ref points to. */
  oid: string
  /** Null for a lightweight tag. */
  message: string | null
  /** Undefined if the tag does not point to a commit. */
  commit: Commit | undefined
  release: TagReleaseView | undefined
  protected: boolean
}
