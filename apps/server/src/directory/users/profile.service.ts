import { type BodyOf, type userProfileContract, validationFailed } from '@stithy/core'
import { isUniqueViolation, type UserRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { removeAvatar } from '../../platform/uploads/avatar-files.ts'
import { requireUser, withAvatar, writeChanges } from './user.service.ts'
import { columnsOf, valueErrors } from './user-values.ts'

/**
 * Changes what a user says of themselves; `sent` names the parameters in the request, including blank
 * ones: a blank avatar removes it.
 * @throws DomainError `validation_failed`
 */
export async function changeProfile(
  app: App,
  id: number,
  body: BodyOf<typeof userProfileContract.update>,
  sent: ReadonlySet<string>,
): Promise<UserRow> {
  const errors = await valueErrors(body)
  if (errors !== undefined) throw validationFailed(errors)
  const before = await requireUser(app, id)
  const now = app.now()
  await withAvatar(app, body, async (picture) => {
    const avatar = picture ?? (sent.has('avatar') ? null : undefined)
    const changes = { ...columnsOf(body), avatar, updatedAt: now }
    const by = { confirm: false, by: id, now }
    await app.db.transaction((tx) => writeChanges(tx, before, changes, by, refuse))
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse('username') : error
  })
  const row = await requireUser(app, id)
  if (row.avatar !== before.avatar) await removeAvatar(app.config, before.avatar)
  return row
}

function refuse(field: 'email' | 'username') {
  return validationFailed({ [field]: ['has already been taken'] })
}
