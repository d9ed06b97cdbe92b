import { z } from 'zod'
import { endpoint } from '../../platform/contract/endpoint.ts'
import { nonEmptyText } from '../../platform/contract/fields.ts'
import { resourceName } from '../../platform/contract/names.ts'
import { durationPatterns } from '../items/duration.rules.ts'
import { TimeStats } from '../items/work-item.schema.ts'

function duration(pattern: string) {
  return z.object({ duration: nonEmptyText({ rules: { pattern } }) })
}

const notation = 'Durations are written like `1mo 2w 3d 4h 30m`; a day has 8 hours, a week 5 days.'

interface Tracked<P extends string, S extends z.ZodRawShape, On extends string> {
  /** Path of the item. */
  path: P
  /** Its iid in the path. */
  params: z.ZodObject<S>
  /** The type of subject. */
  on: On
  /** `an issue` */
  noun: string
}

/** Builds the time tracking endpoints of issues or merge requests. */
export function timeTracking<
  const P extends string,
  S extends z.ZodRawShape,
  const On extends string,
>(tracked: Tracked<P, S, On>) {
  const { path, params, on, noun } = tracked
  return {
    show: endpoint({
      name: `${resourceName(on)}.timeStats` as const,
      method: 'GET',
      path: `${path}/time_stats`,
      params,
      response: { 200: TimeStats },
      auth: { on, ability: `read_${on}` as const },
      errors: ['not_found'],
      docs: { summary: `Show time tracking statistics of ${noun}` },
    }),
    ...estimateEndpoints(tracked),
    ...spentTimeEndpoints(tracked),
  }
}

/** What all writing endpoints have in common. */
function writing<S extends z.ZodRawShape, const On extends string>({
  params,
  on,
}: Pick<Tracked<string, S, On>, 'params' | 'on'>) {
  const auth = { on, ability: `track_${on}_time` } as const
  return { method: 'POST', params, response: { 200: TimeStats }, auth } as const
}

function estimateEndpoints<
  const P extends string,
  S extends z.ZodRawShape,
  const On extends string,
>(tracked: Tracked<P, S, On>) {
  const { path, on, noun } = tracked
  const name = resourceName(on)
  return {
    estimate: endpoint({
      name: `${name}.setTimeEstimate` as const,
      ...writing(tracked),
      path: `${path}/time_estimate`,
      body: duration(durationPatterns.unsigned),
      errors: ['not_found', 'validation_failed'],
      docs: { summary: `Set the time estimate of ${noun}`, description: notation },
    }),
    resetEstimate: endpoint({
      name: `${name}.resetTimeEstimate` as const,
      ...writing(tracked),
      path: `${path}/reset_time_estimate`,
      errors: ['not_found'],
      docs: { summary: `Reset the time estimate of ${noun}` },
    }),
  }
}

function spentTimeEndpoints<
  const P extends string,
  S extends z.ZodRawShape,
  const On extends string,
>(tracked: Tracked<P, S, On>) {
  const { path, on, noun } = tracked
  const name = resourceName(on)
  return {
    spend: endpoint({
      name: `${name}.addSpentTime` as const,
      ...writing(tracked),
      path: `${path}/add_spent_time`,
      body: duration(durationPatterns.signed),
      response: { 201: TimeStats },
      errors: ['not_found', 'validation_failed'],
      docs: {
        summary: `Add time spent on ${noun}`,
        description: `${notation} A leading minus sign subtracts.`,
      },
    }),
    resetSpent: endpoint({
      name: `${name}.resetSpentTime` as const,
      ...writing(tracked),
      path: `${path}/reset_spent_time`,
      errors: ['not_found'],
      docs: { summary: `Reset the time spent on ${noun}` },
    }),
  }
}
