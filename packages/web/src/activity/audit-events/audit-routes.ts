import { groupPage, projectPage } from '../../platform/routing/route.ts'
import { showAuditEvents } from './audit-page.ts'

export const auditRoutes = [
  projectPage('audit_events', showAuditEvents),
  groupPage('audit_events', showAuditEvents),
]
