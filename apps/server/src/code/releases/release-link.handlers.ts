import type { releaseLinksContract } from '@stithy/core'
import { listReleaseLinks } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { presentReleaseLink, presentReleaseLinks } from './release.presenter.ts'
import { requireRelease } from './release.service.ts'
import {
  addReleaseLink,
  changeReleaseLink,
  removeReleaseLink,
  requireReleaseLink,
} from './release-link.service.ts'

export const releaseLinkHandlers: Handlers<typeof releaseLinksContract> = {
  async list({ app, subject, params, page }) {
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    const found = await listReleaseLinks(app.db, release.id, page)
    const presentation = { config: app.config, project: subject.row }
    return { ...found, items: presentReleaseLinks(found.items, presentation) }
  },

  async show({ app, subject, params }) {
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    const link = await requireReleaseLink(app, release.id, params.link_id)
    return presentReleaseLink(link, { config: app.config, project: subject.row })
  },

  async create({ app, subject, params, body }) {
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    const link = await addReleaseLink(app, release, body)
    return presentReleaseLink(link, { config: app.config, project: subject.row })
  },

  async update({ app, subject, params, body }) {
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    const link = await requireReleaseLink(app, release.id, params.link_id)
    const changed = await changeReleaseLink(app, link, body)
    return presentReleaseLink(changed, { config: app.config, project: subject.row })
  },

  async remove({ app, subject, params, headers }) {
    const release = await requireRelease(app, subject.row.id, params.tag_name)
    const link = await requireReleaseLink(app, release.id, params.link_id)
    requireUnmodified(headers, link.updatedAt)
    await removeReleaseLink(app, link)
    return presentReleaseLink(link, { config: app.config, project: subject.row })
  },
}
