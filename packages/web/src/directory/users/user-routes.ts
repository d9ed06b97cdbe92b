import type { PageCall } from '../../platform/pages/page-call.ts'
import { redirect } from '../../platform/pages/reply.ts'
import { instanceAction, instancePage } from '../../platform/routing/route.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import { saveAccount, showAccount } from './account-page.ts'
import { addEmail, removeEmail, showEmails } from './email-page.ts'
import { savePreferences, showPreferences } from './preferences-page.ts'
import { saveProfile, saveStatus, showProfile } from './profile-page.ts'

/** `/profile/keys`, the form of older addresses, leads to `/-/profile/keys`. */
async function toNewForm({ params, query }: PageCall) {
  const rest = params.rest ?? ''
  return redirect(withQuery(`/-/profile${rest === '' ? '' : `/${encodeURI(rest)}`}`, {}, query))
}

export const userRoutes = [
  instancePage('-/profile', (call) => showProfile(call)),
  instanceAction('-/profile', saveProfile),
  instanceAction('-/profile/status', saveStatus),
  instancePage('-/profile/account', (call) => showAccount(call)),
  instanceAction('-/profile/account', saveAccount),
  instancePage('-/profile/emails', (call) => showEmails(call)),
  instanceAction('-/profile/emails', addEmail),
  instanceAction('-/profile/emails/:id/delete', removeEmail),
  instancePage('-/profile/preferences', (call) => showPreferences(call)),
  instanceAction('-/profile/preferences', savePreferences),
  instancePage('profile/*rest', toNewForm),
]
