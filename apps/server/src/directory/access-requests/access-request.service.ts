import { type ApprovedAccessRequest, forbidden, notFound, validationFailed } from '@stithy/core'
import {
  type AccessRequestKey,
  type AccessRequestRow,
  deleteAccessRequest,
  findAccessRequest,
  hasAccessRequests,
  insertAccessRequest,
  isUniqueViolation,
  listDeciders,
  type MemberSource,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import type { Caller } from '../../platform/http/call.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import { addGroupMember } from '../members/group-member.service.ts'
import { addProjectMember } from '../members/project-member.service.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentApproved } from './access-request.presenter.ts'

/** Deciders who get a todo. */
const maxDeciders = 100

/** The lowest level that decides. */
const decidingLevel = { project: 40, group: 50 } as const

/** Asks for access to a project. @throws DomainError as `requestAccess` does */
export function requestProjectAccess(
  app: App,
  caller: Caller,
  { row }: ProjectSubject,
): Promise<AccessRequestRow> {
  const source = { sourceKind: 'project', sourceId: row.id } as const
  return requestAccess(app, caller, { ...row, source })
}

/** Asks for access to a group. @throws DomainError as `requestAccess` does */
export function requestGroupAccess(
  app: App,
  caller: Caller,
  { row }: GroupSubject,
): Promise<AccessRequestRow> {
  const source = { sourceKind: 'group', sourceId: row.id } as const
  return requestAccess(app, caller, { ...row, namespaceId: row.id, source })
}

/** A stored project or group; `namespaceId` is the group that the members above belong to. */
interface Requestable {
  source: MemberSource
  namespaceId: number
  requestAccessEnabled: 0 | 1
}

/** @throws DomainError `forbidden` if no requests are taken, `validation_failed` for a second one */
async function requestAccess(
  app: App,
  caller: Caller,
  { source, namespaceId, requestAccessEnabled }: Requestable,
): Promise<AccessRequestRow> {
  if (requestAccessEnabled === 0) throw forbidden()
  const { id: userId } = requireCaller(caller)
  const now = app.now()
  const deciderIds = await listDeciders(app.db, {
    ...source,
    namespaceId,
    level: decidingLevel[source.sourceKind],
    today: dayOf(now),
    limit: maxDeciders,
  })
  await app.db
    .transaction(async (tx) => {
      await insertAccessRequest(tx, { ...source, userId, createdAt: now })
      await recordChange(tx, { kind: 'access.requested', source, deciderIds, userId, at: now, now })
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw validationFailed({ user_id: ['already exists in source'] })
    })
  return requireRequest(app, { ...source, userId })
}

/** Makes the user of a request a member. @throws DomainError as `addProjectMember` does */
export async function approveProjectRequest(
  app: App,
  caller: Caller,
  subject: ProjectSubject,
  member: { user_id: number; access_level: number },
): Promise<ApprovedAccessRequest> {
  const key = { sourceKind: 'project', sourceId: subject.row.id, userId: member.user_id } as const
  const request = await requireRequest(app, key)
  await addProjectMember(app, caller, subject, member, (tx) => takeRequest(app, tx, key))
  return presentApproved(request, member.access_level)
}

/** As for projects. @throws DomainError as `addGroupMember` does */
export async function approveGroupRequest(
  app: App,
  caller: Caller,
  subject: GroupSubject,
  member: { user_id: number; access_level: number },
): Promise<ApprovedAccessRequest> {
  const key = { sourceKind: 'group', sourceId: subject.row.id, userId: member.user_id } as const
  const request = await requireRequest(app, key)
  await addGroupMember(app, caller, subject, member, (tx) => takeRequest(app, tx, key))
  return presentApproved(request, member.access_level)
}

/** Denies or withdraws a request. @throws DomainError `not_found` */
export async function removeRequest(app: App, key: AccessRequestKey): Promise<undefined> {
  await app.db.transaction((tx) => takeRequest(app, tx, key))
  return undefined
}

/** Of two who decide about a request at once, or when it is withdrawn meanwhile, one finds none. */
async function takeRequest(app: App, tx: Transaction, key: AccessRequestKey): Promise<void> {
  if (!(await endRequest(tx, key, app.now()))) throw notFound('Access Request')
}

/** Ends a request, however it was decided; false if there is none. */
export async function endRequest(
  tx: Transaction,
  { userId, ...source }: AccessRequestKey,
  now: number,
): Promise<boolean> {
  if (!(await deleteAccessRequest(tx, { ...source, userId }))) return false
  if (await hasAccessRequests(tx, source)) return true
  await recordChange(tx, { kind: 'access.settled', source, userId, at: now, now })
  return true
}

async function requireRequest(app: App, key: AccessRequestKey): Promise<AccessRequestRow> {
  const request = await findAccessRequest(app.db, key)
  if (request === undefined) throw notFound('Access Request')
  return request
}
