import { isInternalUser, type projectSnippetsContract } from '@stithy/core'
import { listSnippetsOfProject, type SnippetAccess } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { Caller, Handlers } from '../../platform/http/call.ts'
import { requireUnmodified } from '../../platform/http/if-unmodified.ts'
import { requireCaller } from '../../platform/http/require-caller.ts'
import { changeBy } from '../items/changes/change-by.ts'
import { presentContent } from './snippet.presenter.ts'
import { changeSnippet, createSnippet, removeSnippet, requireContent } from './snippet.service.ts'
import { viewSnippet, viewSnippets } from './snippet-views.service.ts'

/** The `read_snippet` rule as a filter for lists. */
function listAccess({ facts }: Caller, project: ProjectSubject): SnippetAccess {
  if (facts.admin || project.facts.level >= 10) return 'all'
  return isInternalUser(facts) ? 'internal' : 'public'
}

export const projectSnippetsHandlers: Handlers<typeof projectSnippetsContract> = {
  async list({ app, caller, subject, page }) {
    const args = {
      projectId: subject.row.id,
      userId: requireCaller(caller).id,
      reach: listAccess(caller, subject),
    }
    return viewSnippets(app, await listSnippetsOfProject(app.db, args, page))
  },

  async show({ app, subject }) {
    return viewSnippet(app, subject)
  },

  async raw({ app, subject }) {
    return presentContent(subject.row, await requireContent(app, subject), { attachment: false })
  },

  async create({ app, caller, subject, body }) {
    return viewSnippet(app, await createSnippet(app, caller, subject, body))
  },

  async update({ app, caller, subject, body }) {
    return viewSnippet(app, await changeSnippet(app, caller, subject, body))
  },

  async remove({ app, caller, subject, headers }) {
    requireUnmodified(headers, subject.row.updatedAt)
    return removeSnippet(app, changeBy(app, caller), subject)
  },
}
