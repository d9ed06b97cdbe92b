import { type ApprovedAccessRequest, forbidden, notFound, validationFailed } from '@stithy/core'
import {
  type AccessRequestRow,
  deleteAccessRequest,
  findAccessRequest,
  insertAccessRequest,
  isUniqueViolation,
  type MemberSource,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { GroupSubject } from '../groups/group-subject.ts'
import { addGroupMember } from '../members/group-member.service.ts'
import { addProjectMember } from '../members/project-member.service.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentApproved } from './access-request.presenter.ts'

/** What can be asked for access: a stored project or group. */
interface Source {
  row: { id: number; requestAccessEnabled: 0 | 1 }
}

/** @throws DomainError `forbidden` if no requests are taken, `validation_failed` for a second one */
export async function requestAccess(
  app: App,
  caller: Caller,
  sourceKind: MemberSource['sourceKind'],
  { row }: Source,
): Promise<AccessRequestRow> {
  if (row.requestAccessEnabled === 0) throw forbidden()
  const key = { sourceKind, sourceId: row.id, userId: caller.facts.userId ?? 0 }
  await app.db
    .transaction((tx) => insertAccessRequest(tx, { ...key, createdAt: app.now() }))
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw validationFailed({ user_id: ['already exists in source'] })
    })
  return requireRequest(app, key)
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
  await addProjectMember(app, caller, subject, member, (tx) => takeRequest(tx, key))
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
  await addGroupMember(app, caller, subject, member, (tx) => takeRequest(tx, key))
  return presentApproved(request, member.access_level)
}

/** Denies or withdraws a request. @throws DomainError `not_found` */
export async function removeRequest(
  app: App,
  key: MemberSource & { userId: number },
): Promise<undefined> {
  await app.db.transaction((tx) => takeRequest(tx, key))
  return undefined
}

/** Of two who decide about a request at once, or when it is withdrawn meanwhile, one finds none. */
async function takeRequest(tx: Transaction, key: MemberSource & { userId: number }): Promise<void> {
  if (!(await deleteAccessRequest(tx, key))) throw notFound('Access Request')
}

async function requireRequest(
  app: App,
  key: MemberSource & { userId: number },
): Promise<AccessRequestRow> {
  const request = await findAccessRequest(app.db, key)
  if (request === undefined) throw notFound('Access Request')
  return request
}
