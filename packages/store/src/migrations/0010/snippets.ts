import type { Tools } from '../tools.ts'

export async function createSnippets(t: Tools): Promise<void> {
  await t.table('snippets', {
    id: t.id(),
    projectId: t.ownerOrNull('projects'),
    authorId: t.owner('users'),
    title: t.text(),
    fileName: t.text(),
    description: t.textOrNull(),
    content: t.text(),
    visibility: t.text(),
    createdAt: t.long(),
    updatedAt: t.long(),
  })
  await t.index('snippets', 'projectId', 'id')
  await t.index('snippets', 'authorId', 'id')
  await t.index('snippets', 'visibility', 'id')
}
