import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { createTag, showNewTag } from './new-tag-page.ts'
import { deleteTag, showTag, showTags } from './tag-list-page.ts'

const mayCreate = (call: PageCall) => call.permits.tags.create({ projectId: projectPath(call) })

export const tagRoutes = [
  projectPage('tags', showTags),
  projectPage('tags/new', permitted(mayCreate, showNewTag)),
  projectPage('tags/*tag', showTag),
  projectAction('tags', createTag),
  projectAction('tags/delete', deleteTag),
]
