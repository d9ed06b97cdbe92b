import { type PageCall, projectPath } from '../../platform/pages/page-call.ts'
import { permitted } from '../../platform/routing/permitted.ts'
import { projectAction, projectPage } from '../../platform/routing/route.ts'
import {
  addDomain,
  deleteDomain,
  saveDomain,
  showDomainEdit,
  showPagesDomains,
} from './pages-domain-pages.ts'

const mayUpdate = (call: PageCall) =>
  call.permits.pages.domains.update({
    projectId: projectPath(call),
    domain: call.params.domain ?? '',
  })

export const pagesDomainRoutes = [
  projectPage('pages', showPagesDomains),
  projectAction('pages/domains', addDomain),
  projectPage('pages/domains/:domain/edit', permitted(mayUpdate, showDomainEdit)),
  projectAction('pages/domains/:domain/edit', saveDomain),
  projectAction('pages/domains/:domain/delete', deleteDomain),
]
