import type { Tag, TagRelease } from '@stithy/core'
import { presentCommit } from '../commits/commit.presenter.ts'
import type { TagReleaseView, TagView } from './tag-view.ts'

/** Presents tags. */
export function presentTags(tags: readonly TagView[]): Tag[] {
  return tags.map(presentTag)
}

/** Presents one tag. */
export function presentTag(tag: TagView): Tag {
  return {
    name: tag.name,
    message: tag.message,
    target: tag.oid,
    commit: tag.commit === undefined ? null : presentCommit(tag.commit),
    release: tag.release === undefined ? null : presentTagRelease(tag.release),
    protected: tag.protected,
  }
}

/** The release of a tag, as nested in it. */
export function presentTagRelease({ tag, description }: TagReleaseView): TagRelease {
  return { tag_name: tag, description }
}
