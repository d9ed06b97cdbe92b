import { hash } from 'node:crypto'
import { type avatarsContract, externalAvatarUrl, forbidden } from '@stithy/core'
import { findUserByPublicEmail } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { avatarUrl } from '../../platform/uploads/avatar-url.ts'

export const avatarHandlers: Handlers<typeof avatarsContract> = {
  async show({ app, caller, query: { email, size } }) {
    const isPublic = !app.settings.restricted_visibility_levels.includes('public')
    if (caller.user === null && !isPublic) throw forbidden()
    const user = await findUserByPublicEmail(app.db, email)
    const own = user && avatarUrl(app.config, 'user', user.id, user.avatar)
    if (own) return { avatar_url: own }
    if (!app.settings.avatarservice_enabled) return { avatar_url: null }
    const emailHash = hash('md5', email.trim().toLowerCase(), 'hex')
    return { avatar_url: externalAvatarUrl(emailHash, size) }
  },
}
