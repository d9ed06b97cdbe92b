import { type SystemHookTrigger, systemHookTriggers, type WebhookTrigger } from '@stithy/core'
import type { Kysely } from 'kysely'
import type { Param, Queries } from '../../platform/queries/queries.ts'
import type { Schema } from '../../platform/schema/schema.ts'
import { switchColumns, type WebhookRow } from './webhook-store.ts'

/** What decides whether a hook receives an event. */
export type ListeningHook = Pick<WebhookRow, 'id' | 'kind' | 'pushEventsBranchFilter'>

/** An event: what enables it, and when it happened. */
interface Event {
  projectId: number
  listensTo: WebhookTrigger | SystemHookTrigger
  /** Milliseconds since the epoch. */
  at: number
}

const columns = ['webhooks.id', 'webhooks.kind', 'webhooks.pushEventsBranchFilter'] as const

const systemTriggers: ReadonlySet<string> = new Set(systemHookTriggers)

/**
 * The hooks that receive an event of a project and existed at that time: its own, those of its
 * groups and their ancestors, and, for events that system hooks subscribe to, those of the
 * instance. Disabled ones are left out. One query, with a seek per project, group and instance.
 */
export async function findListeningWebhooks(
  q: Queries,
  { projectId, listensTo, at }: Event,
): Promise<ListeningHook[]> {
  const found = await q.all(`webhooks.listening|${listensTo}`, { projectId, at }, (db, $) => {
    const listening = () => enabled(db, $).where(`webhooks.${switchColumns[listensTo]}`, '=', 1)
    const ofGroups = listening().where('webhooks.groupId', 'in', (eb) =>
      eb
        .selectFrom('projects as p')
        .innerJoin('namespaceAncestors as a', 'a.descendantId', 'p.namespaceId')
        .where('p.id', '=', $('projectId'))
        .select('a.ancestorId'),
    )
    const ofProject = listening().where('webhooks.projectId', '=', $('projectId'))
    const both = ofProject.unionAll(ofGroups)
    if (!systemTriggers.has(listensTo)) return both
    return both.unionAll(listening().where('webhooks.kind', '=', 'system'))
  })
  return found.toSorted((a, b) => a.id - b.id)
}

function enabled(db: Kysely<Schema>, $: Param<{ at: number }>) {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .where('webhooks.createdAt', '<=', $('at'))
    .where('webhooks.disabledAt', 'is', null)
}

/** The ids of the system hooks that existed at a time, without disabled ones. */
export async function findSystemWebhooks(q: Queries, at: number): Promise<number[]> {
  const rows = await q.all('webhooks.system', { at }, (db, $) =>
    enabled(db, $).where('webhooks.kind', '=', 'system').orderBy('webhooks.id'),
  )
  return rows.map(({ id }) => id)
}
