import {
  type BodyOf,
  badRequest,
  type FeatureGateValue,
  featureNameErrors,
  type featuresContract,
  isCleanText,
  maxFeatureGates,
  maxFeatures,
  validationFailed,
} from '@stithy/core'
import {
  countFeatures,
  deleteFeature,
  deleteFeatureGate,
  deleteFeatureGates,
  type FeatureRow,
  findFeature,
  findNamespace,
  findProject,
  findUserByUsername,
  insertFeature,
  insertFeatureGate,
  type Transaction,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'

type Body = BodyOf<typeof featuresContract.set>

/** What a switch is limited to. */
type Limit = FeatureGateValue & { key: 'groups' | 'actors' }

/**
 * Sets a feature, which is created if necessary. Without limits, `true` and `false` replace all
 * gates; a percentage replaces that before.
 * @throws DomainError `bad_request` for an unknown user, group or project, and for a percentage with
 *   limits; `validation_failed`
 */
export async function setFeature(app: App, name: string, body: Body): Promise<FeatureRow> {
  const errors = featureNameErrors('name', name)
  if (errors !== undefined) throw validationFailed(errors)
  const limits = await limitsOf(app, body)
  const { value } = body
  if (typeof value === 'number' && limits.length > 0) {
    throw badRequest('A percentage cannot be limited')
  }
  const now = app.now()
  return app.db.transaction(async (tx) => {
    const featureId = await requireFeatureId(tx, name, now)
    if (limits.length > 0) await setLimits(tx, featureId, value === true, limits)
    else await setForAll(tx, featureId, value)
    const row = await findFeature(tx, name)
    if (row === undefined) throw new TypeError('A feature is missing in its own transaction')
    if (row.gates.length > maxFeatureGates) {
      throw validationFailed({ base: [`a feature has at most ${maxFeatureGates} gates`] })
    }
    const set = { name, value: String(value), limits: limits.map((limit) => limit.value) }
    await recordChange(tx, { kind: 'feature.changed', ...changeByCaller(now), ...set })
    return row
  })
}

/** Deletes a feature, if there is one. */
export async function removeFeature(app: App, name: string): Promise<void> {
  if (!isCleanText(name)) return
  await app.db.transaction(async (tx) => {
    if (!(await deleteFeature(tx, name))) return
    await recordChange(tx, { kind: 'feature.deleted', ...changeByCaller(app.now()), name })
  })
}

/** The id of a feature, which is created if necessary. @throws DomainError `validation_failed` */
async function requireFeatureId(tx: Transaction, name: string, now: number): Promise<number> {
  const found = await findFeature(tx, name)
  if (found !== undefined) return found.id
  if ((await countFeatures(tx)) >= maxFeatures) {
    throw validationFailed({ base: [`Maximum number of features (${maxFeatures}) exceeded`] })
  }
  return insertFeature(tx, { name, now })
}

async function setForAll(
  tx: Transaction,
  featureId: number,
  value: boolean | number,
): Promise<void> {
  if (typeof value === 'number') {
    const gate = { featureId, key: 'percentage_of_time' } as const
    await deleteFeatureGate(tx, gate)
    return insertFeatureGate(tx, { ...gate, value: String(value) })
  }
  await deleteFeatureGates(tx, featureId)
  if (value) await insertFeatureGate(tx, { featureId, key: 'boolean', value: 'true' })
}

async function setLimits(
  tx: Transaction,
  featureId: number,
  isOn: boolean,
  limits: readonly Limit[],
): Promise<void> {
  for (const limit of limits) {
    if (isOn) await insertFeatureGate(tx, { featureId, ...limit })
    else await deleteFeatureGate(tx, { featureId, ...limit })
  }
}

async function limitsOf(app: App, body: Body): Promise<Limit[]> {
  const limits: Limit[] = []
  const { feature_group: callers, user, group, project } = body
  if (callers !== undefined) {
    const errors = featureNameErrors('feature_group', callers)
    if (errors !== undefined) throw validationFailed(errors)
    limits.push({ key: 'groups', value: callers })
  }
  const add = (type: string, name: string, id: number | undefined) => {
    if (id === undefined) throw badRequest(`${name} is not found!`)
    limits.push({ key: 'actors', value: `${type}:${id}` })
  }
  if (user !== undefined) add('User', user, (await findUserByUsername(app.db, user))?.id)
  if (group !== undefined) add('Group', group, await groupIdOf(app, group))
  if (project !== undefined) add('Project', project, await projectIdOf(app, project))
  return limits
}

async function groupIdOf(app: App, path: string): Promise<number | undefined> {
  const found = await findNamespace(app.db, { fullPathLower: path.toLowerCase() })
  return found?.kind === 'group' ? found.id : undefined
}

async function projectIdOf(app: App, path: string): Promise<number | undefined> {
  return (await findProject(app.db, { fullPathLower: path.toLowerCase() }))?.id
}
