import { type ExpressionBuilder, expressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Param, Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** The types that can be subscribed to. */
export type SubscribableType = Row<'subscriptions'>['targetType']

interface Args {
  userId: number
  ids: readonly number[]
}

/**
 * Lists those of the targets that the user is subscribed to: by an explicit choice or, without one,
 * by participating as author, assignee or commenter, or by being mentioned. Labels are subscribed
 * to by choice only. One query.
 */
export async function listSubscribed(
  q: Queries,
  type: SubscribableType,
  args: Args,
): Promise<Set<number>> {
  const rows = await q.all(`subscriptions.of|${type}`, args, (_, $) => {
    if (type === 'label') {
      return chosen('label', $).where('s.subscribed', '=', 1).select('s.targetId as id')
    }
    return joined(type, $)
  })
  return new Set(rows.map((row) => row.id))
}

const eb = expressionBuilder<Schema, never>()

/** The user's explicit choices for the targets. */
function chosen(type: SubscribableType, $: Param<Args>) {
  return eb
    .selectFrom('subscriptions as s')
    .where('s.targetType', '=', type)
    .where(inList(eb.ref('s.targetId' as never), $('ids')))
    .where('s.userId', '=', $('userId'))
}

const tables = { issue: 'issues', merge_request: 'mergeRequests', epic: 'epics' } as const
type Tables = Schema & { t: Schema['issues'] }
type TargetBuilder = ExpressionBuilder<Tables, 't'>

function joined(type: keyof typeof tables, $: Param<Args>) {
  const things = eb.selectFrom(`${tables[type]} as t`) as unknown as SelectQueryBuilder<
    Tables,
    't',
    object
  >
  return things
    .where(inList(sql.ref('t.id'), $('ids')))
    .where((t) =>
      t(
        t.fn.coalesce(
          t
            .selectFrom('subscriptions as s')
            .where('s.targetType', '=', type)
            .whereRef('s.targetId', '=', 't.id')
            .where('s.userId', '=', $('userId'))
            .select('s.subscribed'),
          t
            .case()
            .when(participates(t, type, $))
            .then(t.lit(1))
            .else(t.lit(0))
            .end(),
        ),
        '=',
        1,
      ),
    )
    .select('t.id')
}

function participates(t: TargetBuilder, type: keyof typeof tables, $: Param<Args>) {
  const comment = t
    .selectFrom('notes as n')
    .where('n.noteableType', '=', type)
    .whereRef('n.noteableId', '=', 't.id')
    .where('n.authorId', '=', $('userId'))
    .where('n.system', '=', 0)
    .select('n.id')
  const mention = t
    .selectFrom('mentions as m')
    .where('m.userId', '=', $('userId'))
    .where('m.targetType', '=', type)
    .whereRef('m.targetId', '=', 't.id')
    .select('m.userId')
  const conditions = [t('t.authorId', '=', $('userId')), t.exists(mention), t.exists(comment)]
  return t.or(type === 'epic' ? conditions : [...conditions, t.exists(assignment(t, type, $))])
}

function assignment(t: TargetBuilder, type: 'issue' | 'merge_request', $: Param<Args>) {
  if (type === 'issue') {
    return t
      .selectFrom('issueAssignees as a')
      .whereRef('a.issueId', '=', 't.id')
      .where('a.userId', '=', $('userId'))
      .select('a.userId')
  }
  return t
    .selectFrom('mergeRequestAssignees as a')
    .whereRef('a.mergeRequestId', '=', 't.id')
    .where('a.userId', '=', $('userId'))
    .select('a.userId')
}

/** Stores a choice; false if the same one exists already, also when two calls run concurrently. */
export async function chooseSubscription(
  tx: Transaction,
  choice: { targetType: SubscribableType; targetId: number; userId: number; at: number },
  subscribed: boolean,
): Promise<boolean> {
  const args = { ...choice, subscribed: subscribed ? (1 as const) : (0 as const) }
  const { changes } = await tx.run('subscriptions.choose', args, (db, $) =>
    db
      .insertInto('subscriptions')
      .values({
        targetType: $('targetType'),
        targetId: $('targetId'),
        userId: $('userId'),
        subscribed: $('subscribed'),
        createdAt: $('at'),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['targetType', 'targetId', 'userId'])
          .doUpdateSet((e) => ({ subscribed: e.ref('excluded.subscribed') }))
          .whereRef('subscriptions.subscribed', '<>', 'excluded.subscribed' as never),
      ),
  )
  return changes > 0
}
