import type { PipelineState } from '../../code/commits/pipeline-states.ts'
import { maxNameLength, singleLine } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'
import { isFinished } from '../pipelines/pipeline-status.rules.ts'

/** States that can be reported by `POST /projects/:id/statuses/:sha`. */
export const reportedStates = ['pending', 'running', 'success', 'failed', 'canceled'] as const
export type ReportedState = (typeof reportedStates)[number]

/** Name of a status that was reported without one. */
export const defaultStatusName = 'default'

/** External statuses are in a separate stage, after all others. */
export const externalStage = { name: 'external', index: 1_000_000 } as const

/**
 * The effect of a report on the newest status of its name: update it, add a new one, or reject the
 * report, since the transition is not allowed.
 */
export type StatusTransition = 'changed' | 'added' | 'refused'

/** Table of transitions; `from` is undefined when there is no status. */
export function statusTransition(
  from: PipelineState | undefined,
  to: ReportedState,
): StatusTransition {
  if (from === undefined || isFinished(from)) return 'added'
  if (to === 'pending') return 'refused'
  return to === 'running' && from === 'running' ? 'refused' : 'changed'
}

/** Text fields of a report. */
export interface StatusTexts {
  name: string
  target_url?: string | undefined
  description?: string | undefined
}

/** Validates a report; returns errors by field, empty when there are none. */
export function statusErrors({ name, target_url, description }: StatusTexts): FieldErrors {
  const errors: FieldErrors = {}
  for (const [field, text] of Object.entries({ name, target_url, description })) {
    if (isLongerThan(text, maxNameLength)) {
      errors[field] = [tooLong(maxNameLength)]
    }
  }
  if (target_url && errors.target_url === undefined && !isWebAddress(target_url)) {
    errors.target_url = ['must be an http or https URL']
  }
  return errors
}

function isWebAddress(text: string): boolean {
  // Parsers drop line breaks.
  return singleLine.test(text) && /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text)
}
