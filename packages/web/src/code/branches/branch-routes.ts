import { whileOpen } from '../../directory/projects/project-place.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { deleteBranch, showBranches } from './branch-list-page.ts'
import { createBranch, showNewBranch } from './new-branch-page.ts'

export const branchRoutes = [
  projectPage('branches', showBranches),
  projectPage('branches/new', whileOpen(showNewBranch)),
  projectAction('branches', createBranch),
  projectAction('branches/delete', deleteBranch),
]
