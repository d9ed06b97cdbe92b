import { expressionBuilder, sql } from 'kysely'
import { inList } from '../../../../platform/queries/sql.ts'
import type { Schema } from '../../../../platform/schema/schema.ts'
import type { WorkItemFilter } from '../work-item-filter.ts'
import { type Condition, columnOf } from '../work-item-table.ts'
import { type Context, number, type Part } from './conditions.ts'

const eb = expressionBuilder<Schema, never>()

/** Conditions on the users who are listed as approvers of a merge request. */
export function approverParts({ approverIds }: WorkItemFilter): Part[] {
  if (approverIds === undefined) return []
  if (approverIds === 'none') {
    return [{ name: 'approvers-none', where: (context) => eb.not(eb.exists(listedBy(context))) }]
  }
  if (approverIds === 'any') {
    return [{ name: 'approvers-any', where: (context) => eb.exists(listedBy(context)) }]
  }
  const ids = [...new Set(approverIds.is)]
  return [
    {
      name: 'approvers',
      args: { approverIds: ids, approverCount: ids.length },
      where: (context) => eb(countListed(context), '=', number(context.$, 'approverCount')),
    },
  ]
}

/** How many of the users are listed; one query text for any number of them. */
function countListed(context: Context) {
  const { $ } = context
  return listedBy(context)
    .where((e) => inList(e.ref('approver.userId'), $('approverIds') as readonly number[]))
    .clearSelect()
    .select((e) => e.fn.count<number>('approver.userId').distinct().as('count'))
}

/**
 * A condition that all merge requests satisfy that list an approver, or a given one (`approverId`):
 * those with such a rule, and those of projects with such a rule, which they may have replaced.
 */
export function mayListApprover({ table, $ }: Context, isGiven: boolean): Condition {
  const users = eb
    .selectFrom('approvalRuleUsers as approver')
    .innerJoin('approvalRules as rule', 'rule.id', 'approver.ruleId')
  const given = isGiven ? users.where('approver.userId', '=', number($, 'approverId')) : users
  const own = given.where('rule.mergeRequestId', 'is not', null).select('rule.mergeRequestId as id')
  const projects = given.where('rule.projectId', 'is not', null).select('rule.projectId')
  const ofProjects = eb
    .selectFrom('mergeRequests as other')
    .where('other.projectId', 'in', projects)
    .select('other.id')
  return sql`${columnOf(table, 'id')} in (${own.unionAll(ofProjects)})`
}

/**
 * Users whom a rule of the merge request lists, or one of its project that it does not replace.
 */
function listedBy({ column, table }: Context) {
  const id = columnOf<number>(table, 'id')
  const replacing = expressionBuilder<Schema & { rule: Schema['approvalRules'] }, 'rule'>()
    .selectFrom('approvalRules as own')
    .where('own.mergeRequestId', '=', id)
    .where((e) =>
      e.or([
        e('own.sourceRuleId', '=', e.ref('rule.id')),
        e.and([e('own.kind', '=', 'fallback'), e('rule.kind', '=', 'fallback')]),
      ]),
    )
    .select('own.id')
  return eb
    .selectFrom('approvalRuleUsers as approver')
    .innerJoin('approvalRules as rule', 'rule.id', 'approver.ruleId')
    .where((e) =>
      e.or([
        e('rule.mergeRequestId', '=', id),
        e.and([e('rule.projectId', '=', column<number>('projectId')), e.not(e.exists(replacing))]),
      ]),
    )
    .select('approver.ruleId')
}
