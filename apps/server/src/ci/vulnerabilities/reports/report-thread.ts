import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type ReportType, validationFailed } from '@stithy/core'
import { reportScript } from '../../../platform/runtime.ts'
import { askThread, openThread } from '../../../platform/threads/worker-thread.ts'
import type { ReportPart, ReportRequest } from './report-messages.ts'

/** Bytes of a report that are read at a time; they hold a few hundred vulnerabilities. */
const chunkBytes = 256 * 1024

/** A part of a common report takes 20 ms. */
const limits = { answerMs: 30_000, waitMs: 60_000 }

const source = fileURLToPath(new URL('./report-worker.ts', import.meta.url))
const thread = openThread({ bundled: reportScript, source })

/** A part of a report that has nothing wrong with it. */
export type ValidPart = Exclude<ReportPart, { problem: string }>

/**
 * Reads a report part by part, of which it holds one at a time. The caller has one report read at a
 * time.
 * @throws DomainError `validation_failed` for one that isn't valid
 */
export async function* readParts(report: File, reportType: ReportType): AsyncGenerator<ValidPart> {
  const id = randomUUID()
  for (let start = 0; start < report.size; start += chunkBytes) {
    const bytes = await report.slice(start, start + chunkBytes).bytes()
    yield await ask({ id, reportType, bytes })
  }
  for (let isLast = false; !isLast; ) {
    const part = await ask({ id, reportType })
    isLast = !('solutions' in part) || part.solutions.length === 0
    yield part
  }
}

async function ask(request: ReportRequest): Promise<ValidPart> {
  const part = await askThread<ReportRequest, ReportPart>(thread, request, limits)
  if (part === undefined || part === 'late') throw invalid('takes too long, or too much memory')
  if ('problem' in part) throw invalid(part.problem)
  return part
}

function invalid(problem: string) {
  return validationFailed({ file: [problem] })
}
