import { parentPort } from 'node:worker_threads'
import type { ReportPart, ReportRequest } from './report-messages.ts'
import { openReport, type ReportReader } from './report-reader.ts'

let current: { id: string; reader: ReportReader } | undefined

// A separate thread: a large report does not block the server, and a hostile one can be stopped.
parentPort?.on('message', (request: ReportRequest) => {
  parentPort?.postMessage(nextPart(request))
})
parentPort?.postMessage('ready')

/** Another report takes the place of one that was given up. */
function nextPart({ id, reportType, bytes }: ReportRequest): ReportPart {
  if (current?.id !== id) current = { id, reader: openReport(reportType) }
  const { reader } = current
  const part = bytes === undefined ? reader.end() : reader.write(bytes)
  const isLast = 'problem' in part || ('solutions' in part && part.solutions.length === 0)
  if (isLast) current = undefined
  return part
}
