import type { Commit } from '@stithy/git'
import type { ReleaseLinkRow, ReleaseRow, UserRefRow } from '@stithy/store'

/** A release with everything that is shown of it. */
export interface ReleaseView {
  row: ReleaseRow
  /** The description as HTML. */
  html: string
  author: UserRefRow | undefined
  /** Undefined where the tag stands for something that is no commit. */
  commit: Commit | undefined
  /** Newest first. */
  links: readonly ReleaseLinkRow[]
}
