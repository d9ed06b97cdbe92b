import type { tagsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { presentTag, presentTags } from './tag.presenter.ts'
import { findTags, removeTag, requireTag } from './tag.service.ts'

/**
 * Handlers for reading and deleting tags; creating one may create its release: see
 * `tagReleaseHandlers`.
 */
export const tagHandlers: Pick<Handlers<typeof tagsContract>, 'list' | 'show' | 'remove'> = {
  async list({ app, subject, query, page }) {
    const found = await findTags(app, subject.row, query, page)
    return { ...found, items: presentTags(found.items) }
  },

  async show({ app, subject, params }) {
    return presentTag(await requireTag(app, subject.row, params.tag_name))
  },

  async remove({ app, caller, subject, params, headers }) {
    const tag = await requireTag(app, subject.row, params.tag_name)
    requireUnmodified(headers, Date.parse(tag.commit?.committer.date ?? '') || 0)
    await removeTag(app, { subject, caller }, tag)
    return undefined
  },
}
