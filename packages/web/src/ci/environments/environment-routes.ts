import { projectAction, projectPage } from '../../platform/routing/route.ts'
import {
  createEnvironment,
  deleteEnvironment,
  saveEnvironment,
  stopEnvironment,
} from './environment-actions.ts'
import { showEnvironment, showEnvironments } from './environment-pages.ts'

export const environmentRoutes = [
  projectPage('environments', showEnvironments),
  projectAction('environments', createEnvironment),
  projectPage('environments/:id', showEnvironment),
  projectAction('environments/:id', saveEnvironment),
  projectAction('environments/:id/stop', stopEnvironment),
  projectAction('environments/:id/delete', deleteEnvironment),
]
