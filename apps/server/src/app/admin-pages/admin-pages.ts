import type { FastifyInstance } from 'fastify'
import type { App } from '../../platform/app.ts'
import { registerAuditPage } from './audit-page.ts'
import { registerJobsPage } from './jobs-page.ts'
import { registerOverviewPage } from './overview-page.ts'
import { registerProjectsPage } from './projects-page.ts'
import { registerSettingsPage } from './settings-page.ts'
import { registerUsersPage } from './users-page.ts'

/** Registers the pages below `/admin`, for administrators who are signed in. */
export function registerAdminPages(server: FastifyInstance, app: App): void {
  registerOverviewPage(server, app)
  registerUsersPage(server, app)
  registerProjectsPage(server, app)
  registerJobsPage(server, app)
  registerSettingsPage(server, app)
  registerAuditPage(server, app)
}
