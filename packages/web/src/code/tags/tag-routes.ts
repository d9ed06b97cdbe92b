import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { createTag, showNewTag } from './new-tag-page.ts'
import { deleteTag, showTags } from './tag-list-page.ts'

export const tagRoutes = [
  projectPage('tags', showTags),
  projectPage('tags/new', showNewTag),
  projectAction('tags', createTag),
  projectAction('tags/delete', deleteTag),
]
