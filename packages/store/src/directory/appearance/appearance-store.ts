import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { pick } from '../../platform/queries/sql.ts'
import type { Row } from '../../platform/schema/schema.ts'

/** How the pages of the server look. */
export type AppearanceRow = Omit<Row<'appearances'>, 'id'>

const columns = [
  'title',
  'description',
  'logo',
  'headerLogo',
  'favicon',
  'newProjectGuidelines',
  'profileImageGuidelines',
  'headerMessage',
  'footerMessage',
  'messageBackgroundColor',
  'messageFontColor',
  'emailHeaderAndFooterEnabled',
  'updatedAt',
] as const

/** The stored appearance; undefined if it was never changed. One look-up by the primary key. */
export function findAppearance(q: Queries): Promise<AppearanceRow | undefined> {
  return q.first('appearance.find', {}, (db) =>
    db.selectFrom('appearances').where('id', '=', 1).select(columns),
  )
}

/** Stores the appearance. */
export async function saveAppearance(tx: Transaction, row: AppearanceRow): Promise<void> {
  await tx.run('appearance.save', row, (db, $) =>
    db
      .insertInto('appearances')
      .values({ id: 1, ...pick($, columns) })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(pick($, columns))),
  )
}
