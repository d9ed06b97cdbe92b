import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { maskedSecret } from './masked-secret.ts'
import { ApplicationSettings, settingFields } from './settings.schema.ts'

export const settingsContract = {
  show: endpoint({
    name: 'application.settings.show',
    method: 'GET',
    path: '/application/settings',
    response: { 200: ApplicationSettings },
    auth: { on: 'instance', ability: 'administer' },
    docs: {
      summary: 'Show the instance settings',
      description: `For administrators. \`${maskedSecret}\` stands for a secret that is set.`,
    },
  }),
  update: endpoint({
    name: 'application.settings.update',
    method: 'PUT',
    path: '/application/settings',
    body: z.object(settingFields),
    constraints: [
      { atLeastOneOf: Object.keys(settingFields) },
      {
        mutuallyExclusive: ['password_authentication_enabled_for_web', 'signin_enabled'],
      },
      {
        mutuallyExclusive: [
          'password_authentication_enabled_for_web',
          'password_authentication_enabled',
        ],
      },
      { mutuallyExclusive: ['signin_enabled', 'password_authentication_enabled'] },
      {
        mutuallyExclusive: [
          'performance_bar_allowed_group_path',
          'performance_bar_allowed_group_id',
        ],
      },
    ],
    response: { 200: ApplicationSettings },
    auth: { on: 'instance', ability: 'administer' },
    errors: ['validation_failed'],
    docs: {
      summary: 'Update the instance settings',
      description: `For administrators. \`${maskedSecret}\` leaves a secret as it is.`,
    },
  }),
}
