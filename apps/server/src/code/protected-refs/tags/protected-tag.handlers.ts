import type { ProtectedTag, protectedTagsContract } from '@stithy/core'
import { listProtectedRefLevels, listProtectedRefs, type ProtectedRefRow } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Handlers } from '../../../platform/http/call.ts'
import { requireUnmodified } from '../../../platform/http/if-unmodified.ts'
import { presentProtectedTags } from './protected-tag.presenter.ts'
import { protectTag, requireProtectedTag, unprotectTag } from './protected-tag.service.ts'

async function present(app: App, refs: readonly ProtectedRefRow[]): Promise<ProtectedTag[]> {
  const levels = await listProtectedRefLevels(
    app.db,
    refs.map(({ id }) => id),
  )
  return presentProtectedTags(refs, levels)
}

async function presentOne(app: App, ref: ProtectedRefRow): Promise<ProtectedTag> {
  const [tag] = await present(app, [ref])
  return tag ?? { name: ref.name, create_access_levels: [] }
}

export const protectedTagsHandlers: Handlers<typeof protectedTagsContract> = {
  async list({ app, subject, page }) {
    const found = await listProtectedRefs(app.db, { projectId: subject.row.id, kind: 'tag' }, page)
    return { ...found, items: await present(app, found.items) }
  },

  async show({ app, subject, params }) {
    return presentOne(app, await requireProtectedTag(app, subject, params.name))
  },

  async protect({ app, subject, body }) {
    const request = { name: body.name, createLevel: body.create_access_level }
    return presentOne(app, await protectTag(app, subject, request))
  },

  async unprotect({ app, subject, params, headers }) {
    const found = await requireProtectedTag(app, subject, params.name)
    requireUnmodified(headers, found.createdAt)
    await unprotectTag(app, subject, found)
    return undefined
  },
}
