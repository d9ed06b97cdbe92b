import type { Kysely } from 'kysely'
import type { Row, Schema } from '../../platform/schema/schema.ts'

/** Columns of a group, of `namespaces as n`. */
export const groupColumns = [
  'n.id',
  'n.name',
  'n.path',
  'n.fullPath',
  'n.fullName',
  'n.parentId',
  'n.visibility',
  'n.description',
  'n.lfsEnabled',
  'n.requestAccessEnabled',
  'n.membershipLock',
  'n.shareWithGroupLock',
  'n.requireTwoFactorAuthentication',
  'n.twoFactorGracePeriod',
  'n.avatar',
  'n.fileTemplateProjectId',
  'n.sharedRunnersMinutesLimit',
  'n.extraSharedRunnersMinutesLimit',
  'n.createdAt',
  'n.updatedAt',
] as const

type Name<Column extends string> = Column extends `n.${infer N}` ? N : never

/** A group with all its columns. */
export type GroupRow = Pick<
  Row<'namespaces'>,
  Name<(typeof groupColumns)[number]> & keyof Row<'namespaces'>
>

/** Selects from the groups that are not deleted. */
export function fromGroups(db: Kysely<Schema>) {
  return db
    .selectFrom('namespaces as n')
    .where('n.kind', '=', 'group')
    .where('n.deletedAt', 'is', null)
}
