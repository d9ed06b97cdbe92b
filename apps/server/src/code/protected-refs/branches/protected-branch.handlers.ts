import type { ProtectedBranch, protectedBranchesContract } from '@stithy/core'
import { listProtectedRefLevels, listProtectedRefs, type ProtectedRefRow } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { Handlers } from '../../../platform/http/call.ts'
import { requireUnmodified } from '../../../platform/http/if-unmodified.ts'
import {
  presentProtectedBranchDetail,
  presentProtectedBranches,
} from './protected-branch.presenter.ts'
import {
  protectBranch,
  requireProtectedBranch,
  unprotectBranch,
} from './protected-branch.service.ts'

async function present(app: App, refs: readonly ProtectedRefRow[]): Promise<ProtectedBranch[]> {
  const levels = await listProtectedRefLevels(
    app.db,
    refs.map(({ id }) => id),
  )
  return presentProtectedBranches(refs, levels)
}

export const protectedBranchesHandlers: Handlers<typeof protectedBranchesContract> = {
  async list({ app, subject, page }) {
    const found = await listProtectedRefs(
      app.db,
      { projectId: subject.row.id, kind: 'branch' },
      page,
    )
    return { ...found, items: await present(app, found.items) }
  },

  async show({ app, subject, params }) {
    const { id, name } = await requireProtectedBranch(app, subject, params.name)
    return presentProtectedBranchDetail(name, await listProtectedRefLevels(app.db, [id]))
  },

  async protect({ app, subject, body }) {
    return presentProtectedBranchDetail(body.name, await protectBranch(app, subject, body))
  },

  async unprotect({ app, caller, subject, params, headers }) {
    const found = await requireProtectedBranch(app, subject, params.name)
    requireUnmodified(headers, found.createdAt)
    await unprotectBranch(app, caller, subject, found)
    return undefined
  },
}
