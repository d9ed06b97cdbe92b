import { decideOnProject, type forksContract } from '@stithy/core'
import { enforce } from '../../platform/http/authorize.ts'
import type { Handlers } from '../../platform/http/call.ts'
import { loadProjectsPage } from '../projects/list/project-list.service.ts'
import { requireProject } from '../projects/project-subject.ts'
import { viewProjectById } from '../projects/project-view.service.ts'
import { forkProject } from './fork.service.ts'
import { linkFork, unlinkFork } from './fork-link.service.ts'

export const forkHandlers: Handlers<typeof forksContract> = {
  list({ app, caller, subject, query, page }) {
    const scope = { kind: 'forks-of', sourceId: subject.row.id } as const
    return loadProjectsPage(app, caller.facts, scope, query, page)
  },

  async create({ app, caller, subject, body }) {
    const id = await forkProject(app, caller, subject.row, body)
    return viewProjectById(app, caller.facts, id)
  },

  async link({ app, caller, subject, params }) {
    const source = await requireProject(app, params.forked_from_id, caller)
    // A fork can open merge requests that show code of its source.
    enforce(decideOnProject('fork_project', caller.facts, source.facts), caller)
    await linkFork(app, subject.row, source.row)
    return viewProjectById(app, caller.facts, subject.row.id)
  },

  async unlink({ app, caller, subject }) {
    await unlinkFork(app, caller, subject.row)
  },
}
