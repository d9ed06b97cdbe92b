import type { Commit } from '@stithy/git'
import type { ReleaseLinkRow, ReleaseRow, UserRefRow } from '@stithy/store'

/** A release with everything that views of it contain. */
export interface ReleaseView {
  row: ReleaseRow
  /** The description as HTML, if it is asked for. */
  html: string | undefined
  author: UserRefRow | undefined
  /** Undefined if the tag does not point to a commit. */
  commit: Commit | undefined
  /** Newest first. */
  links: readonly ReleaseLinkRow[]
}
