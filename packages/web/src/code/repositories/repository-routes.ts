import { projectPage } from '../../platform/routing/route.ts'
import { showCompareForm, showComparison } from './compare-page.ts'
import { showContributors } from './contributors-page.ts'
import { showFindFile } from './find-file-page.ts'
import { showNetwork } from './network-page.ts'
import { showHome } from './project-home-page.ts'
import { showRefs } from './refs-page.ts'
import { showTree } from './tree-page.ts'

export const repositoryRoutes = [
  projectPage('', showHome),
  projectPage('tree/*target', showTree),
  projectPage('refs', showRefs),
  projectPage('find_file/*target', showFindFile),
  projectPage('compare', showCompareForm),
  projectPage('compare/*target', showComparison),
  projectPage('graphs/*target', showContributors),
  projectPage('network/*target', showNetwork),
]
