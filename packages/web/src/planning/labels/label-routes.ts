import {
  groupAction,
  groupPage,
  projectAction,
  projectPage,
  type Route,
} from '../../platform/routing/route.ts'
import {
  createLabel,
  labelAction,
  showEditLabel,
  showNewLabel,
  updateLabel,
} from './label-form-page.ts'
import { showLabels } from './label-list-page.ts'

/** The same pages for projects and groups. */
function routesOf(page: typeof projectPage, action: typeof projectAction): Route[] {
  return [
    page('labels', showLabels),
    page('labels/new', showNewLabel),
    action('labels', createLabel),
    page('labels/:label/edit', showEditLabel),
    action('labels/:label', updateLabel),
    action('labels/:label/subscribe', labelAction('subscribe')),
    action('labels/:label/unsubscribe', labelAction('unsubscribe')),
    action('labels/:label/promote', labelAction('promote')),
    action('labels/:label/delete', labelAction('remove')),
  ]
}

export const labelRoutes: readonly Route[] = [
  ...routesOf(projectPage, projectAction),
  ...routesOf(groupPage, groupAction),
]
