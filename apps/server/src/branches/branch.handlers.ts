import { type branchesContract, decideOnProject, notFound } from '@stithy/core'
import { Answer, type Caller, type Handlers } from '../http/call.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { presentBranch, presentBranches } from './branch.presenter.ts'
import { branchExists, findBranches, requireBranch } from './branch.service.ts'

function mayPush(caller: Caller, subject: ProjectSubject): boolean {
  return decideOnProject('push_code', caller.facts, subject.facts).allowed
}

export const branchHandlers: Handlers<typeof branchesContract> = {
  async list({ app, caller, subject, query, page }) {
    const found = await findBranches(app, subject.row, query, page)
    return { ...found, items: presentBranches(found.items, mayPush(caller, subject)) }
  },

  async show({ app, caller, subject, params, method }) {
    if (method === 'HEAD') {
      if (!(await branchExists(app, subject.row, params.branch))) throw notFound('Branch')
      return new Answer(204, undefined as never)
    }
    const branch = await requireBranch(app, subject.row, params.branch)
    return presentBranch(branch, mayPush(caller, subject))
  },
}
