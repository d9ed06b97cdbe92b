import type { wikiAttachmentsContract, wikisContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { presentListedPage, presentWikiPage } from './wiki.presenter.ts'
import { attachToWiki } from './wiki-attachment.service.ts'
import { createWikiPage, deleteWikiPage, updateWikiPage } from './wiki-page-write.service.ts'
import { listWikiPages, requireWikiPage } from './wiki-pages.service.ts'

export const wikiHandlers: Handlers<typeof wikisContract> = {
  async list({ app, subject, query }) {
    const withContent = query.with_content ?? false
    const pages = await listWikiPages(app, subject.row, { withContent })
    return pages.map(presentListedPage)
  },

  async show({ app, subject, params }) {
    return presentWikiPage(await requireWikiPage(app, subject.row, params.slug))
  },

  async create({ app, caller, subject, body }) {
    return presentWikiPage(await createWikiPage(app, { caller, subject }, body))
  },

  async update({ app, caller, subject, params, body }) {
    return presentWikiPage(await updateWikiPage(app, { caller, subject }, params.slug, body))
  },

  async delete({ app, caller, subject, params }) {
    await deleteWikiPage(app, { caller, subject }, params.slug)
    return undefined
  },
}

export const wikiAttachmentHandlers: Handlers<typeof wikiAttachmentsContract> = {
  create: ({ app, caller, subject, body }) => attachToWiki(app, { caller, subject }, body),
}
