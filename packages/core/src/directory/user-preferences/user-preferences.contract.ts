import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { boolean } from '../../platform/contract/fields.ts'
import { UserPreferences } from './user-preferences.schema.ts'

/** What users set for themselves alone. */
export const userPreferencesContract = {
  show: endpoint({
    name: 'users.preferences.show',
    method: 'GET',
    path: '/user/preferences',
    response: { 200: UserPreferences },
    auth: { scope: ['api', 'read_user'] },
    docs: { summary: 'Show the preferences of the current user' },
  }),
  update: endpoint({
    name: 'users.preferences.update',
    method: 'PUT',
    path: '/user/preferences',
    body: z.object({
      view_diffs_file_by_file: boolean(),
      show_whitespace_in_diffs: boolean(),
    }),
    response: { 200: UserPreferences },
    auth: { on: 'instance', ability: 'update_own_settings' },
    docs: { summary: 'Update the preferences of the current user' },
  }),
}
