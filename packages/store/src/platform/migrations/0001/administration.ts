import type { Tools } from '../tools.ts'

/** Audit events, broadcast messages, features, the appearance of pages. */
export async function createAdministration(t: Tools): Promise<void> {
  await createAuditEvents(t)
  await createBroadcastMessages(t)
  await createFeatures(t)
  await createAppearances(t)
}

/** No foreign keys: the rows outlive what they are about. */
async function createAuditEvents(t: Tools): Promise<void> {
  await t.table('auditEvents', {
    id: t.id(),
    authorId: t.longOrNull(),
    entityType: t.text(),
    entityId: t.long(),
    entityPath: t.text(),
    details: t.text(),
    createdAt: t.long(),
  })
  await t.index('auditEvents', 'createdAt', 'id')
  await t.index('auditEvents', 'entityType', 'createdAt', 'id')
  await t.index('auditEvents', 'entityId', 'createdAt', 'id')
}

async function createBroadcastMessages(t: Tools): Promise<void> {
  await t.table('broadcastMessages', {
    id: t.id(),
    message: t.text(),
    startsAt: t.long(),
    endsAt: t.long(),
    color: t.text(),
    font: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('broadcastMessages', 'endsAt', 'id')
}

async function createFeatures(t: Tools): Promise<void> {
  await t.table('features', { id: t.id(), name: t.text(), createdAt: t.long() })
  await t.unique('features', 'name')
  await t.table('featureGates', {
    id: t.id(),
    featureId: t.parent('features'),
    key: t.text(),
    value: t.text(),
  })
  await t.unique('featureGates', 'featureId', 'key', 'value')
}

async function createAppearances(t: Tools): Promise<void> {
  await t.table(
    'appearances',
    {
      id: t.long(),
      title: t.text(),
      description: t.text(),
      logo: t.textOrNull(),
      headerLogo: t.textOrNull(),
      favicon: t.textOrNull(),
      newProjectGuidelines: t.text(),
      profileImageGuidelines: t.text(),
      headerMessage: t.text(),
      footerMessage: t.text(),
      messageBackgroundColor: t.text(),
      messageFontColor: t.text(),
      emailHeaderAndFooterEnabled: t.int(),
      updatedAt: t.long(),
    },
    ['id'],
  )
}
