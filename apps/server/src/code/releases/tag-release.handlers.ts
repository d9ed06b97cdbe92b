import { notFound, type tagsContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { presentTag, presentTagRelease } from '../tags/tag.presenter.ts'
import { createTag, requireTag } from '../tags/tag.service.ts'
import {
  addRelease,
  changeRelease,
  requireRelease,
  requireValidRelease,
} from './release.service.ts'

/** Handlers for creating tags, with an optional release, and for the releases of tags. */
export const tagReleaseHandlers: Pick<
  Handlers<typeof tagsContract>,
  'create' | 'createRelease' | 'updateRelease'
> = {
  async create({ app, caller, subject, body }) {
    const { tag_name: name, ref, message, release_description: description = '' } = body
    requireValidRelease({ description })
    const tag = await createTag(app, { subject, caller }, { name, ref, message })
    if (description === '') return presentTag(tag)
    const release = await addRelease(app, { subject, caller }, { tag: name, description })
    return presentTag({ ...tag, release })
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
