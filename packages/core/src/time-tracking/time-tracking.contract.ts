import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { filledText } from '../contract/fields.ts'
import { TimeStats } from '../work-items/work-item.schema.ts'

const tag = 'Time tracking'
const duration = z.object({ duration: filledText() })
const notation = 'A duration is written like `1mo 2w 3d 4h 30m`; a day has 8 hours, a week 5 days.'

interface Tracked<P extends string, S extends z.ZodRawShape, A> {
  /** The path of one of them. */
  path: P
  /** Its number in the path. */
  params: z.ZodObject<S>
  /** What everybody who reaches one of them may do to its project. */
  auth: A
  /** `an issue` */
  noun: string
}

/** The same calls for whatever time is spent on (catalogue: issues, 2.4). */
export function timeTracking<
  const P extends string,
  S extends z.ZodRawShape,
  const A extends { on: 'project'; ability: 'read_issues' | 'read_project' },
>({ path, params, auth, noun }: Tracked<P, S, A>) {
  const stats = { params, response: { 200: TimeStats }, auth } as const
  return {
    show: endpoint({
      method: 'GET',
      ...stats,
      path: `${path}/time_stats`,
      errors: ['not_found'],
      docs: { summary: `Show the estimated and the spent time of ${noun}`, tag },
    }),
    estimate: endpoint({
      method: 'POST',
      ...stats,
      path: `${path}/time_estimate`,
      body: duration,
      errors: ['not_found', 'validation_failed'],
      docs: { summary: `Estimate the time of ${noun}`, tag, description: notation },
    }),
    resetEstimate: endpoint({
      method: 'POST',
      ...stats,
      path: `${path}/reset_time_estimate`,
      errors: ['not_found'],
      docs: { summary: `Remove the estimated time of ${noun}`, tag },
    }),
    spend: endpoint({
      method: 'POST',
      ...stats,
      path: `${path}/add_spent_time`,
      body: duration,
      response: { 201: TimeStats },
      errors: ['not_found', 'validation_failed'],
      docs: {
        summary: `Add time spent on ${noun}`,
        tag,
        description: `${notation} With a minus sign in front it is taken back.`,
      },
    }),
    resetSpent: endpoint({
      method: 'POST',
      ...stats,
      path: `${path}/reset_spent_time`,
      errors: ['not_found'],
      docs: { summary: `Take back all time spent on ${noun}`, tag },
    }),
  }
}
