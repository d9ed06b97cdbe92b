import { notFound, type scimTokensContract } from '@stithy/core'
import { deleteScimToken, lockNamespace, setScimToken } from '@stithy/store'
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
    })
    return { token }
  },

  async delete({ app, subject }) {
    const isDeleted = await app.db.transaction((tx) => deleteScimToken(tx, subject.row.id))
    if (!isDeleted) throw notFound('SCIM token')
    return undefined
  },
}
