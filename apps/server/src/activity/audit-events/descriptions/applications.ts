import type { Transaction } from '@stithy/store'
import type { Change } from '../../../platform/changes/change.ts'
import {
  type AuditAct,
  type AuditEntry,
  type Descriptions,
  entriesOn,
  instanceEntries,
} from '../audit-entry.ts'

/** Clients of the OAuth2 provider. */
export const applicationDescriptions: Descriptions = {
  'application.created': (tx, change) => entriesOf(tx, change, { add: 'application' }),
  'application.updated': (tx, change) =>
    entriesOf(tx, change, { change: 'application', to: change.attributes.join(', ') }),
  'application.secret_renewed': (tx, change) =>
    entriesOf(tx, change, { change: 'application_secret' }),
  'application.deleted': (tx, change) => entriesOf(tx, change, { remove: 'application' }),
}

type ApplicationChange = Pick<
  Change<'application.created'>,
  'userId' | 'applicationId' | 'ownerId' | 'name'
>

/** Filed under the user who has registered it; what belongs to the instance, under who did it. */
function entriesOf(
  tx: Transaction,
  { userId, applicationId, ownerId, name }: ApplicationChange,
  act: AuditAct,
): Promise<AuditEntry[]> {
  const entry = { act, target: { type: 'Application', id: applicationId, name } }
  return ownerId === null
    ? instanceEntries(tx, userId, entry)
    : entriesOn(tx, 'User', ownerId, [entry])
}
