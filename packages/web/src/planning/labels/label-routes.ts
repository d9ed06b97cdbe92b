import { whileOpen } from '../../directory/projects/project-place.ts'
import { projectAndGroupRoutes } from '../../platform/routing/route.ts'
import {
  createLabel,
  labelAction,
  showEditLabel,
  showNewLabel,
  updateLabel,
} from './label-form-page.ts'
import { showLabels } from './label-list-page.ts'

export const labelRoutes = projectAndGroupRoutes((page, action) => [
  page('labels', showLabels),
  page('labels/new', whileOpen(showNewLabel)),
  action('labels', createLabel),
  page('labels/:label/edit', whileOpen(showEditLabel)),
  action('labels/:label', updateLabel),
  action('labels/:label/subscribe', labelAction('subscribe')),
  action('labels/:label/unsubscribe', labelAction('unsubscribe')),
  action('labels/:label/promote', labelAction('promote')),
  action('labels/:label/delete', labelAction('remove')),
])
