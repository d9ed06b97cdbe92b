import { type impersonationTokensContract, notFound } from '@stithy/core'
import { findToken, listTokens } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { requireHuman } from '../users/user.service.ts'
import { presentImpersonationToken } from './impersonation-token.presenter.ts'
import { createToken, revokeUserToken } from './token.service.ts'

const kind = 'impersonation'

/** Loads the user named by the path, who must not be the ghost user. */
async function ownerOf(app: App, userId: number): Promise<number> {
  return (await requireHuman(app, userId)).id
}

export const impersonationTokensHandlers: Handlers<typeof impersonationTokensContract> = {
  async list({ app, params, query, page }) {
    const userId = await ownerOf(app, params.user_id)
    const now = app.now()
    const found = await listTokens(app.db, { userId, kind, state: query.state, now }, page)
    return { ...found, items: found.items.map((row) => presentImpersonationToken(row, now)) }
  },

  async show({ app, params }) {
    const userId = await ownerOf(app, params.user_id)
    const row = await findToken(app.db, { userId, kind, id: params.impersonation_token_id })
    if (row === undefined) throw notFound('Impersonation Token')
    return presentImpersonationToken(row, app.now())
  },

  async create({ app, params, body, caller }) {
    const { token, ...row } = await createToken(app, {
      userId: await ownerOf(app, params.user_id),
      kind,
      name: body.name,
      scopes: body.scopes,
      expiresOn: body.expires_at ?? null,
      ...(caller.user === null ? {} : { createdById: caller.user.id }),
    })
    return { ...presentImpersonationToken(row, app.now()), token }
  },

  async revoke({ app, params }) {
    const userId = await ownerOf(app, params.user_id)
    await revokeUserToken(app, { userId, kind, id: params.impersonation_token_id })
    return undefined
  },
}
