import type { NotificationEvent } from '@stithy/core'
import type { Queries } from '../../platform/queries/queries.ts'
import { fromJsonText, inList } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** Where something happens: 0 for a scope that it is not in. */
export interface NotificationPlace {
  projectId: number
  /** The namespace of the project, or the group. */
  namespaceId: number
}

/** The level that a user chose in one scope. */
export interface ChosenLevel {
  userId: number
  scope: Row<'notificationSettings'>['scope']
  /** From the project's group upwards: 0, 1, …; 0 for other scopes. */
  distance: number
  level: number
  events: Readonly<Partial<Record<NotificationEvent, boolean>>>
}

/** All levels that these users chose for a place: global, in its groups and in its project. */
export async function listChosenLevels(
  q: Queries,
  args: NotificationPlace & { userIds: readonly number[] },
): Promise<ChosenLevel[]> {
  const rows = await q.all('notifications.levels', args, (db, $) => {
    const settings = db
      .selectFrom('notificationSettings as s')
      .where((eb) => inList(eb.ref('s.userId'), $('userIds')))
    const own = settings
      .where((eb) =>
        eb.or([
          eb.and([eb('s.scope', '=', 'global'), eb('s.scopeId', '=', 0)]),
          eb.and([eb('s.scope', '=', 'project'), eb('s.scopeId', '=', $('projectId'))]),
        ]),
      )
      .select((eb) => [
        's.userId',
        's.scope',
        eb.lit<number>(0).as('distance'),
        's.level',
        's.events',
      ])
    const ofGroups = settings
      .innerJoin('namespaceAncestors as a', 'a.ancestorId', 's.scopeId')
      .where('s.scope', '=', 'group')
      .where('a.descendantId', '=', $('namespaceId'))
      .select(['s.userId', 's.scope', 'a.distance', 's.level', 's.events'])
    return own.unionAll(ofGroups)
  })
  return rows.map(({ events, ...row }) => ({ ...row, events: fromJsonText(events) }))
}

/** An explicit choice to be told of something, or not. */
export interface SubscriptionChoice {
  userId: number
  subscribed: boolean
}

/** What users chose about an item, whatever the other reasons to tell them. */
export async function listItemSubscriptions(
  q: Queries,
  args: { targetType: 'issue' | 'merge_request' | 'epic'; targetId: number },
): Promise<SubscriptionChoice[]> {
  const rows = await q.all('notifications.subscriptions', args, (db, $) =>
    db
      .selectFrom('subscriptions')
      .where('targetType', '=', $('targetType'))
      .where('targetId', '=', $('targetId'))
      .select(['userId', 'subscribed']),
  )
  return rows.map(({ userId, subscribed }) => ({ userId, subscribed: subscribed === 1 }))
}

/** The users who are subscribed to a label of an item, once for each such label. */
export async function listLabelSubscribers(
  q: Queries,
  args: { targetType: 'issue' | 'merge_request' | 'epic'; targetId: number },
): Promise<{ userId: number; labelId: number }[]> {
  return q.all('notifications.label-subscribers', args, (db, $) =>
    db
      .selectFrom('labelLinks as l')
      .innerJoin('subscriptions as s', 's.targetId', 'l.labelId')
      .where('l.targetType', '=', $('targetType'))
      .where('l.targetId', '=', $('targetId'))
      .where('s.targetType', '=', 'label')
      .where('s.subscribed', '=', 1)
      .select(['s.userId', 'l.labelId']),
  )
}

/** The users who commented on something, or are mentioned in its texts. */
export async function listCommenters(
  q: Queries,
  noteable: { type: 'snippet' | 'epic'; id: number },
): Promise<number[]> {
  const rows = await q.all('notifications.commenters', noteable, (db, $) =>
    db
      .selectFrom('notes')
      .where('noteableType', '=', $('type'))
      .where('noteableId', '=', $('id'))
      .where('system', '=', 0)
      .select('authorId as userId')
      .union(
        db
          .selectFrom('mentions')
          .where('targetType', '=', $('type'))
          .where('targetId', '=', $('id'))
          .select('userId'),
      ),
  )
  return rows.map(({ userId }) => userId)
}

/** The users who commented on a commit of a project. */
export async function listCommitCommenters(
  q: Queries,
  args: { projectId: number; commitId: string },
): Promise<number[]> {
  const rows = await q.all('notifications.commit-commenters', args, (db, $) =>
    db
      .selectFrom('notes')
      .where('projectId', '=', $('projectId'))
      .where('commitId', '=', $('commitId'))
      .where('system', '=', 0)
      .select('authorId')
      .distinct(),
  )
  return rows.map(({ authorId }) => authorId)
}

/** The user and the address of mails to them; undefined for whoever gets none. */
export interface MailRecipient {
  id: number
  name: string
  username: string
  admin: boolean
  external: boolean
  address: string
}

/**
 * The recipient of a notification: an active user with a confirmed address. The address is the one
 * that they chose for notifications, or else the primary one.
 */
export async function findMailRecipient(
  q: Queries,
  userId: number,
): Promise<MailRecipient | undefined> {
  const row = await q.first('notifications.recipient', { userId }, (db, $) =>
    db
      .selectFrom('users as u')
      .leftJoin('emails as chosen', (join) =>
        join
          .onRef('chosen.userId', '=', 'u.id')
          .on('chosen.kind', '=', 'secondary')
          .on('chosen.notified', '=', 1)
          .on('chosen.confirmedAt', 'is not', null),
      )
      .where('u.id', '=', $('userId'))
      .where('u.state', '=', 'active')
      .where('u.kind', '=', 'human')
      .where('u.confirmedAt', 'is not', null)
      .select(['u.id', 'u.name', 'u.username', 'u.admin', 'u.external', 'u.email'])
      .select('chosen.email as chosenEmail'),
  )
  if (row === undefined) return undefined
  const { email, chosenEmail, admin, external, ...user } = row
  return { ...user, admin: admin === 1, external: external === 1, address: chosenEmail ?? email }
}
