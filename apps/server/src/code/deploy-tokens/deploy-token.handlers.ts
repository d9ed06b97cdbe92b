import { type deployTokensContract, notFound, tokenExpiry } from '@stithy/core'
import { findProjectDeployToken, listDeployTokens } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { presentDeployToken } from './deploy-token.presenter.ts'
import { createDeployToken, revokeDeployToken } from './deploy-token.service.ts'

export const deployTokensHandlers: Handlers<typeof deployTokensContract> = {
  async list({ app, subject, page }) {
    const found = await listDeployTokens(app.db, subject.row.id, page)
    return { ...found, items: found.items.map(presentDeployToken) }
  },

  async create({ app, caller, subject, body }) {
    const { token, ...row } = await createDeployToken(app, {
      projectId: subject.row.id,
      creatorId: caller.user?.id ?? null,
      name: body.name,
      username: body.username || null,
      scopes: body.scopes,
      expiresAt: tokenExpiry(body.expires_at ?? null),
    })
    return { ...presentDeployToken(row), token }
  },

  async remove({ app, subject, params, headers }) {
    const token = { projectId: subject.row.id, id: params.token_id }
    const found = await findProjectDeployToken(app.db, token)
    if (found === undefined) throw notFound('Deploy Token')
    requireUnmodified(headers, found.createdAt)
    await revokeDeployToken(app, found)
    return undefined
  },
}
