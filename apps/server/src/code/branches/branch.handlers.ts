import { type branchesContract, notFound } from '@stithy/core'
import { Answer, type Handlers } from '../../platform/http/call.ts'
import {
  protectForDevelopers,
  unprotectByName,
} from '../protected-refs/branches/protected-branch.service.ts'
import { loadBranchRights } from '../protected-refs/ref-access.service.ts'
import { presentBranch, presentBranches } from './branch.presenter.ts'
import { branchExists, findBranches, requireBranch } from './branch.service.ts'
import { createBranch, removeBranch, requestMergedRemoval } from './branch-write.service.ts'

export const branchHandlers: Handlers<typeof branchesContract> = {
  async list({ app, caller, subject, query, page }) {
    const found = await findBranches(app, subject.row, query, page)
    const rightsOf = await loadBranchRights(app, { subject, caller })
    return { ...found, items: presentBranches(found.items, rightsOf) }
  },

  async show({ app, caller, subject, params, method }) {
    if (method === 'HEAD') {
      if (!(await branchExists(app, subject.row, params.branch))) throw notFound('Branch')
      return new Answer(204, undefined as never)
    }
    const branch = await requireBranch(app, subject.row, params.branch)
    return presentBranch(branch, await loadBranchRights(app, { subject, caller }))
  },

  async create({ app, caller, subject, body }) {
    const project = await createBranch(app, { subject, caller }, body)
    const branch = await requireBranch(app, project.row, body.branch)
    return presentBranch(branch, await loadBranchRights(app, { subject: project, caller }))
  },

  async remove({ app, caller, subject, params, headers }) {
    await removeBranch(app, { subject, caller }, params.branch, headers)
    return undefined
  },

  async removeMerged({ app, caller, subject }) {
    await requestMergedRemoval(app, { subject, caller })
    return { message: '202 Accepted' }
  },

  async protect({ app, caller, subject, params, body }) {
    const branch = await requireBranch(app, subject.row, params.branch)
    const rights = { push: body.developers_can_push, merge: body.developers_can_merge }
    await protectForDevelopers(app, caller, subject, branch.name, rights)
    return presentBranch(branch, await loadBranchRights(app, { subject, caller }))
  },

  async unprotect({ app, caller, subject, params }) {
    const branch = await requireBranch(app, subject.row, params.branch)
    await unprotectByName(app, caller, subject, branch.name)
    return presentBranch(branch, await loadBranchRights(app, { subject, caller }))
  },
}
