import { expressionBuilder } from 'kysely'
import type { Schema } from '../../../../platform/schema/schema.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Context, number, type Part, word } from './conditions.ts'

const eb = expressionBuilder<Schema, never>()

/** Conditions that only merge requests have: on their branches and on work in progress. */
export function branchParts(filter: WorkItemFilter): Part[] {
  const { wip, sourceProjectId } = filter
  const parts: Part[] = []
  if (wip !== undefined) {
    // A constant, since the partial index of work in progress covers only this value.
    const where = ({ column }: Context) => eb(column('workInProgress'), '=', wip ? 1 : 0)
    parts.push({ name: `wip-${wip}`, where })
  }
  if (sourceProjectId !== undefined) {
    const where = ({ $, column }: Context) =>
      eb(column<number>('sourceProjectId'), '=', number($, 'sourceProjectId'))
    parts.push({ name: 'sourceProjectId', args: { sourceProjectId }, where })
  }
  return [...parts, ...nameParts(filter)]
}

function nameParts(filter: WorkItemFilter): Part[] {
  return (['sourceBranch', 'targetBranch'] as const).flatMap((name) => {
    const branch = filter[name]
    if (branch === undefined) return []
    const where = ({ $, column }: Context) => eb(column<string>(name), '=', word($, name))
    return [{ name, args: { [name]: branch }, where }]
  })
}
