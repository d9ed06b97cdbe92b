import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { createTag, showNewTag } from './new-tag-page.ts'
import { deleteTag, showTag, showTags } from './tag-list-page.ts'

export const tagRoutes = [
  projectPage('tags', showTags),
  projectPage('tags/new', showNewTag),
  projectPage('tags/*tag', showTag),
  projectAction('tags', createTag),
  projectAction('tags/delete', deleteTag),
]
