import { setImmediate } from 'node:timers/promises'
import {
  DomainError,
  isBranchOrTagName,
  parseRef,
  type ReportType,
  reportLimits,
  validationFailed,
} from '@stithy/core'
import { findBranch, findTag, resolveCommit } from '@stithy/git'
import {
  enqueueJob,
  insertSecurityReport,
  insertVulnerabilities,
  lockProject,
  publishReport,
  type SecurityReportRow,
  StoreError,
  setSolution,
  type Transaction,
} from '@stithy/store'
import type { ProjectRow } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import { requestLimitTable } from '../../platform/config/request-limits.ts'
import { slotsPerApp } from '../../platform/http/transfer-slots.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import { readParts, type ValidPart } from './reports/report-thread.ts'

export const settleReportKind = 'vulnerabilities.settle-report'
export const discardReportKind = 'vulnerabilities.discard-report'

/** After this time, in milliseconds, a report that is still pending was interrupted. */
const abandonedMs = 60 * 60_000

/** One report is read at a time. */
const readerSlots = slotsPerApp(() => ({
  total: 1,
  perClient: 1,
  queue: requestLimitTable.securityReport.waiting.value,
}))

/** A security report as it was sent. */
export interface SentReport {
  file: File
  report_type: ReportType
  ref?: string | undefined
  sha?: string | undefined
}

/**
 * Stores a report under an id that nobody sees, and then makes it the current one of its type and ref.
 * @param signal of the client, whose report is dropped while it waits for others
 * @throws DomainError `validation_failed`, `payload_too_large`; `too_many_requests` if too many wait;
 *   `conflict` if it took so long that it was given up
 */
export async function storeReport(
  app: App,
  project: ProjectRow,
  { file, report_type: reportType, ref, sha }: SentReport,
  signal: AbortSignal,
): Promise<SecurityReportRow> {
  if (file.size > reportLimits.bytes) throw new DomainError('payload_too_large')
  const scanned = await findScanned(app, project, ref || undefined, sha || undefined)
  const release = await readerSlots(app).take(`project ${project.id}`, signal)
  try {
    const report = await openReport(app, { projectId: project.id, reportType, ...scanned })
    return await fillReport(app, report, file)
  } finally {
    release()
  }
}

async function fillReport(
  app: App,
  report: SecurityReportRow,
  file: File,
): Promise<SecurityReportRow> {
  try {
    let total = 0
    for await (const part of readParts(file, report.reportType)) {
      await storePart(app, report, part)
      if ('count' in part) total += part.count
    }
    return await publish(app, report, total)
  } catch (error) {
    await discardLater(app, report, app.now())
    throw isGone(error) ? givenUp() : error
  }
}

/** Whether the row of the report, which its vulnerabilities refer to, was removed. */
function isGone(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'reference'
}

function givenUp(): DomainError {
  return new DomainError('conflict', { message: 'The report was given up, as it took too long' })
}

/** What was scanned: the tip of the default branch, if nothing was sent. */
async function findScanned(
  app: App,
  project: ProjectRow,
  sent: string | undefined,
  sha: string | undefined,
): Promise<{ ref: string; sha: string }> {
  const repository = repositoryOf(app, project)
  const named = sent === undefined ? project.defaultBranch : (parseRef(sent)?.name ?? sent)
  if (named === null) throw validationFailed({ ref: ['is missing: the repository is empty'] })
  if (!isBranchOrTagName(named)) throw validationFailed({ ref: ['is invalid'] })
  if (sha !== undefined) {
    const commit = await resolveCommit(app.git, repository, sha)
    if (commit === undefined) throw validationFailed({ sha: ['does not exist'] })
    return { ref: named, sha: commit }
  }
  const isBranch = (await findBranch(app.git, repository, named)) !== undefined
  const isTag = !isBranch && (await findTag(app.git, repository, named)) !== undefined
  const full = `refs/${isTag ? 'tags' : 'heads'}/${named}`
  const tip = isBranch || isTag ? await resolveCommit(app.git, repository, full) : undefined
  if (tip === undefined) throw validationFailed({ ref: ['does not exist'] })
  return { ref: named, sha: tip }
}

function openReport(
  app: App,
  report: { projectId: number; reportType: ReportType; ref: string; sha: string },
): Promise<SecurityReportRow> {
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const row = await insertSecurityReport(tx, { ...report, now })
    const job = { kind: discardReportKind, payload: { reportId: row.id } }
    await enqueueJob(tx, { ...job, queue: 'maintenance', runAt: now + abandonedMs }, now)
    return row
  })
}

/** Stores a part, some in each transaction. */
async function storePart(app: App, report: SecurityReportRow, part: ValidPart): Promise<void> {
  const { id: reportId, projectId } = report
  if ('solutions' in part) {
    await inProject(app, report, async (tx) => {
      for (const solved of part.solutions) {
        await setSolution(tx, { projectId, reportId, ...solved })
      }
    })
    return
  }
  for (const rows of part.rows) {
    await inProject(app, report, (tx) => insertVulnerabilities(tx, { projectId, reportId, rows }))
    await setImmediate()
  }
}

/** The lock has dismissals wait, which would not see these rows. */
function inProject(
  app: App,
  { projectId }: SecurityReportRow,
  work: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return app.db.transaction(async (tx) => {
    await lockProject(tx, projectId)
    await work(tx)
  })
}

function publish(app: App, report: SecurityReportRow, total: number): Promise<SecurityReportRow> {
  return app.db.transaction(async (tx) => {
    await lockProject(tx, report.projectId)
    const published = await publishReport(tx, report, total)
    if (published === undefined) {
      throw givenUp()
    }
    const payload = { reportId: report.id }
    await enqueueJob(tx, { queue: 'maintenance', kind: settleReportKind, payload }, app.now())
    return published
  })
}

/** Has what was stored of a report removed. */
function discardLater(app: App, { id }: SecurityReportRow, now: number): Promise<number> {
  const job = { queue: 'maintenance', kind: discardReportKind, payload: { reportId: id } }
  return app.db.transaction((tx) => enqueueJob(tx, job, now))
}
