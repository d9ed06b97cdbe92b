import type { FeatureGateValue } from '@stithy/core'
import type { Queries, Transaction } from '../../platform/queries/queries.ts'
import { unindexed } from '../../platform/queries/sql.ts'

/** A feature with its gates, in the order in which they were added. */
export interface FeatureRow {
  id: number
  name: string
  gates: FeatureGateValue[]
}

/** A condition of one feature. */
export type FeatureGateKey = { featureId: number } & FeatureGateValue

/** All features by name, with their gates. Two queries. */
export async function listFeatures(q: Queries): Promise<FeatureRow[]> {
  const features = await q.all('features.list', {}, (db) =>
    db.selectFrom('features').select(['features.id', 'features.name']).orderBy('features.name'),
  )
  const gates = await q.all('features.gates', {}, (db) =>
    db
      .selectFrom('featureGates')
      .select(['featureGates.featureId', 'featureGates.key', 'featureGates.value'])
      .orderBy('featureGates.id'),
  )
  const byFeature = Map.groupBy(gates, ({ featureId }) => featureId)
  return features.map((feature) => ({ ...feature, gates: byFeature.get(feature.id) ?? [] }))
}

/** One feature with its gates, or undefined. Two queries. */
export async function findFeature(q: Queries, name: string): Promise<FeatureRow | undefined> {
  const feature = await q.first('features.find', { name }, (db, $) =>
    db
      .selectFrom('features')
      .where('features.name', '=', $('name'))
      .select(['features.id', 'features.name']),
  )
  if (feature === undefined) return undefined
  const gates = await q.all('features.gates-of', { featureId: feature.id }, (db, $) =>
    db
      .selectFrom('featureGates')
      .where('featureGates.featureId', '=', $('featureId'))
      .select(['featureGates.key', 'featureGates.value'])
      // Few rows: the index finds them, and they are sorted.
      .orderBy(unindexed('featureGates.id')),
  )
  return { ...feature, gates }
}

export async function countFeatures(q: Queries): Promise<number> {
  const counted = await q.first('features.count', {}, (db) =>
    db.selectFrom('features').select((eb) => eb.fn.countAll<number>().as('total')),
  )
  return counted?.total ?? 0
}

/** Adds a feature without gates, unless it was added meanwhile; returns its id. */
export async function insertFeature(
  tx: Transaction,
  feature: { name: string; now: number },
): Promise<number> {
  const row = await tx.first('features.insert', feature, (db, $) =>
    db
      .insertInto('features')
      .values({ name: $('name'), createdAt: $('now') })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ name: $('name') }))
      .returning('id'),
  )
  if (row === undefined) throw new TypeError('An insert returned no row')
  return row.id
}

/** Removes all gates of a feature. */
export async function deleteFeatureGates(tx: Transaction, featureId: number): Promise<void> {
  await tx.run('features.clear', { featureId }, (db, $) =>
    db.deleteFrom('featureGates').where('featureId', '=', $('featureId')),
  )
}

/** Removes one gate of a feature, or all with a key. */
export async function deleteFeatureGate(
  tx: Transaction,
  { featureId, key, value }: Omit<FeatureGateKey, 'value'> & { value?: string },
): Promise<void> {
  const args = { featureId, key, value: value ?? '' }
  const kind = value === undefined ? 'key' : 'value'
  await tx.run(`features.close|${kind}`, args, (db, $) => {
    const gates = db
      .deleteFrom('featureGates')
      .where('featureId', '=', $('featureId'))
      .where('key', '=', $('key'))
    return value === undefined ? gates : gates.where('value', '=', $('value'))
  })
}

/** Adds a gate, unless the feature has it. */
export async function insertFeatureGate(tx: Transaction, gate: FeatureGateKey): Promise<void> {
  await tx.run('features.open', gate, (db, $) =>
    db
      .insertInto('featureGates')
      .values({ featureId: $('featureId'), key: $('key'), value: $('value') })
      .onConflict((conflict) => conflict.columns(['featureId', 'key', 'value']).doNothing()),
  )
}

/** Deletes a feature with its gates; false if there is none. */
export async function deleteFeature(tx: Transaction, name: string): Promise<boolean> {
  const { changes } = await tx.run('features.delete', { name }, (db, $) =>
    db.deleteFrom('features').where('name', '=', $('name')),
  )
  return changes > 0
}
