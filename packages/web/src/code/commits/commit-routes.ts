import { projectAction, projectPage } from '../../platform/routing/route.ts'
import { showCommits, showDefaultCommits } from './commit-list-page.ts'
import { commentOnCommit, showCommit, showCommitMessage } from './commit-page.ts'
import { cherryPick, revert } from './replay.ts'

export const commitRoutes = [
  projectPage('commits', showDefaultCommits),
  projectPage('commits/*target', showCommits),
  projectPage('commit/:sha', showCommit),
  projectPage('commit/:sha/message', showCommitMessage),
  projectAction('commit/:sha', commentOnCommit),
  projectAction('commit/:sha/cherry_pick', cherryPick),
  projectAction('commit/:sha/revert', revert),
]
