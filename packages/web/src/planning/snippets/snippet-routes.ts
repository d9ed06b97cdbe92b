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
  instancePage('snippets/new', showNewSnippet),
  instanceAction('snippets', createSnippet),
  instancePage('snippets/:id', showSnippet),
  instanceAction('snippets/:id', updateSnippet),
  instancePage('snippets/:id/edit', showEditSnippet),
  instancePage('snippets/:id/raw', showRawSnippet),
  instancePage('snippets/:id/description', showSnippetDescription),
  instanceAction('snippets/:id/delete', deleteSnippet),
  projectPage('snippets', showProjectSnippets),
  projectPage('snippets/new', showNewSnippet),
  projectAction('snippets', createSnippet),
  projectPage('snippets/:id', showProjectSnippet),
  projectAction('snippets/:id', updateSnippet),
  projectPage('snippets/:id/edit', showEditSnippet),
  projectPage('snippets/:id/raw', showRawSnippet),
  projectAction('snippets/:id/delete', deleteSnippet),
  projectPage('snippets/:id/description', showSnippetDescription),
  ...discussionRoutes(projectAction, projectPage, 'snippets/:id', {
    noteable: noteableOf,
    show: projectSnippetPage,
  }),
]
