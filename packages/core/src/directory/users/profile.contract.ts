import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean, file, oneOfNumbers, optional, text } from '../../platform/contract/fields.ts'
import { emailText, nameText, pathText, shortText } from '../../platform/contract/text-options.ts'
import { themes } from './theme.rules.ts'
import { AdminUser, CurrentUser } from './user.schema.ts'

/** What users say of themselves. */
export const userProfileContract = {
  update: endpoint({
    name: 'users.profile.update',
    method: 'PUT',
    path: '/user',
    body: z.object(
      optional({
        name: text(nameText),
        username: text(pathText),
        bio: text(shortText),
        location: text(shortText),
        organization: text(shortText),
        website_url: text(shortText),
        public_email: text(emailText),
        skype: text(shortText),
        linkedin: text(shortText),
        twitter: text(shortText),
        avatar: file(),
        private_profile: boolean(),
        theme_id: oneOfNumbers([themes.auto, themes.light, themes.dark]),
      }),
    ),
    response: { 200: z.union([AdminUser, CurrentUser]) },
    auth: { on: 'instance', ability: 'update_own_settings' },
    errors: ['validation_failed'],
    docs: {
      summary: 'Update the profile of the current user',
      description:
        'An extension. An empty `avatar` removes the picture. A new `username` moves the personal ' +
        'projects, whose old addresses no longer work. `theme_id` chooses the colours of the web ' +
        'pages: 1 follows the browser, 3 is light, 11 is dark.',
    },
  }),
}
