import { notFound } from '@stithy/core'
import {
  type ApplicationRow,
  type ApplicationSettings,
  findApplicationOf,
  fromJsonText,
  type OwnedApplication,
  replaceApplicationSecret,
  updateApplicationOf,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { changeByCaller } from '../../platform/changes/change-by-caller.ts'
import { recordChange } from '../../platform/changes/record-change.ts'
import { hashSecret, newSecret } from '../authentication/secret.ts'
import { type ApplicationRequest, readSettings } from './application.service.ts'

/** An application of a user. @throws DomainError `not_found` */
export async function requireApplicationOf(
  app: App,
  application: OwnedApplication,
): Promise<ApplicationRow> {
  const row = await findApplicationOf(app.db, application)
  if (row === undefined) throw notFound('Application')
  return row
}

/**
 * Changes an application of a user. The next authorization follows it; tokens keep their scopes.
 * @throws DomainError `validation_failed`, `not_found`
 */
export async function changeApplication(
  app: App,
  { id, ownerId }: OwnedApplication,
  request: ApplicationRequest,
): Promise<void> {
  const settings = readSettings(request, true)
  await app.db.transaction(async (tx) => {
    const row = await findApplicationOf(tx, { id, ownerId })
    if (row === undefined) throw notFound('Application')
    const attributes = changedAttributes(row, settings)
    if (attributes.length === 0) return
    if (!(await updateApplicationOf(tx, { id, ownerId, ...settings }))) {
      throw notFound('Application')
    }
    const updated = { applicationId: id, ownerId, name: settings.name, attributes }
    const by = changeByCaller(app.now())
    await recordChange(tx, { kind: 'application.updated', ...by, ...updated })
  })
}

/** The names of parameters that have another value than before. */
function changedAttributes(row: ApplicationRow, settings: ApplicationSettings): string[] {
  const { name, redirectUris, scopes, confidential } = settings
  const isSameList = (text: string, list: readonly string[]) =>
    fromJsonText<string[]>(text).join('\n') === list.join('\n')
  return [
    row.name === name ? [] : ['name'],
    isSameList(row.redirectUris, redirectUris) ? [] : ['redirect_uri'],
    isSameList(row.scopes, scopes) ? [] : ['scopes'],
    row.confidential === confidential ? [] : ['confidential'],
  ].flat()
}

/**
 * Gives an application of a user another secret, and returns it; the one from before is refused
 * from now on. Tokens work on.
 * @throws DomainError `not_found`
 */
export async function renewApplicationSecret(
  app: App,
  { id, ownerId }: OwnedApplication,
): Promise<{ name: string; secret: string }> {
  const secret = newSecret()
  const name = await app.db.transaction(async (tx) => {
    const secretHash = hashSecret(secret)
    const name = await replaceApplicationSecret(tx, { id, ownerId, secretHash })
    if (name === undefined) throw notFound('Application')
    const by = changeByCaller(app.now())
    const renewed = { applicationId: id, ownerId, name }
    await recordChange(tx, { kind: 'application.secret_renewed', ...by, ...renewed })
    return name
  })
  return { name, secret }
}
