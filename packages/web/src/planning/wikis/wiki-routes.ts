import { whileOpen } from '../../directory/projects/project-place.ts'
import { projectAction, projectPage, type Route } from '../../platform/routing/route.ts'
import {
  changeWikiPage,
  createWikiPage,
  showNewWikiPage,
  uploadWikiFile,
} from './wiki-form-page.ts'
import { showWikiHome, showWikiPage } from './wiki-page.ts'
import { showWikiPages } from './wiki-page-list.ts'

export const wikiRoutes: readonly Route[] = [
  projectPage('wikis', showWikiHome),
  projectPage('wikis/pages', showWikiPages),
  projectPage('wikis/new', whileOpen(showNewWikiPage)),
  projectAction('wikis', createWikiPage),
  projectAction('wikis/attachments', uploadWikiFile),
  projectPage('wikis/*slug', showWikiPage),
  projectAction('wikis/*slug', changeWikiPage),
]
