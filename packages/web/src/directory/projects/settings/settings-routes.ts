import { projectAction, projectPage } from '../../../platform/routing/route.ts'
import { saveCiSettings, showCiSettings } from './ci-settings-page.ts'
import {
  archiveProject,
  deleteProject,
  renameProject,
  saveAccess,
  saveGeneralSettings,
  startHousekeeping,
  transferProject,
  unarchiveProject,
} from './general-actions.ts'
import { showGeneralSettings } from './general-settings-page.ts'

export const projectSettingsRoutes = [
  projectPage('edit', showGeneralSettings),
  projectPage('settings', showGeneralSettings),
  projectAction('edit', saveGeneralSettings),
  projectAction('edit/access', saveAccess),
  projectAction('edit/path', renameProject),
  projectAction('edit/transfer', transferProject),
  projectAction('edit/archive', archiveProject),
  projectAction('edit/unarchive', unarchiveProject),
  projectAction('edit/housekeeping', startHousekeeping),
  projectAction('edit/delete', deleteProject),
  projectPage('settings/ci_cd', showCiSettings),
  projectAction('settings/ci_cd', saveCiSettings),
]
