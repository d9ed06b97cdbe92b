import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { inList } from '../../platform/queries/sql.ts'
import { touchStamp } from '../../platform/queries/stamps.ts'

/** The user, group or project that has the attribute. */
export interface AttributeOwner {
  ownerKind: 'user' | 'group' | 'project'
  ownerId: number
}

export interface CustomAttributeRow {
  ownerId: number
  key: string
  value: string
}

/** Lists the attributes of several owners of one kind, by key. */
export function listCustomAttributes(
  q: Queries,
  args: { ownerKind: AttributeOwner['ownerKind']; ownerIds: readonly number[] },
): Promise<CustomAttributeRow[]> {
  return q.all('custom-attributes.list', args, (db, $) =>
    db
      .selectFrom('customAttributes')
      .select(['ownerId', 'key', 'value'])
      .where('ownerKind', '=', $('ownerKind'))
      .where(inList('customAttributes.ownerId', $('ownerIds')))
      .orderBy('ownerId')
      .orderBy('key'),
  )
}

/** One attribute, or undefined. */
export function findCustomAttribute(
  q: Queries,
  args: AttributeOwner & { key: string },
): Promise<CustomAttributeRow | undefined> {
  return q.first('custom-attributes.find', args, (db, $) =>
    db
      .selectFrom('customAttributes')
      .select(['ownerId', 'key', 'value'])
      .where('ownerKind', '=', $('ownerKind'))
      .where('ownerId', '=', $('ownerId'))
      .where('key', '=', $('key')),
  )
}

const stamps = { user: 'users', group: 'groups', project: 'projects' } as const

/** Creates an attribute, or changes its value. */
export async function setCustomAttribute(
  tx: Transaction,
  args: AttributeOwner & { key: string; value: string },
): Promise<void> {
  await tx.run('custom-attributes.set', args, (db, $) =>
    db
      .insertInto('customAttributes')
      .values({
        ownerKind: $('ownerKind'),
        ownerId: $('ownerId'),
        key: $('key'),
        value: $('value'),
      })
      .onConflict((conflict) =>
        conflict.columns(['ownerKind', 'ownerId', 'key']).doUpdateSet({ value: $('value') }),
      ),
  )
  touchStamp(tx, stamps[args.ownerKind])
}

/** Deletes one attribute; false if there is none. */
export async function deleteCustomAttribute(
  tx: Transaction,
  args: AttributeOwner & { key: string },
): Promise<boolean> {
  const { changes } = await tx.run('custom-attributes.delete', args, (db, $) =>
    db
      .deleteFrom('customAttributes')
      .where('ownerKind', '=', $('ownerKind'))
      .where('ownerId', '=', $('ownerId'))
      .where('key', '=', $('key')),
  )
  if (changes > 0) touchStamp(tx, stamps[args.ownerKind])
  return changes > 0
}

/** Deletes all attributes of an owner that is being deleted. */
export async function deleteCustomAttributesOf(
  tx: Transaction,
  owner: AttributeOwner,
): Promise<void> {
  await tx.run('custom-attributes.delete-of', owner, (db, $) =>
    db
      .deleteFrom('customAttributes')
      .where('ownerKind', '=', $('ownerKind'))
      .where('ownerId', '=', $('ownerId')),
  )
}
