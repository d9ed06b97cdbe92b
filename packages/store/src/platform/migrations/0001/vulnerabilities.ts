import type { Tools } from '../tools.ts'

/** Security reports, what they found, and what of that was dismissed. */
export async function createVulnerabilities(t: Tools): Promise<void> {
  await createReports(t)
  await createFindings(t)
  await t.table('vulnerabilityDismissals', {
    id: t.id(),
    projectId: t.parent('projects'),
    fingerprint: t.text(),
    authorId: t.parent('users'),
    comment: t.textOrNull(),
    createdAt: t.long(),
  })
  await t.unique('vulnerabilityDismissals', 'projectId', 'fingerprint')
  await t.index('vulnerabilityDismissals', 'authorId', 'id')
}

async function createReports(t: Tools): Promise<void> {
  await t.table('securityReports', {
    id: t.id(),
    projectId: t.parent('projects'),
    ref: t.text(),
    reportType: t.text(),
    sha: t.text(),
    state: t.text(),
    vulnerabilitiesCount: t.int(0),
    createdAt: t.long(),
  })
  await t.uniqueWhere('securityReports', ['projectId', 'ref', 'reportType'], 'state', 'current')
  await t.index('securityReports', 'projectId', 'ref', 'reportType', 'id')
}

async function createFindings(t: Tools): Promise<void> {
  await t.table('vulnerabilities', {
    id: t.id(),
    projectId: t.parent('projects'),
    reportId: t.parent('securityReports'),
    fingerprint: t.text(),
    rank: t.int(),
    name: t.text(),
    description: t.textOrNull(),
    solution: t.textOrNull(),
    scanner: t.text(),
    identifiers: t.text(),
    links: t.text(),
    location: t.text(),
    resolvedAt: t.longOrNull(),
  })
  await t.index('vulnerabilities', 'reportId', 'rank', 'id')
  await t.index('vulnerabilities', 'projectId', 'fingerprint')
  await t.table('vulnerabilityCounts', {
    id: t.id(),
    reportId: t.parent('securityReports'),
    rank: t.int(),
    total: t.int(),
  })
  await t.unique('vulnerabilityCounts', 'reportId', 'rank')
}

/** The issues that were created for vulnerabilities. */
export async function createVulnerabilityIssues(t: Tools): Promise<void> {
  await t.table('vulnerabilityIssues', {
    id: t.id(),
    projectId: t.parent('projects'),
    fingerprint: t.text(),
    issueId: t.parent('issues'),
    createdAt: t.long(),
  })
  await t.unique('vulnerabilityIssues', 'projectId', 'fingerprint')
  await t.index('vulnerabilityIssues', 'issueId')
}
