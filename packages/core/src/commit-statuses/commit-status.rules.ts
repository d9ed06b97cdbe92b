import type { FieldErrors } from '../errors.ts'
import { isOver, type PipelineState } from '../pipelines/pipeline-status.rules.ts'

/** States that a check may report (catalogue: repository, 4). */
export const reportedStates = ['pending', 'running', 'success', 'failed', 'canceled'] as const
export type ReportedState = (typeof reportedStates)[number]

/** The name of a status that was given none. */
export const defaultStatusName = 'default'

/** External statuses stand in a stage of their own, behind all others. */
export const externalStage = { name: 'external', index: 1_000_000 } as const

/**
 * What a report does to the newest status of its name: changes it, adds a new one, or nothing, since
 * there is no such transition.
 */
export type StatusTransition = 'changed' | 'added' | 'refused'

/** The table of transitions (catalogue: repository, 4); `from` is undefined where there is no status. */
export function statusTransition(
  from: PipelineState | undefined,
  to: ReportedState,
): StatusTransition {
  if (from === undefined || isOver(from)) return 'added'
  if (to === 'pending') return 'refused'
  return to === 'running' && from === 'running' ? 'refused' : 'changed'
}

const maxLength = 255

/** What a report says beside its state. */
export interface StatusTexts {
  name: string
  target_url?: string | undefined
  description?: string | undefined
}

/** Texts of what is wrong with a report, by field; empty where nothing is. */
export function statusErrors({ name, target_url, description }: StatusTexts): FieldErrors {
  const errors: FieldErrors = {}
  for (const [field, text] of Object.entries({ name, target_url, description })) {
    if (text !== undefined && Array.from(text).length > maxLength) {
      errors[field] = [`is too long (maximum is ${maxLength} characters)`]
    }
  }
  if (target_url && errors.target_url === undefined && !isWebAddress(target_url)) {
    errors.target_url = ['must be an http or https address']
  }
  return errors
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/?#]/i.test(text) && URL.canParse(text)
}
