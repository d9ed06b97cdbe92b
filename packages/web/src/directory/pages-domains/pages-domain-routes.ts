import { projectAction, projectPage } from '../../platform/routing/route.ts'
import {
  addDomain,
  deleteDomain,
  saveDomain,
  showDomainEdit,
  showPagesDomains,
} from './pages-domain-pages.ts'

export const pagesDomainRoutes = [
  projectPage('pages', showPagesDomains),
  projectAction('pages/domains', addDomain),
  projectPage('pages/domains/:domain/edit', showDomainEdit),
  projectAction('pages/domains/:domain/edit', saveDomain),
  projectAction('pages/domains/:domain/delete', deleteDomain),
]
