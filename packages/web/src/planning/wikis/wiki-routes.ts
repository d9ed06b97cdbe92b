import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAction, projectPage, type Route } from '../../platform/routing/route.ts'
import {
  changeWikiPage,
  createWikiPage,
  showNewWikiPage,
  uploadWikiFile,
} from './wiki-form-page.ts'
import { showWikiHome, showWikiPage } from './wiki-page.ts'
import { showWikiPages } from './wiki-page-list.ts'

const mayCreate = (call: PageCall) => call.permits.wikis.create({ projectId: projectPath(call) })

export const wikiRoutes: readonly Route[] = [
  projectPage('wikis', showWikiHome),
  projectPage('wikis/pages', showWikiPages),
  projectPage('wikis/new', permitted(mayCreate, showNewWikiPage)),
  projectAction('wikis', createWikiPage),
  projectAction('wikis/attachments', uploadWikiFile),
  projectPage('wikis/*slug', showWikiPage),
  projectAction('wikis/*slug', changeWikiPage),
]
