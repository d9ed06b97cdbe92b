import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { integer, nonEmptyText } from '../../platform/contract/fields.ts'
import { emailText } from '../../platform/contract/text-options.ts'

/** Where the avatar for an e-mail address is. */
export const Avatar = z.object({
  /** Null without an avatar here, while the external service is not used. */
  avatar_url: z.string().nullable(),
})
export type Avatar = z.output<typeof Avatar>

/** The largest avatar that can be asked for, in pixels. */
const maxAvatarSize = 1024

/** Avatars by e-mail address. */
export const avatarsContract = {
  show: endpoint({
    name: 'avatar.show',
    method: 'GET',
    path: '/avatar',
    query: z.object({
      email: nonEmptyText(emailText),
      size: integer({ min: 1, max: maxAvatarSize }).optional(),
    }),
    response: { 200: Avatar },
    auth: 'optional',
    errors: ['forbidden'],
    docs: {
      summary: 'Show the avatar for an e-mail address',
      description:
        'That of the user whose public address it is, or else that of an external service, unless ' +
        'the setting `avatarservice_enabled` is off. Needs a token if the public level is restricted.',
    },
  }),
}
