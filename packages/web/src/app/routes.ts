import { auditRoutes } from '../activity/audit-events/audit-routes.ts'
import { eventRoutes } from '../activity/events/event-routes.ts'
import { homeRoutes } from '../activity/home/home-routes.ts'
import { notificationRoutes } from '../activity/notification-settings/notification-routes.ts'
import { searchRoutes } from '../activity/search/search-routes.ts'
import { hookRoutes } from '../activity/webhooks/hook-routes.ts'
import { environmentRoutes } from '../ci/environments/environment-routes.ts'
import { vulnerabilityRoutes } from '../ci/vulnerabilities/vulnerability-routes.ts'
import { badgeRoutes } from '../code/badges/badge-routes.ts'
import { branchRoutes } from '../code/branches/branch-routes.ts'
import { commitRoutes } from '../code/commits/commit-routes.ts'
import { fileRoutes } from '../code/files/file-routes.ts'
import { releaseRoutes } from '../code/releases/release-routes.ts'
import { repositoryRoutes } from '../code/repositories/repository-routes.ts'
import { repositorySettingsRoutes } from '../code/repository-settings/repository-settings-routes.ts'
import { tagRoutes } from '../code/tags/tag-routes.ts'
import { forkRoutes } from '../directory/forks/fork-routes.ts'
import { groupRoutes } from '../directory/groups/group-routes.ts'
import { keyRoutes } from '../directory/keys/key-routes.ts'
import { memberRoutes } from '../directory/members/member-routes.ts'
import { pagesDomainRoutes } from '../directory/pages-domains/pages-domain-routes.ts'
import { projectRoutes } from '../directory/projects/project-routes.ts'
import { projectSettingsRoutes } from '../directory/projects/settings/settings-routes.ts'
import { scimRoutes } from '../directory/scim/scim-routes.ts'
import { userRoutes } from '../directory/users/user-routes.ts'
import { planningRoutes } from '../planning/planning-routes.ts'
import type { Route } from '../platform/routing/route.ts'
import { approvalRoutes } from '../review/approvals/approval-routes.ts'
import { mergeRequestRoutes } from '../review/merge-requests/merge-request-routes.ts'
import { adminRoutes } from './administration/admin-routes.ts'
import { styleguideRoutes } from './styleguide/styleguide-routes.ts'

/** Every page, by layer. */
export const routes: readonly Route[] = [
  ...groupRoutes,
  ...memberRoutes,
  ...userRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...forkRoutes,
  ...projectSettingsRoutes,
  ...repositorySettingsRoutes,
  ...planningRoutes,
  ...mergeRequestRoutes,
  ...hookRoutes,
  ...eventRoutes,
  ...homeRoutes,
  ...notificationRoutes,
  ...searchRoutes,
  ...repositoryRoutes,
  ...fileRoutes,
  ...commitRoutes,
  ...branchRoutes,
  ...tagRoutes,
  ...releaseRoutes,
  ...environmentRoutes,
  ...vulnerabilityRoutes,
  ...badgeRoutes,
  ...pagesDomainRoutes,
  ...scimRoutes,
  ...approvalRoutes,
  ...auditRoutes,
  ...adminRoutes,
  ...styleguideRoutes,
]
