import type { pagesDomainsContract } from '@stithy/core'
import { listPagesDomains } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { presentInstanceDomain, presentPagesDomain } from './pages-domain.presenter.ts'
import {
  addPagesDomain,
  changePagesDomain,
  removePagesDomain,
  requirePages,
  requirePagesDomain,
} from './pages-domain.service.ts'

export const pagesDomainHandlers: Handlers<typeof pagesDomainsContract> = {
  async listAll({ app, page }) {
    requirePages(app)
    const found = await listPagesDomains(app.db, {}, page)
    return { ...found, items: found.items.map((row) => presentInstanceDomain(app, row)) }
  },

  async list({ app, subject, page }) {
    requirePages(app)
    const found = await listPagesDomains(app.db, { projectId: subject.row.id }, page)
    return { ...found, items: found.items.map((row) => presentPagesDomain(app, row)) }
  },

  async show({ app, subject, params }) {
    requirePages(app)
    return presentPagesDomain(app, await requirePagesDomain(app.db, subject.row.id, params.domain))
  },

  async create({ app, subject, body }) {
    requirePages(app)
    return presentPagesDomain(app, await addPagesDomain(app, subject.row.id, body))
  },

  async update({ app, subject, params, body }) {
    requirePages(app)
    const row = await requirePagesDomain(app.db, subject.row.id, params.domain)
    return presentPagesDomain(app, await changePagesDomain(app, row, body))
  },

  async delete({ app, subject, params, headers }) {
    requirePages(app)
    await removePagesDomain(app, subject.row.id, params.domain, ({ updatedAt }) =>
      requireUnmodified(headers, updatedAt),
    )
    return undefined
  },
}
