import { groupAction, groupPage } from '../../platform/routing/route.ts'
import { createScimToken, revokeScimToken, showScim } from './scim-page.ts'

export const scimRoutes = [
  groupPage('settings/scim', showScim),
  groupAction('settings/scim', createScimToken),
  groupAction('settings/scim/delete', revokeScimToken),
]
