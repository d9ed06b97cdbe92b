import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { deleteBranch, showBranches } from './branch-list-page.ts'
import { createBranch, showNewBranch } from './new-branch-page.ts'

const mayCreate = (call: PageCall) => call.permits.branches.create({ projectId: projectPath(call) })

export const branchRoutes = [
  projectPage('branches', showBranches),
  projectPage('branches/new', permitted(mayCreate, showNewBranch)),
  projectAction('branches', createBranch),
  projectAction('branches/delete', deleteBranch),
]
