import { notFound, type scimTokensContract } from '@stithy/core'
import { deleteScimToken, lockNamespace, setScimToken } from '@stithy/store'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { hashSecret, newSecret } from '../authentication/secret.ts'

/** Random bytes of a token. */
const tokenBytes = 32

/** SCIM token handlers. */
export const scimTokenHandlers: Handlers<typeof scimTokensContract> = {
  async create({ app, subject }) {
    const groupId = subject.row.id
    const token = newSecret(tokenBytes)
    const row = { groupId, tokenHash: hashSecret(token), createdAt: app.now() }
    await app.db.transaction(async (tx) => {
      if ((await lockNamespace(tx, groupId)) === undefined) throw notFound('Group')
      await setScimToken(tx, row)
      const by = changeByCaller(row.createdAt)
      await recordChange(tx, { kind: 'scim_token.created', ...by, groupId })
    })
    return { token }
  },

  async delete({ app, subject }) {
    const groupId = subject.row.id
    await app.db.transaction(async (tx) => {
      if (!(await deleteScimToken(tx, groupId))) throw notFound('SCIM token')
      await recordChange(tx, { kind: 'scim_token.revoked', ...changeByCaller(app.now()), groupId })
    })
    return undefined
  },
}
