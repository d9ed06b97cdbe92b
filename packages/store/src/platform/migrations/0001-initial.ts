import type { Kysely } from 'kysely'
import { createActivity } from './0001/activity.ts'
import { createAdministration } from './0001/administration.ts'
import { createCi } from './0001/ci.ts'
import { createCode } from './0001/code.ts'
import { createUsersAndNamespaces } from './0001/directory.ts'
import { createDiscussions } from './0001/discussions.ts'
import { createEpicIssues } from './0001/epic-issues.ts'
import { createIssues } from './0001/issues.ts'
import { createLabelTotals } from './0001/label-totals.ts'
import { createMails } from './0001/mails.ts'
import { createMembers, createShares } from './0001/members.ts'
import { createPagesDomains } from './0001/pages-domains.ts'
import { createPlanning } from './0001/planning.ts'
import { createPlatform } from './0001/platform.ts'
import { createProjectDetails, createProjects, createRedirects } from './0001/projects.ts'
import { createReview } from './0001/review.ts'
import { createSearchIndex } from './0001/search-index.ts'
import { createTextSearch } from './0001/text-search.ts'
import { createVulnerabilities, createVulnerabilityIssues } from './0001/vulnerabilities.ts'
import { createTools } from './tools.ts'

/** The whole schema. A table comes after those that its foreign keys reference. */
export async function up(db: Kysely<unknown>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  const t = createTools(db, dialect)
  await createPlatform(t)
  await createUsersAndNamespaces(t)
  await createMails(t)
  await createProjects(t)
  await createProjectDetails(t)
  await createRedirects(t)
  await createMembers(t)
  await createShares(t)
  await createPagesDomains(t)
  await createCode(t)
  await createCi(t)
  await createVulnerabilities(t)
  await createPlanning(t)
  await createIssues(t)
  await createVulnerabilityIssues(t)
  await createEpicIssues(t)
  await createDiscussions(t)
  await createReview(t)
  await createTextSearch(t)
  await createSearchIndex(t)
  await createLabelTotals(t)
  await createActivity(t)
  await createAdministration(t)
}
