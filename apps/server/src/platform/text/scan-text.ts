import { setImmediate } from 'node:timers/promises'
import { DomainError } from '@stithy/core'
import { askThread } from '../threads/worker-thread.ts'
import type { ScanAnswer, ScanRequest } from './text-messages.ts'
import { type ScanName, type TextScans, textScans } from './text-scans.ts'
import { openTextThread, timeoutFor } from './text-thread.ts'

/** Length in characters from which a text, or several in a row, would keep others waiting. */
const longText = 16_384
/** Maximum time in the queue, in milliseconds. */
const waitMs = 15_000

const thread = openTextThread()

/** Characters of short texts since others had their turn. */
let scannedInTurn = 0

/**
 * Scans a text: a long one in a thread of its own, in the order of the calls. Of a thousand short
 * ones, such as the messages of a push, nothing else may wait for all.
 * @throws DomainError `unavailable` if that takes too long
 */
export async function scanText<Name extends ScanName>(
  scan: Name,
  ...args: Parameters<TextScans[Name]>
): Promise<ReturnType<TextScans[Name]>> {
  const length = lengthOf(args[0])
  if (length < longText) {
    const run = textScans[scan] as (...args: Parameters<TextScans[Name]>) => unknown
    const scanned = run(...args) as ReturnType<TextScans[Name]>
    scannedInTurn += length
    if (scannedInTurn >= longText) {
      scannedInTurn = 0
      await setImmediate()
    }
    return scanned
  }
  const request: ScanRequest = { scan, args }
  const limits = { answerMs: timeoutFor(length), waitMs }
  const answer = await askThread<ScanRequest, ScanAnswer>(thread, request, limits)
  if (typeof answer === 'object') return answer.scanned as ReturnType<TextScans[Name]>
  throw new DomainError('unavailable', { message: 'The server is too busy for a text this long.' })
}

function lengthOf(text: Parameters<TextScans[ScanName]>[0]): number {
  if (typeof text === 'string') return text.length
  return text.text.length + (text.previous?.length ?? 0)
}
