import { isMissing } from '../../platform/pages/if-permitted.ts'
import type { PageCall } from '../../platform/pages/page-call.ts'
import { forbidden } from '../../platform/pages/refusal.ts'
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

/** The API says of a snippet of somebody else that there is none to change, even where it can be read. */
async function mayUpdateOwn(call: PageCall): Promise<void> {
  try {
    await mayUpdate(call)
  } catch (error) {
    if (!isMissing(error)) throw error
    const snippet = await call.client.snippets.show({ snippetId: rowId(call) })
    // That of a project is changed at an address of the project.
    if (snippet.project_id !== null) throw error
    throw forbidden('Only the author of a snippet and administrators may change it')
  }
}

export const snippetRoutes: readonly Route[] = [
  instancePage('dashboard/snippets', showSnippets),
  instancePage('explore/snippets', showSnippets),
  instancePage('snippets', showSnippets),
  instancePage('snippets/new', permitted(mayCreate, showNewSnippet)),
  instanceAction('snippets', createSnippet),
  instancePage('snippets/:id', showSnippet),
  instanceAction('snippets/:id', updateSnippet),
  instancePage('snippets/:id/edit', permitted(mayUpdateOwn, showEditSnippet)),
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
