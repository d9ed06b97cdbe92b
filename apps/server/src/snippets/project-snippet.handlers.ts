import { isInsider, type projectSnippetsContract } from '@stithy/core'
import { listSnippetsOfProject, type SnippetReach } from '@stithy/store'
import type { Caller, Handlers } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { requireCaller } from '../projects/require-caller.ts'
import { presentContent } from './snippet.presenter.ts'
import { changeSnippet, contentOf, createSnippet, removeSnippet } from './snippet.service.ts'
import { requireSnippet } from './snippet-found.ts'
import { viewSnippet, viewSnippets } from './snippet-views.service.ts'

const neededOnUpdate = ['title', 'file_name', 'content', 'description', 'visibility'] as const

/** The twin of `read_snippet` for a list (catalogue: planning, 6). */
function reachOf({ facts }: Caller, project: ProjectSubject): SnippetReach {
  if (facts.admin || project.facts.level >= 10) return 'all'
  return isInsider(facts) ? 'internal' : 'public'
}

export const projectSnippetsHandlers: Handlers<typeof projectSnippetsContract> = {
  async list({ app, caller, subject, page }) {
    const whose = {
      projectId: subject.row.id,
      userId: requireCaller(caller).id,
      reach: reachOf(caller, subject),
    }
    return viewSnippets(app, await listSnippetsOfProject(app.db, whose, page))
  },

  async show({ app, caller, subject, params }) {
    return viewSnippet(app, await requireSnippet(app, caller, subject, params.snippet_id))
  },

  async raw({ app, caller, subject, params }) {
    const item = await requireSnippet(app, caller, subject, params.snippet_id)
    return presentContent(item.row, await contentOf(app, item), { attachment: false })
  },

  async create({ app, caller, subject, body }) {
    return viewSnippet(app, await createSnippet(app, caller, subject, body))
  },

  async update({ app, caller, subject, params, body }) {
    const { snippet_id: id } = params
    const item = await requireSnippet(app, caller, subject, id, 'update_snippet')
    return viewSnippet(app, await changeSnippet(app, caller, item, body, neededOnUpdate))
  },

  async remove({ app, caller, subject, params, headers }) {
    const { snippet_id: id } = params
    const item = await requireSnippet(app, caller, subject, id, 'update_snippet')
    return removeSnippet(app, item, headers)
  },
}
