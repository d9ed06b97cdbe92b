import { badRequest, type instanceKeysContract, notFound, parseFingerprint } from '@stithy/core'
import { findKeyByFingerprint, findKeyByMd5, findSshKey } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { viewInstanceKey } from './instance-key-view.service.ts'

export const instanceKeyHandlers: Handlers<typeof instanceKeysContract> = {
  async find({ app, query }) {
    const fingerprint = parseFingerprint(query.fingerprint)
    if (fingerprint === undefined) throw badRequest('Failed to return the key')
    const row =
      'sha256' in fingerprint
        ? await findKeyByFingerprint(app.db, fingerprint.sha256)
        : await findKeyByMd5(app.db, fingerprint.md5)
    if (row === undefined) throw notFound('Key')
    return viewInstanceKey(app, row)
  },

  async show({ app, params }) {
    const row = await findSshKey(app.db, params.id)
    if (row === undefined) throw notFound('Key')
    return viewInstanceKey(app, row)
  },
}
