import { randomInt } from 'node:crypto'
import {
  type EnvironmentFields,
  environmentErrors,
  environmentSlug,
  notFound,
  slugSuffixCharacters,
  slugSuffixLength,
  validationFailed,
} from '@stithy/core'
import {
  deleteDeployments,
  deleteEnvironment,
  type EnvironmentRow,
  enqueueJob,
  findEnvironment,
  findEnvironmentByName,
  insertEnvironment,
  isUniqueViolation,
  setEnvironmentState,
  type Transaction,
  updateEnvironment,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { inDurableBatches } from '../../platform/jobs/durable-batches.ts'
import { type RemovedRefs, removeDeploymentRefsKind } from './environment.jobs.ts'

/** The job that finishes the deletion of an environment. */
export const removeEnvironmentKind = 'environment.remove'

/** How often another random slug is tried; a second time is rare. */
const maxSlugs = 10

/** @throws DomainError `not_found` */
export async function requireEnvironment(
  app: App,
  projectId: number,
  id: number,
): Promise<EnvironmentRow> {
  const environment = await findEnvironment(app.db, { projectId, id })
  if (environment === undefined) throw notFound('Environment')
  return environment
}

/** Creates an environment. @throws DomainError `validation_failed` */
export async function createEnvironment(
  app: App,
  projectId: number,
  fields: EnvironmentFields & { name: string },
): Promise<EnvironmentRow> {
  checkFields(fields)
  const { name, external_url: externalUrl = null } = fields
  const created = await app.db.transaction((tx) =>
    addEnvironment(tx, { projectId, name, externalUrl, createdAt: app.now() }),
  )
  if (created === undefined) throw nameTaken()
  return created
}

/** An environment to create; the name is valid, and `createdAt` in milliseconds. */
interface NamedEnvironment {
  projectId: number
  name: string
  externalUrl: string | null
  createdAt: number
}

/** The environment with this name, which is created if there is none. */
export async function findOrAddEnvironment(
  tx: Transaction,
  environment: NamedEnvironment,
): Promise<EnvironmentRow> {
  const known = await findEnvironmentByName(tx, environment)
  if (known !== undefined) return known
  const added = await addEnvironment(tx, environment)
  // Another transaction was faster.
  const found = added ?? (await findEnvironmentByName(tx, environment))
  if (found === undefined) throw notFound('Environment')
  return found
}

/** Adds an environment with a new slug; undefined if its name is taken. */
async function addEnvironment(
  tx: Transaction,
  environment: NamedEnvironment,
): Promise<EnvironmentRow | undefined> {
  for (let tries = 0; tries < maxSlugs; tries += 1) {
    const slug = environmentSlug(environment.name, randomSuffix(), tries > 0)
    const added = await insertEnvironment(tx, { ...environment, slug, state: 'available' })
    if (added !== undefined) return added
    if ((await findEnvironmentByName(tx, environment)) !== undefined) return undefined
  }
  throw new Error('No slug was free')
}

function randomSuffix(): string {
  const pick = () => slugSuffixCharacters.charAt(randomInt(slugSuffixCharacters.length))
  return Array.from({ length: slugSuffixLength }, pick).join('')
}

/** Changes what was sent. @throws DomainError `not_found`, `validation_failed` */
export async function changeEnvironment(
  app: App,
  environment: EnvironmentRow,
  fields: EnvironmentFields,
): Promise<EnvironmentRow> {
  checkFields(fields)
  const { name = environment.name, external_url: externalUrl = environment.externalUrl } = fields
  if (name === environment.name && externalUrl === environment.externalUrl) return environment
  const change = { id: environment.id, name, externalUrl, updatedAt: app.now() }
  try {
    const changed = await app.db.transaction((tx) => updateEnvironment(tx, change))
    if (changed === undefined) throw notFound('Environment')
    return changed
  } catch (error) {
    throw isUniqueViolation(error, 'name') ? nameTaken() : error
  }
}

/** Stops an environment; one that is stopped stays as it is. */
export async function stopEnvironment(
  app: App,
  environment: EnvironmentRow,
): Promise<EnvironmentRow> {
  const { id, projectId } = environment
  const stopped = { id, projectId, state: 'stopped' as const, updatedAt: app.now() }
  await app.db.transaction((tx) => setEnvironmentState(tx, stopped))
  return { ...environment, state: 'stopped' }
}

/**
 * Deletes an environment with its deployments, in batches if there are many, which a job finishes if
 * this process ends; jobs remove their refs.
 */
export async function removeEnvironment(app: App, environment: EnvironmentRow): Promise<void> {
  const { id, projectId, slug } = environment
  const job = { kind: removeEnvironmentKind, payload: { id, projectId } }
  await inDurableBatches(app, job, async (tx, limit) => {
    const iids = await deleteDeployments(tx, { projectId, environmentId: id, limit })
    if (iids.length > 0) await enqueueRefRemoval(tx, { projectId, slug, iids }, app.now())
    if (iids.length < limit) await deleteEnvironment(tx, { id, projectId })
    return iids.length
  })
}

async function enqueueRefRemoval(
  tx: Transaction,
  payload: RemovedRefs,
  now: number,
): Promise<void> {
  await enqueueJob(tx, { queue: 'pushes', kind: removeDeploymentRefsKind, payload }, now)
}

function checkFields(fields: EnvironmentFields): void {
  const errors = environmentErrors(fields)
  if (errors !== undefined) throw validationFailed(errors)
}

function nameTaken() {
  return validationFailed({ name: ['has already been taken'] })
}
