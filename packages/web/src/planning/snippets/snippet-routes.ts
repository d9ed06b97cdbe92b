import { whileOpen } from '../../directory/projects/project-place.ts'
import {
  instanceAction,
  instancePage,
  projectAction,
  projectPage,
  type Route,
} from '../../platform/routing/route.ts'
import { discussionRoutes } from '../discussions/discussion-routes.ts'
import {
  createSnippet,
  deleteSnippet,
  showEditSnippet,
  showNewSnippet,
  updateSnippet,
} from './snippet-form-page.ts'
import { showProjectSnippets, showSnippets } from './snippet-list-page.ts'
import {
  noteableOf,
  projectSnippetPage,
  showProjectSnippet,
  showRawSnippet,
  showSnippet,
  showSnippetDescription,
} from './snippet-page.ts'

export const snippetRoutes: readonly Route[] = [
  instancePage('dashboard/snippets', showSnippets),
  instancePage('explore/snippets', showSnippets),
  instancePage('snippets', showSnippets),
  instancePage('snippets/new', whileOpen(showNewSnippet)),
  instanceAction('snippets', createSnippet),
  instancePage('snippets/:id', showSnippet),
  instanceAction('snippets/:id', updateSnippet),
  instancePage('snippets/:id/edit', whileOpen(showEditSnippet)),
  instancePage('snippets/:id/raw', showRawSnippet),
  instancePage('snippets/:id/description', showSnippetDescription),
  instanceAction('snippets/:id/delete', deleteSnippet),
  projectPage('snippets', showProjectSnippets),
  projectPage('snippets/new', whileOpen(showNewSnippet)),
  projectAction('snippets', createSnippet),
  projectPage('snippets/:id', showProjectSnippet),
  projectAction('snippets/:id', updateSnippet),
  projectPage('snippets/:id/edit', whileOpen(showEditSnippet)),
  projectPage('snippets/:id/raw', showRawSnippet),
  projectAction('snippets/:id/delete', deleteSnippet),
  projectPage('snippets/:id/description', showSnippetDescription),
  ...discussionRoutes(projectAction, projectPage, 'snippets/:id', {
    noteable: noteableOf,
    show: projectSnippetPage,
  }),
]
