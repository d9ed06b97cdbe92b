import { hash } from 'node:crypto'
import { type avatarsContract, externalAvatarUrl, forbidden } from '@stithy/core'
import { findSettings, findUserByPublicEmail } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'

export const avatarHandlers: Handlers<typeof avatarsContract> = {
  async show({ app, caller, query: { email, size } }) {
    const settings = await findSettings(app.db, [
      'avatarservice_enabled',
      'restricted_visibility_levels',
    ])
    const { avatarservice_enabled: usesService, restricted_visibility_levels: restricted } =
      settings
    const isPublic = !(Array.isArray(restricted) && restricted.includes('public'))
    if (caller.user === null && !isPublic) throw forbidden()
    const user = await findUserByPublicEmail(app.db, email)
    const own = user && avatarUrl(app.config, 'user', user.id, user.avatar)
    if (own) return { avatar_url: own }
    if (usesService === false) return { avatar_url: null }
    const emailHash = hash('md5', email.trim().toLowerCase(), 'hex')
    return { avatar_url: externalAvatarUrl(emailHash, size) }
  },
}
