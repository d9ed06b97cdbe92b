import type { Tools } from '../tools.ts'

/** Domains of the sites of projects. */
export async function createPagesDomains(t: Tools): Promise<void> {
  await t.table('pagesDomains', {
    id: t.id(),
    projectId: t.parent('projects'),
    domain: t.text(),
    certificate: t.textOrNull(),
    sealedKey: t.textOrNull(),
    subject: t.textOrNull(),
    certificateText: t.textOrNull(),
    expiresAt: t.longOrNull(),
    verificationCode: t.text(),
    verifiedAt: t.longOrNull(),
    enabledUntil: t.longOrNull(),
    checkAt: t.long(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.unique('pagesDomains', 'domain')
  await t.index('pagesDomains', 'projectId', 'domain')
  await t.index('pagesDomains', 'checkAt', 'id')
}
