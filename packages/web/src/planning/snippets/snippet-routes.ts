import type { PageCall } from '../../platform/pages/page-call.ts'
import { rowId } from '../../platform/pages/row-id.ts'
import { permitted } from '../../platform/routing/permitted.ts'
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

/** Snippets of users belong to no project. */
const placeOf = ({ params: { project } }: PageCall) =>
  project === undefined ? {} : { projectId: project }
const mayCreate = (call: PageCall) => call.permits.snippets.create(placeOf(call))
const mayUpdate = async (call: PageCall) =>
  call.permits.snippets.update({ ...placeOf(call), snippetId: rowId(call) })

export const snippetRoutes: readonly Route[] = [
  instancePage('dashboard/snippets', showSnippets),
  instancePage('explore/snippets', showSnippets),
  instancePage('snippets', showSnippets),
  instancePage('snippets/new', permitted(mayCreate, showNewSnippet)),
  instanceAction('snippets', createSnippet),
  instancePage('snippets/:id', showSnippet),
  instanceAction('snippets/:id', updateSnippet),
  instancePage('snippets/:id/edit', permitted(mayUpdate, showEditSnippet)),
  instancePage('snippets/:id/raw', showRawSnippet),
  instancePage('snippets/:id/description', showSnippetDescription),
  instanceAction('snippets/:id/delete', deleteSnippet),
  projectPage('snippets', showProjectSnippets),
  projectPage('snippets/new', permitted(mayCreate, showNewSnippet)),
  projectAction('snippets', createSnippet),
  projectPage('snippets/:id', showProjectSnippet),
  projectAction('snippets/:id', updateSnippet),
  projectPage('snippets/:id/edit', permitted(mayUpdate, showEditSnippet)),
  projectPage('snippets/:id/raw', showRawSnippet),
  projectAction('snippets/:id/delete', deleteSnippet),
  projectPage('snippets/:id/description', showSnippetDescription),
  ...discussionRoutes(projectAction, projectPage, 'snippets/:id', {
    noteable: noteableOf,
    show: projectSnippetPage,
  }),
]
