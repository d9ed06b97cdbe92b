import { changeArea, showArea } from './admin-page.ts'
import { saveAppearance, showAppearance } from './appearance-page.ts'
import { createApplication, deleteApplication, showApplications } from './applications-page.ts'
import { showAuditLog } from './audit-page.ts'
import { addDeployKey, deleteDeployKey, showDeployKeys } from './deploy-keys-page.ts'
import { deleteFeature, setFeature, showFeatures } from './features-page.ts'
import { showJobs } from './jobs-page.ts'
import { showLicense } from './license-page.ts'
import {
  addMessage,
  deleteMessage,
  saveMessage,
  showMessageEdit,
  showMessages,
} from './messages-page.ts'
import { showGroups, showProjects } from './namespace-lists.ts'
import { showOverview } from './overview-page.ts'
import { saveSettings, showSettings } from './settings-page.ts'
import {
  addSystemHook,
  deleteSystemHook,
  showSystemHook,
  showSystemHooks,
  testSystemHook,
} from './system-hook-pages.ts'
import {
  blockUser,
  createToken,
  deleteUser,
  disableTwoFactor,
  revokeToken,
  unblockUser,
} from './user-actions.ts'
import { createUser, saveUser, showNewUser, showUserEdit } from './user-edit-pages.ts'
import { showUsers } from './user-list-page.ts'
import { showUser } from './user-page.ts'

const userRoutes = [
  showArea('users', '', showUsers),
  changeArea('users', '', createUser),
  showArea('users', 'new', showNewUser),
  showArea('users', ':id', showUser),
  showArea('users', ':id/edit', showUserEdit),
  changeArea('users', ':id/edit', saveUser),
  changeArea('users', ':id/block', blockUser),
  changeArea('users', ':id/unblock', unblockUser),
  changeArea('users', ':id/disable_two_factor', disableTwoFactor),
  changeArea('users', ':id/delete', deleteUser),
  showArea('users', ':id/impersonation_tokens', showUser),
  changeArea('users', ':id/impersonation_tokens', createToken),
  changeArea('users', ':id/impersonation_tokens/:token/revoke', revokeToken),
]

/** The pages below `/admin`. */
export const adminRoutes = [
  showArea('overview', '', showOverview),
  ...userRoutes,
  showArea('groups', '', showGroups),
  showArea('projects', '', showProjects),
  showArea('jobs', '', showJobs),
  showArea('settings', '', showSettings),
  changeArea('settings', ':area', saveSettings),
  showArea('appearance', '', showAppearance),
  changeArea('appearance', '', saveAppearance),
  showArea('messages', '', showMessages),
  changeArea('messages', '', addMessage),
  showArea('messages', ':id/edit', showMessageEdit),
  changeArea('messages', ':id/edit', saveMessage),
  changeArea('messages', ':id/delete', deleteMessage),
  showArea('hooks', '', showSystemHooks),
  changeArea('hooks', '', addSystemHook),
  showArea('hooks', ':id', showSystemHook),
  changeArea('hooks', ':id/test', testSystemHook),
  changeArea('hooks', ':id/delete', deleteSystemHook),
  showArea('deploy_keys', '', showDeployKeys),
  changeArea('deploy_keys', '', addDeployKey),
  changeArea('deploy_keys', ':id/delete', deleteDeployKey),
  showArea('applications', '', showApplications),
  changeArea('applications', '', createApplication),
  changeArea('applications', ':id/delete', deleteApplication),
  showArea('features', '', showFeatures),
  changeArea('features', '', setFeature),
  changeArea('features', 'delete', deleteFeature),
  showArea('license', '', showLicense),
  showArea('audit_events', '', showAuditLog),
]
