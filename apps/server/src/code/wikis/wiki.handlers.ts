import type { wikiAttachmentsContract, wikisContract } from '@stithy/core'
import type { Handlers } from '../../platform/http/call.ts'
import { presentCommits } from '../commits/commit.presenter.ts'
import { presentListedPage, presentWikiPage } from './wiki.presenter.ts'
import { attachToWiki } from './wiki-attachment.service.ts'
import { listWikiPageCommits, requireWikiPageAt } from './wiki-history.service.ts'
import { createWikiPage, deleteWikiPage, updateWikiPage } from './wiki-page-write.service.ts'
import { listWikiPages, requireWikiPage } from './wiki-pages.service.ts'

export const wikiHandlers: Handlers<typeof wikisContract> = {
  async list({ app, subject, query }) {
    const withContent = query.with_content ?? false
    const pages = await listWikiPages(app, subject.row, { withContent })
    return pages.map(presentListedPage)
  },

  async show({ app, subject, params, query }) {
    const { row } = subject
    const { slug } = params
    return presentWikiPage(
      query.version === undefined
        ? await requireWikiPage(app, row, slug)
        : await requireWikiPageAt(app, row, slug, query.version),
    )
  },

  async commits({ app, subject, params, page }) {
    const found = await listWikiPageCommits(app, subject.row, params.slug, page)
    return { ...found, items: presentCommits(found.items) }
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
