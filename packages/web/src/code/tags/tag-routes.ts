import { whileOpen } from '../../directory/projects/project-place.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { createTag, showNewTag } from './new-tag-page.ts'
import { deleteTag, showTag, showTags } from './tag-list-page.ts'

export const tagRoutes = [
  projectPage('tags', showTags),
  projectPage('tags/new', whileOpen(showNewTag)),
  projectPage('tags/*tag', showTag),
  projectAction('tags', createTag),
  projectAction('tags/delete', deleteTag),
]
