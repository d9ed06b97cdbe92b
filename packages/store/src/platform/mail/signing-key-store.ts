import type { Queries } from '../queries/queries.ts'

/** The key of this name; the first caller's candidate becomes the key for all. */
export async function findOrAddSigningKey(
  q: Queries,
  args: { name: string; candidate: string },
): Promise<string> {
  const stored = await findSigningKey(q, args.name)
  if (stored !== undefined) return stored
  await q.run('signing-keys.add', args, (db, $) =>
    db
      .insertInto('signingKeys')
      .values({ name: $('name'), value: $('candidate') })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  )
  return (await findSigningKey(q, args.name)) ?? args.candidate
}

async function findSigningKey(q: Queries, name: string): Promise<string | undefined> {
  const row = await q.first('signing-keys.find', { name }, (db, $) =>
    db.selectFrom('signingKeys').where('name', '=', $('name')).select('value'),
  )
  return row?.value
}
