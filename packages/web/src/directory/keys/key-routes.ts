import { instanceAction, instancePage } from '../../platform/routing/route.ts'
import { addGpgKey, removeGpgKey, showGpgKeys } from './gpg-key-page.ts'
import { addSshKey, removeSshKey, showSshKeys } from './ssh-key-page.ts'

export const keyRoutes = [
  instancePage('-/profile/keys', (call) => showSshKeys(call)),
  instanceAction('-/profile/keys', addSshKey),
  instanceAction('-/profile/keys/:id/delete', removeSshKey),
  instancePage('-/profile/gpg_keys', (call) => showGpgKeys(call)),
  instanceAction('-/profile/gpg_keys', addGpgKey),
  instanceAction('-/profile/gpg_keys/:id/delete', removeGpgKey),
]
