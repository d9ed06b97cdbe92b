import { projectAction, projectPage } from '../../platform/routing/route.ts'
import {
  addDeployKey,
  changeDeployKey,
  createDeployToken,
  removeDeployKey,
  revokeDeployToken,
} from './deploy-actions.ts'
import {
  protectBranch,
  protectTag,
  saveDefaultBranch,
  unprotectBranch,
  unprotectTag,
} from './protected-ref-actions.ts'
import { showRepositorySettings } from './repository-settings-page.ts'

const base = 'settings/repository'

export const repositorySettingsRoutes = [
  projectPage(base, showRepositorySettings),
  projectPage('protected_branches', showRepositorySettings),
  projectPage('protected_tags', showRepositorySettings),
  projectPage('deploy_keys', showRepositorySettings),
  projectPage(`${base}/deploy_tokens`, showRepositorySettings),
  projectAction(`${base}/default_branch`, saveDefaultBranch),
  projectAction(`${base}/protected_branches`, protectBranch),
  projectAction(`${base}/protected_branches/delete`, unprotectBranch),
  projectAction(`${base}/protected_tags`, protectTag),
  projectAction(`${base}/protected_tags/delete`, unprotectTag),
  projectAction(`${base}/deploy_keys`, addDeployKey),
  projectAction(`${base}/deploy_keys/:id`, changeDeployKey),
  projectAction(`${base}/deploy_keys/:id/delete`, removeDeployKey),
  projectAction(`${base}/deploy_tokens`, createDeployToken),
  projectAction(`${base}/deploy_tokens/:id/delete`, revokeDeployToken),
]
