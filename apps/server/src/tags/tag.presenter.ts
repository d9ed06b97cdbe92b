import type { Tag, TagRelease } from '@stithy/core'
import type { TagReleaseRow } from '@stithy/store'
import { presentCommit } from '../commits/commit.presenter.ts'
import type { FoundTag } from './tag-found.ts'

/** Tags as they go over the wire (catalogue: repository, 7). */
export function presentTags(tags: readonly FoundTag[]): Tag[] {
  return tags.map(presentTag)
}

/** One tag. */
export function presentTag(tag: FoundTag): Tag {
  return {
    name: tag.name,
    message: tag.message,
    target: tag.oid,
    commit: tag.commit === undefined ? null : presentCommit(tag.commit),
    release: tag.release === undefined ? null : presentTagRelease(tag.release),
    protected: tag.protected,
  }
}

/** The release of a tag, as the tag shows it. */
export function presentTagRelease({ tag, description }: TagReleaseRow): TagRelease {
  return { tag_name: tag, description }
}
