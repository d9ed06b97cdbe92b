import {
  type CustomAttribute,
  isCleanText,
  isLongerThan,
  maxAttributeValueLength,
  maxNameLength,
  notFound,
  tooLong,
  validationFailed,
} from '@stithy/core'
import {
  type AttributeOwner,
  deleteCustomAttribute,
  findCustomAttribute,
  listCustomAttributes,
  type Page,
  type PageRequest,
  setCustomAttribute,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'

/**
 * Lists the attributes of one owner, sorted by key; there are few, so all are loaded and sliced.
 */
export async function loadAttributesPage(
  app: App,
  { ownerKind, ownerId }: AttributeOwner,
  { page, perPage }: PageRequest,
): Promise<Page<CustomAttribute>> {
  const rows = await listCustomAttributes(app.db, { ownerKind, ownerIds: [ownerId] })
  const start = (page - 1) * perPage
  const items = rows.slice(start, start + perPage).map(({ key, value }) => ({ key, value }))
  return { items, total: rows.length, page, perPage }
}

/** @throws DomainError `not_found` */
export async function showAttribute(
  app: App,
  owner: AttributeOwner,
  key: string,
): Promise<CustomAttribute> {
  const row = isCleanText(key) ? await findCustomAttribute(app.db, { ...owner, key }) : undefined
  if (row === undefined) throw notFound('Custom Attribute')
  return { key: row.key, value: row.value }
}

/** Creates an attribute or changes its value. @throws DomainError `validation_failed` */
export async function setAttribute(
  app: App,
  owner: AttributeOwner,
  key: string,
  value: string,
): Promise<CustomAttribute> {
  if (!isCleanText(key)) throw validationFailed({ key: ['is invalid'] })
  if (isLongerThan(key, maxNameLength)) throw validationFailed({ key: [tooLong(maxNameLength)] })
  if (isLongerThan(value, maxAttributeValueLength)) {
    throw validationFailed({ value: [tooLong(maxAttributeValueLength)] })
  }
  if (value === '') throw validationFailed({ value: ["can't be blank"] })
  await app.db.transaction((tx) => setCustomAttribute(tx, { ...owner, key, value }))
  return { key, value }
}

/** @throws DomainError `not_found` */
export async function deleteAttribute(
  app: App,
  owner: AttributeOwner,
  key: string,
): Promise<undefined> {
  const isDeleted =
    isCleanText(key) &&
    (await app.db.transaction((tx) => deleteCustomAttribute(tx, { ...owner, key })))
  if (!isDeleted) throw notFound('Custom Attribute')
  return undefined
}
