import { notFound, type tagsContract } from '@stithy/core'
import type { Handlers } from '../http/call.ts'
import { requireUnmodified } from '../namespaces/if-unmodified.ts'
import {
  addRelease,
  changeRelease,
  requireRelease,
  requireValidRelease,
} from '../releases/release.service.ts'
import { presentTag, presentTagRelease, presentTags } from './tag.presenter.ts'
import { createTag, findTags, removeTag, requireTag } from './tag.service.ts'

export const tagHandlers: Handlers<typeof tagsContract> = {
  async list({ app, subject, query, page }) {
    const found = await findTags(app, subject.row, query, page)
    return { ...found, items: presentTags(found.items) }
  },

  async show({ app, subject, params }) {
    return presentTag(await requireTag(app, subject.row, params.tag_name))
  },

  async create({ app, caller, subject, body }) {
    const { tag_name: name, ref, message, release_description: description = '' } = body
    requireValidRelease({ description })
    const tag = await createTag(app, { subject, caller }, { name, ref, message })
    if (description === '') return presentTag(tag)
    const release = await addRelease(app, { subject, caller }, { tag: name, description })
    return presentTag({ ...tag, release })
  },

  async remove({ app, caller, subject, params, headers }) {
    const tag = await requireTag(app, subject.row, params.tag_name)
    requireUnmodified(headers, Date.parse(tag.commit?.committer.date ?? '') || 0)
    await removeTag(app, { subject, caller }, tag)
    return undefined
  },

  async createRelease({ app, caller, subject, params, body }) {
    const { description } = body
    requireValidRelease({ description })
    const { name } = await requireTag(app, subject.row, params.tag_name)
    const release = await addRelease(app, { subject, caller }, { tag: name, description })
    return presentTagRelease(release)
  },

  async updateRelease({ app, subject, params, body }) {
    const { tag_name: tag } = params
    const { name, release } = await requireTag(app, subject.row, tag)
    if (release === undefined) throw notFound('Release')
    const found = await requireRelease(app, subject.row.id, name)
    return presentTagRelease(await changeRelease(app, found, body))
  },
}
