import {
  findSecurityReport,
  listReplacedReports,
  type RankedPlace,
  removeEmptyReports,
  removeReport,
  removeVulnerabilitiesOf,
  type SecurityReportRow,
  settleReplaced,
} from '@stithy/store'
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import { inBatches } from '../../platform/jobs/in-batches.ts'
import type { JobHandler } from '../../platform/jobs/run-job.ts'
import { discardReportKind, settleReportKind } from './security-report.service.ts'

/** Each is looked for in the current report. */
const settledAtOnce = 300

const Payload = z.object({ reportId: z.int() })

/** Removes a report that failed, or was interrupted, before it became the current one. */
export const discardReportJob: JobHandler = {
  kind: discardReportKind,
  async run(app, payload) {
    const { reportId } = Payload.parse(payload)
    const report = await findSecurityReport(app.db, { id: reportId })
    if (report?.state !== 'pending') return
    await inBatches((limit) =>
      app.db.transaction((tx) => removeVulnerabilitiesOf(tx, { reportId, limit })),
    )
    await app.db.transaction((tx) => removeReport(tx, { reportId }))
  },
}

/**
 * Removes what a report has replaced; what it lacks is kept as resolved. If another one has replaced it
 * meanwhile, that one does so.
 */
export const settleReportJob: JobHandler = {
  kind: settleReportKind,
  async run(app, payload, signal) {
    const { reportId } = Payload.parse(payload)
    const report = await findSecurityReport(app.db, { id: reportId })
    if (report?.state !== 'current') return
    for (const { id } of await listReplacedReports(app.db, report)) {
      if (!(await settle(app, report, id, signal))) return
    }
    await app.db.transaction((tx) => removeEmptyReports(tx, report))
  },
}

/** Returns whether the report is still the current one. */
async function settle(
  app: App,
  report: SecurityReportRow,
  replacedId: number,
  signal: AbortSignal,
): Promise<boolean> {
  let after: RankedPlace | undefined = { rank: 0, id: 0 }
  await inBatches(async (limit) => {
    signal.throwIfAborted()
    if (after === undefined) return 0
    const batch = { reportId: replacedId, ...after, limit }
    after = await app.db.transaction(async (tx) => {
      const now = await findSecurityReport(tx, report)
      if (now?.state !== 'current') return undefined
      return settleReplaced(tx, batch, { ...report, now: app.now() })
    })
    return after === undefined ? 0 : limit
  }, settledAtOnce)
  return (await findSecurityReport(app.db, report))?.state === 'current'
}
