import { isCreation, isWatched, type NotifiedEvent, type RecipientType } from '@stithy/core'
import {
  findUserIdByEmail,
  listCommenters,
  listCommitCommenters,
  listItemSubscriptions,
  listLabelSubscribers,
  listParticipantIds,
  listPossibleWatchers,
  type NotificationPlace,
} from '@stithy/store'
import { requireCommit } from '../../code/commits/commit.service.ts'
import type { Item } from '../../planning/items/item.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import type { NotificationReason, NotifiedPart } from './notification.ts'

/** A user who may be told, before their level and rights are known. */
export interface Candidate {
  types: Set<RecipientType>
  reason: NotificationReason | undefined
  unsubscribed: boolean
}

export type Candidates = Map<number, Candidate>

/** Users read at a time. */
const page = 500

/** The place of an item: 0 where it has none. */
export function placeOf(item: Item): NotificationPlace {
  if (item.type === 'epic') return { projectId: 0, namespaceId: item.group.row.id }
  const row = item.project?.row
  return { projectId: row?.id ?? 0, namespaceId: row?.namespaceId ?? 0 }
}

/**
 * Finds who may be told of something, but not who did it, unless nobody did: by ids only, so
 * thousands are few bytes.
 * A constant number of queries, and one for each 500 who may watch the place.
 */
export async function findCandidates(
  app: App,
  item: Item,
  { part, actorId }: { part: NotifiedPart; actorId: number },
): Promise<Candidates> {
  const candidates: Candidates = new Map()
  const { event, mentionedIds = [], previousAssigneeIds = [], newLabelIds } = part
  if (event === 'relabel') {
    await addLabelSubscribers(app, item, candidates, newLabelIds)
    await addSubscriptions(app, item, candidates, { chosen: false })
    candidates.delete(actorId)
    return candidates
  }
  if (event === 'reassign_issue' || event === 'reassign_merge_request') {
    add(candidates, assigneesOf(item), 'mention', 'assigned')
    add(candidates, previousAssigneeIds, 'mention')
  }
  if (isCreation(event)) add(candidates, assigneesOf(item), 'participating', 'assigned')
  add(candidates, mentionedIds, 'mention', 'mentioned')
  if (event !== 'new_mention') await addOthers(app, item, part, candidates)
  if (event !== 'issue_due') candidates.delete(actorId)
  return candidates
}

function assigneesOf(item: Item): readonly number[] {
  return item.type === 'issue' || item.type === 'merge_request' ? item.assigneeIds : []
}

/** Adds the users whom the text does not name. */
async function addOthers(
  app: App,
  item: Item,
  { event, participantIds = [] }: NotifiedPart,
  candidates: Candidates,
): Promise<void> {
  add(candidates, participantIds, 'participating')
  add(candidates, await participantsOf(app, item), 'participating')
  await addWatchers(app, item, event, candidates)
  await addSubscriptions(app, item, candidates, { chosen: true })
  if (!isCreation(event)) return
  await addLabelSubscribers(app, item, candidates)
}

/** Adds who subscribed to the item, if that is what counts, and notes who unsubscribed. */
async function addSubscriptions(
  app: App,
  item: Item,
  candidates: Candidates,
  { chosen }: { chosen: boolean },
): Promise<void> {
  const target = subscribableOf(item)
  if (target === undefined) return
  for (const { userId, subscribed } of await listItemSubscriptions(app.db, target)) {
    if (subscribed && chosen) add(candidates, [userId], 'subscription', 'subscribed')
    const candidate = candidates.get(userId)
    if (candidate !== undefined) candidate.unsubscribed = !subscribed
  }
}

/** Adds who subscribed to a label of the item, or to one of these alone. */
async function addLabelSubscribers(
  app: App,
  item: Item,
  candidates: Candidates,
  labelIds?: readonly number[],
): Promise<void> {
  const target = subscribableOf(item)
  if (target === undefined) return
  const subscribers = await listLabelSubscribers(app.db, target)
  const ids = subscribers
    .filter(({ labelId }) => labelIds?.includes(labelId) ?? true)
    .map(({ userId }) => userId)
  add(candidates, ids, 'subscription', 'subscribed')
}

function subscribableOf(item: Item) {
  if (item.type === 'snippet' || item.type === 'commit') return undefined
  return { targetType: item.type, targetId: item.row.id }
}

async function participantsOf(app: App, item: Item): Promise<number[]> {
  if (item.type === 'commit') {
    const { commitId, project } = item
    const { author } = await requireCommit(app, project.row, commitId)
    const authorId = await findUserIdByEmail(app.db, author.email)
    const others = await listCommitCommenters(app.db, { projectId: project.row.id, commitId })
    return authorId === undefined ? others : [authorId, ...others]
  }
  const { type, row } = item
  const others =
    type === 'issue' || type === 'merge_request'
      ? await listParticipantIds(app.db, { type, id: row.id })
      : await listCommenters(app.db, { type, id: row.id })
  return [row.authorId, ...others]
}

async function addWatchers(
  app: App,
  item: Item,
  event: NotifiedEvent,
  candidates: Candidates,
): Promise<void> {
  const place = placeOf(item)
  if (place.namespaceId === 0) return
  const today = dayOf(app.now())
  const customOnly = !isWatched(event)
  for (let after = 0; ; ) {
    const ids = await listPossibleWatchers(app.db, {
      ...place,
      today,
      after,
      limit: page,
      customOnly,
    })
    add(candidates, ids, 'watch')
    if (ids.length < page) return
    after = ids.at(-1) ?? after
  }
}

/** The first reason of a user counts. */
function add(
  candidates: Candidates,
  userIds: Iterable<number>,
  type: RecipientType,
  reason?: NotificationReason,
): void {
  for (const userId of userIds) {
    const known = candidates.get(userId)
    if (known === undefined) {
      candidates.set(userId, { types: new Set([type]), reason, unsubscribed: false })
      continue
    }
    known.types.add(type)
    known.reason ??= reason
  }
}
