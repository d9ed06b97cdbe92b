import type { ReportType } from '@stithy/core'
import { type SqlBool, sql } from 'kysely'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { asBigint, inList, jsonElements, jsonText, pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

export type SecurityReportRow = Row<'securityReports'>

/** The reports of which at most one is current. */
export interface ReportPlace {
  projectId: number
  ref: string
  reportType: ReportType
}

/** Adds a report that nobody sees yet. */
export async function insertSecurityReport(
  tx: Transaction,
  report: ReportPlace & { sha: string; now: number },
): Promise<SecurityReportRow> {
  const row = await tx.first('security-reports.insert', report, (db, $) =>
    db
      .insertInto('securityReports')
      .values({
        ...pick($, ['projectId', 'ref', 'reportType', 'sha']),
        state: 'pending',
        createdAt: $('now'),
      })
      .returningAll(),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row
}

/**
 * Adds vulnerabilities to a pending report. `rows` is JSON: a list of lists with the fingerprint, the
 * rank where it isn't dismissed, and the other columns in the order of the table. The caller has
 * locked the project.
 */
export async function insertVulnerabilities(
  tx: Transaction,
  args: { projectId: number; reportId: number; rows: string },
): Promise<void> {
  // One statement: 250 rows take 4 ms on SQLite, and one round trip on PostgreSQL.
  const added = await tx.all('vulnerabilities.insert', args, (_, $) => {
    const dismissed = sql`exists (select 1 from "vulnerabilityDismissals" as d
      where d."projectId" = ${$('projectId')} and d.fingerprint = item.value->>0)`
    return sql<{ rank: number }>`insert into vulnerabilities ("projectId", "reportId", fingerprint,
        rank, name, description, solution, scanner, identifiers, links, location)
      select ${asBigint($('projectId'))}, ${asBigint($('reportId'))}, item.value->>0,
        cast(item.value->>1 as integer) - case when ${dismissed} then 1 else 0 end,
        item.value->>2, item.value->>3, item.value->>4, item.value->>5, item.value->>6,
        item.value->>7, item.value->>8
      from ${jsonElements(tx, $('rows'))}
      returning rank`
  })
  const totals = new Map<number, number>()
  for (const { rank } of added) totals.set(rank, (totals.get(rank) ?? 0) + 1)
  await addCounts(tx, { reportId: args.reportId, totals: jsonText([...totals]) })
}

/** Counted as they are added: counting all at the end would hold up others. */
async function addCounts(
  tx: Transaction,
  args: { reportId: number; totals: string },
): Promise<void> {
  await tx.run(
    'vulnerability-counts.add',
    args,
    (_, $) => sql`insert into "vulnerabilityCounts" ("reportId", rank, total)
      select ${asBigint($('reportId'))}, cast(item.value->>0 as integer),
        cast(item.value->>1 as integer)
      from ${jsonElements(tx, $('totals'))} where true
      on conflict ("reportId", rank) do update set total = "vulnerabilityCounts".total + excluded.total`,
  )
}

/** Sets the solution of a vulnerability that has none. */
export async function setSolution(
  tx: Transaction,
  args: { projectId: number; reportId: number; fingerprint: string; solution: string },
): Promise<void> {
  await tx.run('vulnerabilities.set-solution', args, (db, $) =>
    db
      .updateTable('vulnerabilities')
      .set({ solution: $('solution') })
      .where('projectId', '=', $('projectId'))
      .where('fingerprint', '=', $('fingerprint'))
      .where('reportId', '=', $('reportId'))
      .where('solution', 'is', null),
  )
}

/**
 * Makes a pending report the current one of its place. The caller has locked the project. Returns its
 * row; undefined if it was discarded.
 */
export async function publishReport(
  tx: Transaction,
  { id, projectId, ref, reportType }: SecurityReportRow,
  total: number,
): Promise<SecurityReportRow | undefined> {
  const place = { projectId, ref, reportType }
  await tx.run('vulnerability-counts.replace', place, (db, $) =>
    db
      .deleteFrom('vulnerabilityCounts')
      .where('reportId', 'in', (eb) =>
        eb
          .selectFrom('securityReports')
          .select('securityReports.id')
          .where('projectId', '=', $('projectId'))
          .where('ref', '=', $('ref'))
          .where('reportType', '=', $('reportType'))
          .where('state', '=', 'current'),
      ),
  )
  await tx.run('security-reports.replace', place, (db, $) =>
    db
      .updateTable('securityReports')
      .set({ state: 'replaced' })
      .where('projectId', '=', $('projectId'))
      .where('ref', '=', $('ref'))
      .where('reportType', '=', $('reportType'))
      .where('state', '=', 'current'),
  )
  return tx.first('security-reports.publish', { id, total }, (db, $) =>
    db
      .updateTable('securityReports')
      .set({ state: 'current', vulnerabilitiesCount: $('total') })
      .where('id', '=', $('id'))
      .where('state', '=', 'pending')
      .returningAll(),
  )
}

/** A report by its id, or undefined. */
export function findSecurityReport(
  q: Queries,
  args: { id: number },
): Promise<SecurityReportRow | undefined> {
  return q.first('security-reports.find', args, (db, $) =>
    db.selectFrom('securityReports').selectAll().where('id', '=', $('id')),
  )
}

/** Deletes vulnerabilities of a report, up to `limit`; returns how many. */
export async function removeVulnerabilitiesOf(
  tx: Transaction,
  args: { reportId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('vulnerabilities.remove-of', args, (db, $) =>
    db
      .deleteFrom('vulnerabilities')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('vulnerabilities')
          .select('vulnerabilities.id')
          .where('reportId', '=', $('reportId'))
          .limit($('limit')),
      ),
  )
  return changes
}

/** Deletes a report that isn't current. */
export async function removeReport(tx: Transaction, args: { reportId: number }): Promise<void> {
  await tx.run('security-reports.remove', args, (db, $) =>
    db
      .deleteFrom('securityReports')
      .where('id', '=', $('reportId'))
      .where('state', '!=', 'current'),
  )
}

/** Deletes vulnerabilities of a project, up to `limit`; returns how many. */
export async function removeVulnerabilities(
  tx: Transaction,
  args: { projectId: number; limit: number },
): Promise<number> {
  const { changes } = await tx.run('vulnerabilities.remove', args, (db, $) =>
    db
      .deleteFrom('vulnerabilities')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('vulnerabilities')
          .select('vulnerabilities.id')
          .where('projectId', '=', $('projectId'))
          .limit($('limit')),
      ),
  )
  return changes
}

/** Reports of the place of a current one that it has replaced. */
export function listReplacedReports(q: Queries, place: ReportPlace): Promise<{ id: number }[]> {
  return q.all('security-reports.replaced', place, (db, $) =>
    db
      .selectFrom('securityReports')
      .select('id')
      .where('projectId', '=', $('projectId'))
      .where('ref', '=', $('ref'))
      .where('reportType', '=', $('reportType'))
      .where('state', '=', 'replaced'),
  )
}

/** A place among the vulnerabilities of a replaced report, whose ranks don't change any more. */
export interface RankedPlace {
  rank: number
  id: number
}

/** Some of the vulnerabilities of a replaced report, after those of the batch before. */
export interface ReplacedBatch extends RankedPlace {
  reportId: number
  limit: number
}

/**
 * Settles vulnerabilities of a replaced report: those that the current one has as well are deleted, the
 * others are marked as resolved. Returns the last place of the batch; undefined after the end.
 */
export async function settleReplaced(
  tx: Transaction,
  batch: ReplacedBatch,
  { id: currentId, projectId, now }: { id: number; projectId: number; now: number },
): Promise<RankedPlace | undefined> {
  const rows = await tx.all('vulnerabilities.replaced', batch, (db, $) =>
    db
      .selectFrom('vulnerabilities')
      .select(['rank', 'id'])
      .where('reportId', '=', $('reportId'))
      .where(sql<SqlBool>`(rank, id) > (${$('rank')}, ${$('id')})`)
      .orderBy('rank')
      .orderBy('id')
      .limit($('limit')),
  )
  const last = rows.at(-1)
  if (last === undefined) return undefined
  const ids = rows.map(({ id }) => id)
  await tx.run('vulnerabilities.delete-found', { ids, currentId, projectId }, (db, $) =>
    db
      .deleteFrom('vulnerabilities')
      .where(inList('vulnerabilities.id', $('ids')))
      .where('fingerprint', 'in', (eb) =>
        eb
          .selectFrom('vulnerabilities as found')
          .select('found.fingerprint')
          .whereRef('found.fingerprint', '=', 'vulnerabilities.fingerprint')
          .where('found.projectId', '=', $('projectId'))
          .where('found.reportId', '=', $('currentId')),
      ),
  )
  await tx.run('vulnerabilities.resolve', { ids, now }, (db, $) =>
    db
      .updateTable('vulnerabilities')
      .set({ resolvedAt: $('now') })
      .where(inList('vulnerabilities.id', $('ids')))
      .where('resolvedAt', 'is', null),
  )
  return last
}

/** Deletes replaced reports that have no vulnerabilities left. */
export async function removeEmptyReports(tx: Transaction, place: ReportPlace): Promise<void> {
  await tx.run('security-reports.remove-empty', place, (db, $) =>
    db
      .deleteFrom('securityReports')
      .where('projectId', '=', $('projectId'))
      .where('ref', '=', $('ref'))
      .where('reportType', '=', $('reportType'))
      .where('state', '=', 'replaced')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('vulnerabilities')
              .select('vulnerabilities.id')
              .whereRef('vulnerabilities.reportId', '=', 'securityReports.id'),
          ),
        ),
      ),
  )
}
